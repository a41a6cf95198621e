"""Matplotlib figures: one function a figure, one style; a module for each chapter."""
