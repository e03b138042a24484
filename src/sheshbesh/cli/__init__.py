"""The `sheshbesh` command: a face of the library for the terminal.

Knows how to read lines and print them, and no rule of any game: what is legal, what is owed and
why something is refused is asked of `sheshbesh.rules`. Every command lives in a module of its own
that is imported only when it is called.
"""
