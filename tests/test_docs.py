"""The documents: what exists is in them, what they name exists, and every sample in them is run."""

from __future__ import annotations

import doctest
import importlib
import itertools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import msgspec.structs
import pytest
from click.testing import CliRunner

from events.types import TYPES
from games.rulesets import SHIPPED
from games.scoresheet.ready import READY
from service import __version__
from service.cli.commands import kifu
from service.settings import Settings
from tests import plugins, tiers, warm
from tests.cases import cases
from tests.documents import ALL, ROOT, TEXTS
from tests.served import serve

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

README = TEXTS["README.md"]
TUTORIAL = "docs/rulesets.md"
"""It has a test of its own, in which packages are installed."""


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 150


def test_the_glossary_is_short_and_says_each_word_once() -> None:
    words = re.findall(r"^\| ([a-z][a-z ]+) \|", TEXTS["docs/glossary.md"], re.MULTILINE)
    assert words[0] == "word"
    assert words[1:] == sorted(set(words[1:]))
    assert len(words) <= 61


@cases("field", [field.name for field in msgspec.structs.fields(Settings)])
def test_every_setting_is_documented_with_its_default(field: str) -> None:
    default = getattr(Settings(), field)
    shown = f" `{default}` " if str(default) else " "
    assert f"| `KIFU_{field.upper()}` |{shown}|" in TEXTS["docs/running.md"]


@cases("event_type", TYPES)
def test_every_event_type_is_documented(event_type: str) -> None:
    assert f"`{event_type}`" in TEXTS["docs/design.md"]


@cases("name", SHIPPED)
def test_every_ruleset_is_in_the_readme_and_leads_to_its_rules(name: str) -> None:
    assert SHIPPED[name].title.en in README
    assert f"games/{name}/RULES.md" in README


@cases("name", READY)
def test_every_ready_score_sheet_is_documented(name: str) -> None:
    assert f"{READY[name]['name']} (`{name}`)" in " ".join(TEXTS["docs/sheets.md"].split())


@cases("document", [*TEXTS, "CHANGELOG.md"])
def test_what_a_document_links_to_is_there(document: str) -> None:
    path = ROOT / document
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")) if "://" not in link]
    assert [link for link in links if not (path.parent / link).exists()] == []


@cases("document", [*TEXTS, "CHANGELOG.md"])
def test_every_anchor_that_a_document_links_to_is_a_heading(document: str) -> None:
    path = ROOT / document
    links = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", path.read_text(encoding="utf-8"))
    assert [
        (file, anchor) for file, anchor in links if anchor not in _anchors(path.parent / file if file else path)
    ] == []


