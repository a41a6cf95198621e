"""What Sphinx is told: the extension, the book's own directives and roles, and how outputs become nodes."""
