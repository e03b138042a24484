"""Practice on the site: cards from one's own errors, public puzzles, and the search for positions."""
