"""A silent film of a book's figures: ``python -m bookext.film`` beside a site that was built."""
