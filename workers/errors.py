"""What can go wrong with the store of results."""

from __future__ import annotations


class WorkError(Exception):
    """The store of results cannot be opened."""


class WorkNewerError(WorkError):
    """The store of results was written by a newer release, with a schema that this one does not know."""
