"""The documents: what exists is in them, and what they name exists."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec.structs
import pytest

from events.types import TYPES
from games.rulesets import RULESETS
from service import __version__
from service.settings import Settings

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("field", [field.name for field in msgspec.structs.fields(Settings)])
def test_every_setting_is_in_the_readme_with_its_default(field: str) -> None:
    default = getattr(Settings(), field)
    shown = f" `{default}` " if str(default) else " "
    assert f"| `KIFU_{field.upper()}` |{shown}|" in README


@pytest.mark.parametrize("event_type", TYPES)
def test_every_event_type_is_in_the_readme(event_type: str) -> None:
    assert f"`{event_type}`" in README


@pytest.mark.parametrize("name", RULESETS)
def test_every_ruleset_is_in_the_readme_and_leads_to_its_rules(name: str) -> None:
    assert RULESETS[name].title.en in README
    assert f"games/{name}/RULES.md" in README


@pytest.mark.parametrize("document", ["README.md", "CHANGELOG.md"])
def test_what_a_document_links_to_is_there(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_every_target_that_the_readme_names_is_in_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:`|^)make ([a-z]+)", README, re.MULTILINE))
    assert {"run", "test", "soak", "bench"} <= named <= targets


def test_the_release_has_its_changelog_entry() -> None:
    assert f"\n## {__version__}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_what_the_readme_proves_with_sha256_can_be_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The snippet of the README, run on a real export."""
    from uuid_utils import uuid7

    from service.app import create_app

    app = create_app(Settings(data=tmp_path / "data"))
    game, headers = str(uuid7()), {"Authorization": f"Bearer {app.config['OWNER_TOKEN']}"}
    client = app.test_client()
    client.post("/v1/games", json={"id": game, "ruleset": "kahuna"}, headers=headers)
    (tmp_path / "sunday.ndjson").write_bytes(client.get(f"/v1/games/{game}/export", headers=headers).data)
    app.extensions["kifu"].close()
    monkeypatch.chdir(tmp_path)
    (snippet,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    snippet = snippet.replace('open("sunday.ndjson", "rb").read()', 'Path("sunday.ndjson").read_bytes()')
    exec(compile(snippet, "README.md", "exec"), {"Path": Path})  # noqa: S102
    edited = (tmp_path / "sunday.ndjson").read_bytes().replace(b"kahuna", b"kahunas")
    (tmp_path / "sunday.ndjson").write_bytes(edited)
    with pytest.raises(AssertionError):
        exec(compile(snippet, "README.md", "exec"), {"Path": Path})  # noqa: S102
