"""From the pages that Sphinx wrote to the site that is published."""
