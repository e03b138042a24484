"""HTTP: the API, what every request passes, limits, errors, and the files of the page."""
