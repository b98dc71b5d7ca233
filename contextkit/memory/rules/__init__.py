"""What people say about themselves, what they want and what is to be done: one module an idea.

Each module finds one kind of statement in a `Reading`; ``extraction`` asks them all.
"""
