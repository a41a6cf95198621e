"""The same pages in other forms: notebooks for readers, Markdown, PDF and EPUB."""
