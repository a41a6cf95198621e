"""Python in the page: ``make live`` adds it to a built site, and without that the site has not a byte of it.

- `bookext.live.files`: what runs Python in a browser, each file checked against its hash.
- `bookext.live.install`: puts it, the book's own package and the buttons into the site.
- `bookext.live.session`: runs the cells of a page; it is the one module here that the browser runs.
- ``page.js`` makes the buttons, and ``worker.js`` is where Python runs; nothing but ``page.js`` and
  ``live.css`` is loaded before a reader presses a button.
"""
