"""The templates of pages, compiled once for all processes of a run.

Jinja takes some 30 ms for a template. Each worker, and each program that draws a page, would compile them again.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path


def folder() -> Path:
    """The folder with the compiled templates of this run."""
    return Path(tempfile.gettempdir()) / f"kifu-templates-{os.environ.get('KIFU_TEST_SESSION', os.getpid())}"


def share() -> None:
    """Make the applications of this process share compiled templates with other processes."""
    from flask import Flask
    from jinja2 import FileSystemBytecodeCache

    folder().mkdir(exist_ok=True)
    Flask.jinja_options = {"bytecode_cache": FileSystemBytecodeCache(str(folder()))}


def begin() -> None:
    """Delete older compiled templates: filters can have changed, and Jinja compares only the text of a template."""
    end()
    folder().mkdir()


def end() -> None:
    """Delete the compiled templates of this run."""
    shutil.rmtree(folder(), ignore_errors=True)
