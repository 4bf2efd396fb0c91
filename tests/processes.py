"""The processes of this machine, read from the kernel: starting `ps` ten times a second would be slow."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def running_processes() -> dict[int, tuple[int, str]]:
    """Every running process, with its parent and its name.

    A killed process runs until its last thread has ended. Its first thread can be a zombie (Z) before that.
    """
    found: dict[int, tuple[int, str]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile
            before, _, after = (folder / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")
            state, parent = after.split()[:2]
            if state != "Z" or len([*(folder / "task").iterdir()]) > 1:
                found[int(folder.name)] = (int(parent), before.partition("(")[2])
    return found


def process_tree(pid: int, among: dict[int, tuple[int, str]] | None = None) -> set[int]:
    """A process and all its running descendants."""
    found, processes = {pid}, among or running_processes()
    while more := {each for each, (parent, _) in processes.items() if parent in found} - found:
        found |= more
    return found


def descendant_named(name: str, pid: int) -> int:
    """The id of the process with a name among the descendants of another one; 0 if there is none."""
    processes = running_processes()
    return next((each for each in process_tree(pid, processes) if processes.get(each, (0, ""))[1] == name), 0)
