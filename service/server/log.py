"""The process of the log: `python -m service.server.log` writes the log of a data folder for all who serve it."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

from events.errors import LogError
from events.sqlite import LOG, SqliteLog
from events.sqlite.server import LogServer
from workers import process


def main() -> None:
    """Serve the log of the folder named by the first argument at the socket named by the second, until SIGTERM."""
    process.begin("log")
    try:
        log = SqliteLog(Path(sys.argv[1]) / LOG)
    except (LogError, OSError) as error:
        process.exit_with_message(error)
    server, stop = LogServer(log), threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    server.listen(Path(sys.argv[2]))
    threading.Thread(target=server.serve, name="log-listener", daemon=True).start()
    stop.wait()
    server.close()
    log.close()
    os._exit(0)  # without waiting for threads that have nobody to answer to any more


if __name__ == "__main__":
    main()
