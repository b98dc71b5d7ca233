"""Answers that arrive in pieces: one module for each wire format, and one for the wire itself."""
