"""A course, made of the built site and of questions as data: ``python -m bookext.course QUESTIONS``."""
