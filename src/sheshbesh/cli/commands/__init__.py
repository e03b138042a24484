"""The commands of `sheshbesh`, one module each; `sheshbesh.cli.main` loads them when called."""
