"""`thousand bench`: how fast the engine and the match runner are, as ratios to something in the same run."""
