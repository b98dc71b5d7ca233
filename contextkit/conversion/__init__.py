"""Say in one provider's format what was said in another's."""
