"""Why a play is better: features of positions, reasons, verdicts, and their wording."""
