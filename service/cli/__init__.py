"""The command line. Every command speaks the HTTP API, over the network or to the application in this process.

Only `verify`, `rebuild`, `backup` and `tree restart` work on the data folder itself, beside a running service, too.
"""

import sys


def main() -> None:
    """Run `kifu`. Ctrl-C ends it without a traceback, also while the program is still being read."""
    try:
        from service.cli.commands import main as run  # noqa: PLC0415 - it takes its time, and can be interrupted
    except KeyboardInterrupt:
        sys.exit("Aborted!")
    run()
