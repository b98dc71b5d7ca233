"""What a whole recorded session would have cost, with each strategy and with prompt caches."""

from contextkit.simulation.replay import simulate
from contextkit.simulation.results import LowWater, Replay, Sent, Simulation

__all__ = ["LowWater", "Replay", "Sent", "Simulation", "simulate"]
