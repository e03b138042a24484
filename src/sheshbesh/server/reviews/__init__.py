"""Reviews on the site: matches played here and uploaded files, judged in the background."""
