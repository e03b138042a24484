"""How strong the engine is: `python -m benchmarks.strength.levels` and its neighbours."""
