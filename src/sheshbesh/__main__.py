"""`python -m sheshbesh`: the command `sheshbesh`."""

from sheshbesh.cli.main import main

if __name__ == "__main__":
    main()
