"""The templates of pages, compiled once for all processes of a run.

Jinja takes some 30 ms for a template. Each worker, and each program that draws a page, would compile them again.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path


def folder() -> Path:
    """Where this run keeps them."""
    return Path(tempfile.gettempdir()) / f"kifu-templates-{os.environ.get('KIFU_TEST_SESSION', os.getpid())}"


def share() -> None:
    """Let the applications of this process keep what they compile, and take what others have kept."""
    from flask import Flask
    from jinja2 import FileSystemBytecodeCache

    folder().mkdir(exist_ok=True)
    Flask.jinja_options = {"bytecode_cache": FileSystemBytecodeCache(str(folder()))}


def begin() -> None:
    """Begin with none: filters can have changed since, and Jinja looks at the text of a template alone."""
    end()
    folder().mkdir()


def end() -> None:
    """Delete what was kept."""
    shutil.rmtree(folder(), ignore_errors=True)
