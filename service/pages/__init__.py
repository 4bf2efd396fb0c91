"""The web pages: views, templates, scripts and styles."""