def _anchors(path: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    prose = re.sub(r"^ *```.*?^ *```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", ["CONTRIBUTING.md", "docs/design.md"])
def test_the_files_that_a_document_names_are_there(document: str) -> None:
    """What moves in the tree moves there, too."""
    named = re.findall(r"`((?:events|games|projections|workers|service|tests|benchmarks)/[\w/.-]*)`", TEXTS[document])
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_target_that_the_documents_name_is_in_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:`|^)make ([a-z]+)", ALL, re.MULTILINE))
    assert {"run", "test", "soak", "bench"} <= named <= targets


def test_the_release_has_its_changelog_entry() -> None:
    assert f"\n## {__version__}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.programs
def test_what_the_readme_proves_with_sha256_can_be_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The snippet of the README, run on a real export."""
    monkeypatch.chdir(tmp_path)
    _session(tmp_path, "$ kifu open kahuna\n…\n$ kifu export last sunday.ndjson\n")
    (snippet,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    proof = [sys.executable, "-c", snippet]
    assert subprocess.run(proof, check=False).returncode == 0
    record = (tmp_path / "sunday.ndjson").read_bytes()
    (tmp_path / "sunday.ndjson").write_bytes(record.replace(b"kahuna", b"kahunas"))
    assert subprocess.run(proof, capture_output=True, check=False).returncode == 1


@pytest.mark.parametrize(
    "document", [name for name, text in TEXTS.items() if "```console" in text and name != TUTORIAL]
)
def test_a_session_of_a_document_goes_as_it_is_told(
    document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for session in re.findall(r"```console\n(.*?)```", TEXTS[document], re.DOTALL):
        _session(tmp_path, session)


def _session(folder: Path, session: str) -> None:
    """Run the commands of a session in this process, and hold them to what they are told to say."""

    def run(commands: Sequence[Typed]) -> list[str]:
        env = {name: None for name in os.environ if name.startswith("KIFU_")} | {"KIFU_DATA": str(folder / "data")}
        return [CliRunner().invoke(kifu, words[1:], input=typed, env=env).output for words, typed in commands]

    _run(session, run)


Typed = tuple[list[str], str]
"""The words of a command, and what is typed while it runs."""


def _run(session: str, run: Callable[[Sequence[Typed]], list[str]]) -> None:
    """Run the commands after each `$`, with what is typed after a `>`, and hold them to what they are told to say."""
    commands: list[Typed] = []
    told: list[list[str]] = []
    for command in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        line, *rest = command.splitlines()
        typed = [said.partition("> ")[2] for said in rest if re.match(r"[a-z]+> ", said)]
        words = [*shlex.split(line), *(["-"] if typed else [])]
        commands.append((words, "".join(f"{move}\n" for move in typed)))
        told.append([said for said in rest if not re.match(r"[a-z]+> ", said)])
    for output, lines in zip(run(commands), told, strict=True):
        _assert_told(output, lines)


WRITTEN, CARDS = TEXTS[TUTORIAL].split("\n## Hidden cards\n")
"""The part of the guide for rulesets that writes one, and the part that reads one with hidden cards."""


COMMANDS = """
import json, sys
from click.testing import CliRunner
from service.cli.commands import kifu
for words, typed in json.load(sys.stdin):
    done = CliRunner().invoke(kifu, words, input=typed)
    print(json.dumps(done.output))
    if done.exit_code:
        sys.exit(done.output)
"""
"""A program that runs some commands one after the other. To start one takes longer than most commands."""
BUILD = """
import sys, zipfile
from setuptools import build_meta
site = sys.argv[1]  # setuptools has other arguments of its own there
with zipfile.ZipFile(f"built/{build_meta.build_wheel('built')}") as wheel:
    wheel.extractall(site)
"""
"""A program that builds the package in its folder, and lays it out, as pip does."""


def _programs(tmp_path: Path, package: Path, *, by_pip: bool) -> Callable[[Sequence[Typed]], list[str]]:
    """Runs commands by programs of their own, which find a package that is laid out in the folder.

    Those that follow each other are run by one program. What `pip` does is done by the builder that it calls, or its
    result is laid out. `make soak` has the first guide's package installed by pip itself.
    """
    site = tmp_path / "site"
    path = os.pathsep.join(map(str, (ROOT, package.parent, site)))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("KIFU_")}
    environment |= {"PYTHONPATH": path, "KIFU_DATA": str(tmp_path / "data")}

    def output(done: subprocess.CompletedProcess[str]) -> str:
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def install(name: str) -> str:
        """With the folder itself on the path, so that what is edited counts."""
        if not by_pip:
            project = tomllib.loads((tmp_path / name / "pyproject.toml").read_text(encoding="utf-8"))["project"]
            (entry,) = project["entry-points"]["kifu.rulesets"].items()
            plugins.install(site, project["name"].replace("-", "_"), " = ".join(entry))
            return ""
        words = ["install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(site)]
        command = [sys.executable, "-m", "pip", *words, str(tmp_path / name)]
        if not tiers.SOAK:  # which takes a third of the time
            command = [sys.executable, "-c", BUILD, str(site)]
        folder = tmp_path / name
        return output(subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False))

    def run(commands: Sequence[Typed]) -> list[str]:
        outputs: list[str] = []
        for program, some in itertools.groupby(commands, lambda command: command[0][0]):
            if program == "pip":
                outputs += [install(words[-1]) for words, _ in some]
            else:
                given = json.dumps([(words[1:], typed) for words, typed in some])
                command = [sys.executable, "-c", COMMANDS]
                done = warm.run(command, cwd=tmp_path, env=environment, input=given, text=True)
                outputs += map(json.loads, output(done).splitlines())
        return outputs

    return run


@pytest.mark.programs
def test_the_card_game_of_the_tutorial_is_laid_out_and_played_as_it_is_told(tmp_path: Path) -> None:
    """Its pieces are those of the package, and its commands run by programs of their own."""
    package = tmp_path / "kifu-animals" / "animals"
    blocks = re.findall(r"```([a-z]+)\n(.*?)```", CARDS, re.DOTALL)
    session = "".join(text for language, text in blocks if language == "console")
    _run(session, _programs(tmp_path, package, by_pip=False))
    for language, text in blocks:
        match language:
            case "python":
                assert text in (package / "__init__.py").read_text(encoding="utf-8")
            case "text":
                assert text in (package / "goldens" / "first.txt").read_text(encoding="utf-8")


