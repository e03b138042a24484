"""News between the parts of the site and to the lines that stay open."""
