"""A table of positional encodings, read."""
