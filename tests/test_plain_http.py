"""What the clients of the tests cost: see `tests/plain_http.py`."""

from __future__ import annotations

import ast
import re
from pathlib import Path

FUNCTIONS = {"get", "post", "put", "patch", "delete", "request", "stream", "Client", "AsyncClient"}
CALL = re.compile(rf"\bhttpx\s*\.\s*({'|'.join(FUNCTIONS)})\b")
"""What a file has that is worth parsing: few have it."""
SAYING = {"verify", "transport"}
TESTS = Path(__file__).parent


def silent(source: str) -> list[int]:
    """The lines of calls of `httpx` that do not say what they trust, nor that they stay in this process."""
    return [
        call.lineno
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == "httpx"
        and call.func.attr in FUNCTIONS
        and not SAYING & {word.arg for word in call.keywords}
    ]


def test_every_client_of_the_tests_says_what_it_trusts() -> None:
    """Otherwise it reads all authorities, which takes longer than most tests."""
    texts = {path: path.read_text(encoding="utf-8") for path in TESTS.rglob("*.py")}
    found = [f"{path}:{line}" for path, text in texts.items() if CALL.search(text) for line in silent(text)]
    assert found == []


def test_a_client_that_does_not_say_so_is_found() -> None:
    assert silent("import httpx\nhttpx.get(url)\nhttpx.Client(verify=PLAIN)\nhttpx.Client(transport=here)") == [2]
