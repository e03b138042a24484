"""Tests of the engine: outcomes, nets, search, levels, reasons."""
