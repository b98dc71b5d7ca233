"""Count the tokens of texts, messages and whole requests as the provider bills them."""
