"""Measuring the engine: speed, signatures, sample positions, scores of mirrored games."""
