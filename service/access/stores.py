"""The place of the store of access: beside the log, in the data folder or in the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.access.file import SqliteStore

if TYPE_CHECKING:
    from service.access.store import Store
    from service.settings import Settings


def open_store(settings: Settings, host: str, *, shared: bool = False) -> Store:
    """The store of access of the service that is called `host`; `shared` if several processes have the data folder.

    Raises `LogNewerError`, `LogError`, `OSError`.
    """
    if settings.database_url:
        from service.access.database import PostgresStore  # noqa: PLC0415 - its driver takes its time to load

        return PostgresStore(settings.database_url, settings.data, host)
    return SqliteStore(settings.data, shared=shared)
