"""How many tokens texts take, by language, kind of content and tokenizer."""
