"""The modules of the tests, compiled once for all workers.

pytest rewrites the assertions of each module that it imports, and keeps the result beside the module. After a fresh
checkout nothing is kept, and all workers would rewrite all modules at the same time.
"""

from __future__ import annotations

import importlib.util
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from _pytest.assertion.rewrite import PYC_TAIL, _rewrite_test, _write_pyc, assertstate_key, get_cache_dir

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pytest

TESTS = Path(__file__).parent


def compile_once(config: pytest.Config, folder: Path = TESTS) -> None:
    """Rewrite the modules without a cached version, on all processors."""
    sources = (path for name in ("test_*.py", "conftest.py") for path in folder.rglob(name))
    new = [path for path in sources if not _is_kept(path)]
    count = min(os.cpu_count() or 1, len(new))
    for process in [_compile(config, new[part::count]) for part in range(count)]:
        os.waitpid(process, 0)


def cached_version(source: Path) -> Path:
    """The path of pytest's cached version of a module."""
    return get_cache_dir(source) / (source.stem + PYC_TAIL)


def _is_kept(source: Path) -> bool:
    """Whether the cached version was made from the current text. The text's checksum ends the first 16 bytes."""
    try:
        with cached_version(source).open("rb") as file:
            head = file.read(16)
    except OSError:
        return False
    return head[:4] + head[8:] == importlib.util.MAGIC_NUMBER + importlib.util.source_hash(source.read_bytes())


def _compile(config: pytest.Config, sources: Sequence[Path]) -> int:
    """Start a process that rewrites these modules; its id. If one fails, a worker tries again and reports it."""
    process = os.fork()
    if not process:
        try:
            _keep(config, sources)
        finally:
            os._exit(0)
    return process


def _keep(config: pytest.Config, sources: Iterable[Path]) -> None:
    for source in sources:
        with suppress(SyntaxError, OSError):
            get_cache_dir(source).mkdir(exist_ok=True)
            digest, code = _rewrite_test(source, config)
            _write_pyc(config.stash[assertstate_key], code, digest, cached_version(source))
