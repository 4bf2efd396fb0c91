"""The examples of openapi.yaml, sent to a service: `python -m tests.examples` writes the answers again.

Hashes and times are others at every playing, and alone are no reason to write an answer anew.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from werkzeug.test import Client

from service.api.endpoints import JSON
from service.api.examples import BODIES, IMPORTED, MEMBER, TEXTS, of_parameter
from service.api.routes import PARTS
from service.app import create_app
from service.settings import Settings
from workers import host

if TYPE_CHECKING:
    from service.api.endpoints import Endpoint
    from service.app import Application

ANSWERS = Path(__file__).parents[1] / "service" / "api" / "examples.json"
MOST = 4000
"""The most bytes of an answer that is shown."""

QUERIES = {
    "import_game": f"?id={IMPORTED}",
    "compare_games": f"?with={IMPORTED}",
    "list_templates": "?q=first",
    "show_timeline": "?after=3",
    "preview_merge": f"?into={MEMBER}",
    "prove_consistency": "?from=3",
}
_OTHERS = r"(?!0199d2f3-)01[0-9a-f]{6}-[0-9a-f]{4}-7[0-9a-f-]{21}"
"""Ids that the service makes by the clock. Those of the example requests are fixed."""
_CHANGING = re.compile(
    r"\"host\":\"[^\"]*\"|"
    r"[0-9a-f]{64}|[0-9-]{10}T[0-9:.]+Z|\"[0-9-]{10}\"|kifu/[0-9a-f]{16}|kifu_[a-z]{3}_[0-9A-Za-z]{36}|/s/[0-9A-Za-z]{22}"
    r"|[B-DF-HJ-NP-TV-Z]{4}-[B-DF-HJ-NP-TV-Z]{4}"
    rf"|[A-Za-z0-9+/]{{43,}}={{0,2}}|{_OTHERS}"
)


def address(endpoint: Endpoint, made: dict[str, str]) -> str:
    """The address of a request. Ids that the service `made` replace those of the examples."""
    path = re.sub("<([a-z]+)>", lambda found: made.get(found[1]) or of_parameter(found[1])[1], endpoint.path)
    return path + QUERIES.get(endpoint.name, "")


def play(app: Application) -> dict[str, Any]:
    """Send every example request, and then read everything. Returns the JSON answers by operation."""
    described = {endpoint.name: endpoint for part in PARTS for endpoint in part.described}
    asking = [
        name for name, endpoint in described.items() if endpoint.method == "GET" and JSON in endpoint.answer_types
    ]
    answers: dict[str, Any] = {}
    for name in (*BODIES, "import_game", *asking):
        endpoint = described[name]
        more: dict[str, Any] = {"json": BODIES[name]} if name in BODIES else {}
        if name == "import_game":
            more = {"data": TEXTS["import_game"], "content_type": "text/plain"}
        app.context.catch_up()
        headers = {"Authorization": f"Bearer {app.context.owner_token}"}
        made = {
            "analysis": answers.get("ask_for_analysis", {}).get("id", ""),
            "webhook": answers.get("make_webhook", {}).get("info", {}).get("id", ""),
            "token": answers.get("make_token", {}).get("info", {}).get("id", ""),
        }
        answer = Client(app).open(address(endpoint, made), method=endpoint.method, headers=headers, **more)
        assert answer.status_code == endpoint.status, answer.text
        answers[name] = answer.get_json()
    return answers


def shown(answers: dict[str, Any]) -> dict[str, Any]:
    """The answers that are short enough to be shown. Those of the catalogue are left out: they may lag by an entry."""
    short = {name: answer for name, answer in answers.items() if len(msgspec.json.encode(answer)) <= MOST}
    return {name: answer for name, answer in short.items() if name not in {"list_games", "list_exports"}}


def stable_parts(answers: dict[str, Any]) -> str:
    """The parts of the answers that are the same in every run."""
    return _CHANGING.sub("", msgspec.json.encode(answers).decode())


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / host.FILE).write_text("kifu-1\n")
        app = create_app(Settings(data=Path(folder)))
        try:
            answers = shown(play(app))
        finally:
            app.close()
    before = msgspec.json.decode(ANSWERS.read_bytes())
    same = {
        name for name in answers.keys() & before.keys() if stable_parts(answers[name]) == stable_parts(before[name])
    }
    kept = {name: before[name] if name in same else answer for name, answer in answers.items()}
    ANSWERS.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")


if __name__ == "__main__":
    main()
