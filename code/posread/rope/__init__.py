"""A function that rotates, read."""
