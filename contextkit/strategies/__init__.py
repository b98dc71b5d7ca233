"""Strategies: callables that take a plan and return a plan; one module each."""
