"""The command line. Every command speaks the HTTP API, over the network or to the application in this process.

Only `verify`, `rebuild`, `backup` and `tree restart` work on the data folder itself, beside a running service, too.
"""

import gc
import os
import signal
import sys
from importlib import import_module


def main() -> None:
    """Run `kifu`. Ctrl-C ends it without a traceback, also while the program is still being read."""
    _open_closed_streams()
    signal.signal(signal.SIGINT, _leave)
    gc.disable()  # what is imported stays, and looking for garbage in it would take a seventh of the time
    from service.cli.shell.group import kifu  # noqa: PLC0415 - these take their time, and can be interrupted
    from service.cli.shell.group import main as run  # noqa: PLC0415

    if sys.argv[1:2] == ["serve"]:  # the service waits for this program: it needs no other command
        from service.cli.upkeep.serve import serve  # noqa: PLC0415

        kifu.add_command(serve)
    else:
        import_module("service.cli.commands")
    gc.freeze()
    gc.enable()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


def _open_closed_streams() -> None:
    """Open closed standard streams (`kifu … >&-`) to nowhere. Otherwise the next file would get their number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(opened, opened == number)
            setattr(sys, name, os.fdopen(opened, "w" if number else "r"))


def _leave(*_: object) -> None:
    """Exit at once. Nothing has begun, and an exception during an import can turn into another one."""
    os.write(2, b"Aborted!\n")
    os._exit(1)
