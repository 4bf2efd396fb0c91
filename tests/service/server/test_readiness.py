"""Readiness: no request is the first to use a type."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.plugins import EXAMPLE, ROOT, install_example

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.programs

SCRIPT = """
import sys, uuid
from pathlib import Path
from types import FunctionType
import msgspec
from msgspec import _utils
from service.app import create_app
from service.cli.upkeep.samples import sample_texts
from service.settings import Settings
from werkzeug.test import Client

app = create_app(Settings(data=Path(sys.argv[1])))
owner = {"Authorization": f"Bearer {app.context.owner_token}"}
package, unready = str(Path(msgspec.__file__).parent), []

def noting(obj):
    caller = _caller(1)
    if not caller.f_code.co_filename.startswith(_package):
        _unready.append(obj)
    return _asked(obj)

# msgspec asks for a type's annotations when it is used first; only its own schemas ask for them again
asked = _utils.get_class_annotations
vars(_utils).update(
    _package=package, _unready=unready, _caller=sys._getframe, _asked=FunctionType(asked.__code__, vars(_utils))
)
asked.__code__ = noting.__code__  # msgspec keeps the function itself
client = Client(app)
for text in (*sample_texts(), Path(sys.argv[2]).read_text(encoding="utf-8")):
    game = str(uuid.uuid4())
    taken = client.post(f"/v1/imports?id={game}", data=text, content_type="text/plain", headers=owner)
    assert taken.status_code == 201, taken.text
    withdrawn = {"id": str(uuid.uuid4()), "type": "entry.withdrawn", "data": {"entry": 3, "withdraw": "all"}}
    corrected = client.post(f"/v1/games/{game}/events?dry_run=true", json={"events": [withdrawn]}, headers=owner)
    assert corrected.status_code < 500, corrected.text
    for part in ("", "/state?at=5", "/moves", "/score", "/timeline", "/claims", "/snapshots", "/board.svg", "/export"):
        assert client.get(f"/v1/games/{game}{part}", headers=owner).status_code == 200, part
    exported = client.get(f"/v1/games/{game}/export", headers=owner).data
    media = "application/x-ndjson"
    assert client.post("/v1/imports", data=exported, content_type=media, headers=owner).status_code == 201
for path in ("/v1/games", "/v1/feed", "/v1/rulesets", "/v1/health", "/"):
    assert client.get(path, headers=owner).status_code == 200, path
app.close()
print(sorted({str(type_) for type_ in unready}))
"""


def test_no_request_is_the_first_to_use_a_type(tmp_path: Path) -> None:
    """Two threads that use one of msgspec for the first time at once crash the process. So for installed rulesets."""
    golden = EXAMPLE / "kifu_reversi" / "goldens" / "against_the_rules.txt"
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "data"), str(golden)]
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{install_example(tmp_path / 'site')}"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "[]\n", done.stdout + done.stderr
