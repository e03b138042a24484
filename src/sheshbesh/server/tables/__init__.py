"""Tables, matches and chouettes alike: begun, played, watched, kept."""