@pytest.mark.programs
def test_the_ruleset_of_the_tutorial_is_written_checked_and_played_as_it_is_told(tmp_path: Path) -> None:
    """Its blocks are written where they belong, and its commands run by programs of their own."""
    package = tmp_path / "kifu-noughts" / "noughts"
    run = _programs(tmp_path, package, by_pip=True)
    code = ""
    blocks = re.findall(r"```([a-z]+)\n(.*?)```", WRITTEN, re.DOTALL)
    for language, texts in itertools.groupby(blocks, lambda block: block[0]):
        if language == "console":
            _run("".join(text for _, text in texts), run)
        else:
            for _, text in texts:
                code = _write(language, text, package, code)


def _write(language: str, text: str, package: Path, code: str) -> str:
    """Write a block where it belongs, after the code of the blocks before it. Returns the code so far."""
    match language:
        case "python":
            code = f"{code}\n\n{text}" if code else text
            (package / "__init__.py").write_text(code, encoding="utf-8")
        case "markdown":
            name = "RULES.md" if " / " in text else "RULES.ja.md"  # titles in two languages, or in one
            (package / name).write_text(text, encoding="utf-8")
        case "text":
            (package / "goldens" / "first.txt").write_text(text, encoding="utf-8")
        case "toml":
            assert text in (package.parent / "pyproject.toml").read_text(encoding="utf-8")
    return code


def _assert_told(output: str, lines: list[str]) -> None:
    """Every line is in the output, in this order; `…` stands for anything."""
    found = iter([" ".join(line.split()) for line in output.splitlines()])
    for line in lines:
        pattern = ".*".join(map(re.escape, " ".join(line.split()).split("…")))
        assert line == "…" or any(re.fullmatch(pattern, said) for said in found), f"{line!r} is not in:\n{output}"


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
@pytest.mark.programs
def test_the_game_by_curl_goes_as_it_is_told(tmp_path: Path) -> None:
    guide = TEXTS["docs/api.md"]
    script = "\n".join(re.findall(r"```sh\n(.*?)```", guide, re.DOTALL))
    with serve(tmp_path) as service:
        script = script.replace("http://127.0.0.1:8080", service.base).replace("python3 ", f"{sys.executable} ")
        script = script.replace("--max-time 20", "--max-time 2")  # no worker runs here, so the analysis does not end
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr + done.stdout
        (game,) = service.api.get("/v1/games").json()["games"]
        assert (game["title"], game["status"], game["winners"]) == ("By curl", "adjudicated", [0])
    (refusal,) = re.findall(r"```json\n(.*?)```", guide, re.DOTALL)
    for said in (str(refusal), *re.findall(r"```json\n(.*?)```", README, re.DOTALL)):
        assert msgspec.json.decode(said).items() <= _refusals(done.stdout)[0].items()
    assert (tmp_path / "board.svg").read_bytes().startswith(b"<svg")
    assert (tmp_path / "game.ndjson").read_bytes().count(b"\n") > 8


def _refusals(output: str) -> list[dict[str, object]]:
    return [json.JSONDecoder().raw_decode(output, at.start())[0] for at in re.finditer(r'\{"type":"/problems/', output)]


@pytest.mark.parametrize("document", [name for name, text in TEXTS.items() if "```pycon" in text])
def test_the_python_of_a_document_answers_as_it_is_told(
    document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its sessions make the records that its examples read."""
    monkeypatch.chdir(tmp_path)
    _make_records(document, tmp_path)
    examples = "\n".join(re.findall(r"```pycon\n(.*?)```", TEXTS[document], re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, document, None, None)
    assert test.examples
    assert _wrong_answers(test) == []


DOCUMENTED = [
    path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
    for package in ("events", "games", "projections", "workers", "service")
    for path in sorted((ROOT / package).rglob("*.py"))
    if re.search(r"^ +>>> ", path.read_text(encoding="utf-8"), re.MULTILINE)
]
"""The modules with examples in their docstrings."""


def test_what_programmers_use_first_has_examples() -> None:
    assert {"games.contract.state", "events.verification", "projections.archive", "projections.history"} <= set(
        DOCUMENTED
    )


def test_the_examples_of_docstrings_answer_as_they_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They read the records of the guide for programmers, `data` and `sunday.ndjson`."""
    monkeypatch.chdir(tmp_path)
    _make_records("docs/reading.md", tmp_path)
    found = [
        test
        for module in map(importlib.import_module, DOCUMENTED)
        for test in doctest.DocTestFinder(exclude_empty=True).find(module)
    ]
    assert {"games.contract.state.State.apply", "games.contract.state.State.legal_moves"} <= {
        each.name for each in found
    }
    assert [complaint for test in found for complaint in _wrong_answers(test)] == []


def _make_records(document: str, folder: Path) -> None:
    for session in re.findall(r"```console\n(.*?)```", TEXTS[document], re.DOTALL):
        _session(folder, session)


def _wrong_answers(test: doctest.DocTest) -> list[str]:
    complaints: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False).run(test, out=complaints.append)
    return complaints
