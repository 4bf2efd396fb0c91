"""Clients made by generators from openapi.yaml record a whole game against a running service."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from service.api.endpoints import BYTES, NDJSON, TEXT, YAML
from service.api.routes import PARTS
from tests import page_code, tiers, warm
from tests.choosing import soak_except
from tests.npm import PATIENCE, NpmError, cache_folder, node_modules
from tests.served import Service, serve
from tests.service.document import specification

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[3]
CLIENTS = Path(__file__).parents[1] / "clients"
DESCRIPTION = ROOT / "openapi.yaml"
GAME = ROOT / "tests" / "golden" / "kahuna" / "last_bridge_in_round_2.txt"
MOVES = [line for line in GAME.read_text(encoding="utf-8").splitlines() if line and line[0] not in "[;"]

OVERRIDES = dict.fromkeys((YAML, NDJSON, TEXT, "image/svg+xml", "image/png"), BYTES)
"""Media types that openapi-python-client does not know, and what it shall take them for."""

BROKEN = """\
openapi: 3.1.0
info: {title: A reference that leads nowhere, version: "1"}
paths:
  /none:
    get: {responses: {200: {$ref: "#/components/responses/None"}}}
"""

MADE_UP = re.compile(r"[0-9]$|AnyOf|OneOf|Response|Type[0-9]|Item$|Inner$")
"""Names that generators make up for what has none."""

KNOWN_TYPES = cache_folder() / "mypy"
"""What mypy knows from the last run, by the hash of each module: most of the client is as it was then."""

pytestmark = [pytest.mark.programs, pytest.mark.timeout(PATIENCE + 300)]
"""The first test that needs the tools of npm fetches them, once; compilers take their time on a busy machine."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serve(tmp_path_factory.mktemp("service")) as running:
        yield running


@pytest.fixture(scope="module")
def tools() -> Path:
    """The tools of npm; what needs them is skipped where they cannot be had."""
    try:
        page_code.make_types()
        return node_modules(CLIENTS)
    except NpmError as error:
        pytest.skip(str(error))


def run(*command: object, **more: Any) -> str:
    ended = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, timeout=250, **more
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def run_python(program: Path, *words: str) -> str:
    """Run a program in the folder of the client that it imports."""
    ended = warm.run([sys.executable, str(program), *words], cwd=program.parent, text=True, timeout=250)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return str(ended.stdout)


def check(service: Service, told: dict[str, Any], title: str) -> None:
    """The record is the whole game, and the client was told of it what the service tells anybody."""
    assert service.notations(told["game"]) == MOVES
    info = service.api.get(f"/v1/games/{told['game']}").json()
    assert (info["title"], info["status"], info["irregular"]) == (title, "finished", {})
    assert told["version"] == told["entries"] == info["version"] == len(MOVES) + 1
    assert (told["scores"], told["winners"]) == (info["scores"], info["outcome"]["winners"])
    assert (told["problem"], told["then"]) == ("/problems/rule-broken", 3)
    assert told["objects"] > len(MOVES) / 2, "moves are sent as objects, too"


def specified(name: str) -> dict[str, Any]:
    """The operation of that name in the description."""
    paths = specification()["paths"].values()
    (found,) = (each for path in paths for each in path.values() if each["operationId"] == name)
    return dict(found)


def sources(package: Path) -> Iterator[str]:
    return (path.read_text(encoding="utf-8") for path in package.glob("models/*.py"))


