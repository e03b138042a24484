"""Players and advisers of the program: opponents, the coach, settlements, help in the bear-off.

Everything here answers with data; a face (terminal, page, protocol) finds the words and the arrows.
"""
