"""The site: one ASGI application that referees matches, keeps people and serves the page."""
