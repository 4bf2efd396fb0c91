"""The cost of a service that nobody uses, in an empty folder: memory, start and processor time."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import httpx

from benchmarks.http import free_port
from benchmarks.peers import memory, used
from benchmarks.table import Row

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTLE, WATCH = 10.0, 20.0
"""Seconds until a service has finished its start, and seconds of measuring after that."""

STARTING = 60.0
"""The most seconds of a start."""


def first_answer(port: int) -> float:
    """The seconds until a service answers. Raises `TimeoutError`."""
    began = time.monotonic()
    while time.monotonic() - began < STARTING:
        with suppress(httpx.TransportError):
            httpx.get(f"http://127.0.0.1:{port}/v1/health")
            return time.monotonic() - began
        time.sleep(0.01)
    raise TimeoutError("the service did not start")


def watch(process: int, port: int) -> Iterator[Row]:
    """The figures of a service that has just been started."""
    yield Row("idle service, start to its first answer", first_answer(port), "s", target="<= 1.5")
    time.sleep(SETTLE)
    before, began = used(process), time.monotonic()
    time.sleep(WATCH)
    share = (used(process) - before) / (time.monotonic() - began) * 100
    yield Row("idle service, memory of all processes", memory(process), "MB", target="<= 180")
    yield Row("idle service, processor", share, "%", target="<= 1")


def run() -> list[Row]:
    """The rows of this benchmark."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"KIFU_DATA": folder, "KIFU_PORT": str(port)}
        command = [sys.executable, "-m", "service.server.supervisor"]
        with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
            try:
                return list(watch(process.pid, port))
            finally:
                process.terminate()
