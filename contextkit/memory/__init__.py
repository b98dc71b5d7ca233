"""What summary compression keeps: identity, confirmed facts, rules, decisions and open todos."""
