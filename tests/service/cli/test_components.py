"""Components on the command line: entered once, used by name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from games.verraeter.components import SAMPLE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.service.cli.conftest import Kifu

pytestmark = pytest.mark.service("kept")


@pytest.mark.slow
def test_components_are_entered_listed_used_and_removed(kifu: Kifu, tmp_path: Path) -> None:
    file = tmp_path / "points.json"
    file.write_text(json.dumps(SAMPLE))
    assert "my box is kept" in kifu("components", "put", "verraeter", "my box", file)
    listed = kifu("components", "list", "verraeter")
    assert "my box" in listed
    assert "made up" in listed
    assert json.loads(kifu("components", "show", "verraeter", "my box")) == SAMPLE
    game = kifu("open", "verraeter", "--components", "my box", "--player-1", "Anna", "--player-3", "Ben").strip()
    assert json.loads(kifu("components", "list", "verraeter", "--json"))["components"][0]["data"] == SAMPLE
    assert "is kept" in kifu("components", "put", "verraeter", "the same", "--game", game)
    assert json.loads(kifu("components", "show", "verraeter", "the same")) == SAMPLE
    assert "is removed" in kifu("components", "delete", "verraeter", "my box")
    assert "my box" not in kifu("components", "list", "verraeter")


@pytest.mark.slow
def test_what_is_no_json_or_no_components_is_refused_with_a_reason(kifu: Kifu) -> None:
    for text in (
        "{",
        "",
        "[[1]",
        "key =",
        "a = nan",
        "a = -inf",
        '{"a": NaN}',
        '{"a":' * 5000,
        b"\xff",
        "a=" + "[" * 5000,
    ):
        broken = kifu.fails("components", "put", "verraeter", "my box", stdin=text, code=2)
        assert "standard input: neither JSON nor TOML: " in broken
    wrong = kifu.run("components", "put", "verraeter", "my box", stdin='{"points": {"River": 3}}')
    assert wrong.exit_code == 1
    assert "data.points.Wilderness" in wrong.output
    assert "`kifu components list RULESET`" in kifu.fails("components", "show", "verraeter", "my box")
    unknown = kifu.run("open", "verraeter", "--components", "my box")
    assert unknown.exit_code == 1
    assert "components_name" in unknown.output


def test_components_are_judged_by_a_dry_run_and_not_kept(kifu: Kifu, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text('name = "Own"\n[[columns]]\nid = "a"\n')
    bad.write_text('name = "Own"\n[[columns]]\nid = "a"\n[[columns]]\nid = "b"\nformula = "a + wood"\n')
    assert "Dry run, nothing is stored. Own is valid." in kifu(
        "components", "put", "scoresheet", "Own", good, "--dry-run"
    )
    for dry_run in ([], ["--dry-run"]):
        refused = kifu.fails("components", "put", "scoresheet", "Own", bad, *dry_run)
        assert "there is no wood here" in refused
        assert "at character 5 of 'a + wood'" in refused
    assert "Own" not in kifu("components", "list", "scoresheet")
    assert "is kept" in kifu("components", "put", "scoresheet", "Own", good)
    assert "a file or a game" in kifu.fails("components", "put", "scoresheet", "Own", good, "--game", "last", code=2)


def test_a_game_with_one_kind_of_box_has_no_components(kifu: Kifu) -> None:
    game = kifu("open", "kahuna").strip()
    refused = kifu.run("components", "put", "kahuna", "my box", "--game", game)
    assert refused.exit_code == 1
    assert "has no components" in refused.output
