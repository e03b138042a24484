"""What the commands that play in the terminal share: the loop of a match, prompts, narration."""
