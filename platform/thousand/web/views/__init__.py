"""Pages, one module a group; they read through selectors and act through services."""
