"""The lobby: who is here, who looks for an opponent, and what is being played."""
