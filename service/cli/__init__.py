"""The command line. Every command speaks the HTTP API, over the network or to the application in this process.

Only `verify`, `rebuild` and `backup` work on the data folder itself, beside a running service, too.
"""

from service.cli.main import main

__all__ = ["main"]