@pytest.mark.programs
def test_a_client_generated_in_python_records_a_whole_game(service: Service, tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"post_hooks": [], "content_type_overrides": OVERRIDES}))
    package = tmp_path / "kifu_client"
    generator = Path(sys.executable).with_name("openapi-python-client")
    options = ("--config", config, "--output-path", package, "--meta", "none", "--fail-on-warning")
    described = tmp_path / "openapi.json"  # the generator takes two seconds of processor time to read it as YAML
    described.write_text(json.dumps(yaml.load(DESCRIPTION.read_bytes(), yaml.CSafeLoader)), encoding="utf-8")
    run(generator, "generate", "--path", described, *options)
    generated = {path.stem for path in package.glob("api/*/*.py")} - {"__init__"}
    assert generated == {endpoint.name for part in PARTS for endpoint in part.described}
    models = (package / "models" / "__init__.py").read_text(encoding="utf-8")
    schemas = specification()["components"]["schemas"]
    own = [name for name, schema in schemas.items() if "properties" in schema or "enum" in schema]  # these are classes
    named = re.findall(r"^    \"(\w+)\",$", models, re.MULTILINE)
    assert set(own) <= set(named)
    assert [name for name in named if MADE_UP.search(name)] == []
    (tmp_path / "record.py").write_bytes((CLIENTS / "record.py").read_bytes())
    strictly = ("--strict", "--follow-imports", "silent", "--config-file", os.devnull, "--cache-dir", KNOWN_TYPES)
    run(sys.executable, "-m", "mypy", *strictly, "record.py", cwd=tmp_path)
    result = run_python(tmp_path / "record.py", service.base, service.token, "\n".join(MOVES))
    check(service, json.loads(result), "Python")
    program = tmp_path / "program.py"
    program.write_text(example("python", service), encoding="utf-8")
    assert run_python(program) == "3\n"
    internal = [name for name in generated if specified(name).get("x-internal")]
    assert sorted(internal) == ["follow_all", "follow_analysis", "follow_game"]
    assert re.findall(r"^    VALUE_.*", "\n".join(sources(package)), re.MULTILINE) == []


@pytest.fixture(scope="module")
def compiled(service: Service, tools: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the programs in TypeScript, compiled with the types that the generator makes by its usual options.

    The pages are checked with the same types. One compilation takes half the time of two. The types that other tools of
    npm bring are none of these programs'.
    """
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "node_modules").symlink_to(tools)
    (folder / "package.json").write_text('{"type": "module"}')
    for name in ("record.ts", "least.ts"):
        shutil.copy(CLIENTS / name, folder)
    (folder / "example.ts").write_text(example("ts", service), encoding="utf-8")
    shutil.copy(page_code.TYPES, folder / "kifu.d.ts")
    libraries = "skipDefaultLibCheck" if tiers.SOAK else "skipLibCheck"  # in brief only types that the programs use
    options = {"strict": True, libraries: True, "target": "es2022", "module": "preserve"}
    project = {"compilerOptions": options | {"lib": ["es2023", "dom"], "types": []}, "include": ["*.ts"]}
    (folder / "tsconfig.json").write_text(json.dumps(project))
    run(tools / ".bin" / "tsc", cwd=folder)
    return folder


def test_a_client_generated_in_typescript_records_a_whole_game(service: Service, compiled: Path) -> None:
    types = re.findall(r"^ {8}(\w+): ", (compiled / "kifu.d.ts").read_text(encoding="utf-8"), re.MULTILINE)
    components = specification()["components"]
    assert {*components["schemas"], *components["parameters"], *components["responses"]} <= set(types)
    assert [name for name in types if MADE_UP.search(name)] == []
    result = run("node", "record.js", service.base, service.token, "\n".join(MOVES), cwd=compiled)
    check(service, json.loads(result), "TypeScript")


def example(language: str, service: Service) -> str:
    """The example of the guide to the API, for a running service and with its token."""
    guide = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    found = re.findall(rf"^```{language}\n(.*?)^```$", guide, re.DOTALL | re.MULTILINE)
    (code,) = (code for code in found if "kifu_app_…" in code)
    return code.replace("http://127.0.0.1:8080", service.base).replace("kifu_app_…", service.token)


def test_the_example_in_typescript_compiles_strictly_as_it_stands_and_runs(compiled: Path) -> None:
    version, *moves = run("node", "example.js", cwd=compiled).split(maxsplit=1)
    assert (version, len(moves)) == ("4", 1)


@pytest.mark.parametrize("tool", soak_except(["Redocly", "Spectral"], "Redocly"))
def test_a_linter_finds_nothing_in_the_description(tmp_path: Path, tools: Path, tool: str) -> None:
    """Spectral takes twenty seconds of processor time for what Redocly does in three."""
    (tmp_path / "node_modules").symlink_to(tools)
    (tmp_path / "lint.mjs").write_bytes((CLIENTS / "lint.mjs").read_bytes())
    broken = tmp_path / "broken.yaml"
    broken.write_text(BROKEN)
    found, against = json.loads(run("node", "lint.mjs", tool, DESCRIPTION, broken, cwd=tmp_path))
    assert found == []
    assert against
