"""The parts shared by the commands that play in the terminal: the loop of a match, prompts, narration."""
