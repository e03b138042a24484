"""Single positions on the site: what an analysis board shows of one, and pictures of them."""
