"""People: guests, accounts, ways to sign in, ratings, notes about each other."""
