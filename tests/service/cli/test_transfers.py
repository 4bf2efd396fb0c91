"""Games into files and out of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.rulesets import RULESETS
from service.cli.upkeep.samples import sample_texts
from tests import goldens
from tests.choosing import soak_except

from .conftest import Kifu

pytestmark = pytest.mark.service("kept")

GOLDEN = Path(__file__).parents[2] / "golden" / "kahuna"
KEPT = [path.stem for path in goldens.sample_of("kahuna", 6)]
"""Those of the short run. `test_text.py` has others, over HTTP."""


@pytest.fixture
def elsewhere(tmp_path) -> Kifu:
    """Another data folder."""
    return Kifu(tmp_path / "elsewhere")


@pytest.fixture
def game(kifu) -> str:
    return kifu.play("deal black BARI COCO DUDA\nb-d\nw: a-b ! white was quicker\nnote rain\n")


def moves_in(text):
    return [line for line in text.splitlines() if line and line[0] not in "[;"]


def state(kifu, game):
    return json.loads(kifu("show", game, "--json"))


@pytest.mark.slow
def test_an_exported_game_verifies_and_is_the_same_game_elsewhere(kifu, elsewhere, game, tmp_path):
    file = tmp_path / "game.ndjson"
    kifu("export", game, file)
    assert "Sound: 5 entries of 1 game." in kifu("verify", file)
    assert f"game {game}, 5 entries, 5 new" in elsewhere("import", file)
    assert state(elsewhere, game) == state(kifu, game)
    assert "all known before" in elsewhere("import", file)
    assert "Black ?, White ?" in elsewhere("show", game)


@pytest.mark.slow
def test_files_that_were_saved_in_utf16_are_taken(kifu, elsewhere, game, tmp_path):
    for form in ("ndjson", "text"):
        file = tmp_path / form
        file.write_text(kifu("export", game, "--format", form, "--names"), encoding="utf-16")
        assert "5 entries, 5 new" in elsewhere("import", file)


@pytest.mark.slow
def test_a_file_may_hold_many_records(kifu, elsewhere, game, tmp_path):
    other = kifu.play("deal black BARI COCO DUDA\n")
    file = tmp_path / "games.ndjson"
    records = [kifu("export", each, "-").encode() for each in (game, other)]
    file.write_bytes(b"\xef\xbb\xbf" + b"".join(records))
    assert "Sound: 7 entries of 2 games." in kifu("verify", file)
    elsewhere("import", "-", stdin=records[1].decode())
    result = elsewhere("import", file)
    assert f"game {game}, 5 entries, 5 new" in result
    assert f"game {other}, 2 entries, all known before" in result
    assert state(elsewhere, game) == state(kifu, game)


def test_names_travel_only_if_they_are_asked_for(kifu, elsewhere, game, tmp_path):
    file = tmp_path / "game.ndjson"
    kifu("export", game, file, "--names")
    elsewhere("import", file)
    assert "Black Anna, White Ben" in elsewhere("show", game)


@pytest.mark.slow
def test_a_game_as_text_is_recorded_anew_once(kifu, elsewhere, game):
    text = kifu("export", game, "--format", "text", "--names")
    assert "ALOA-BARI ! white was quicker" in text
    for new in ("5 new", "all known before"):
        assert new in elsewhere("import", "-", stdin=text)
    assert state(elsewhere, "last")["state"] == state(kifu, game)["state"]


@pytest.mark.slow
def test_a_file_may_hold_many_games_as_text(kifu, tmp_path):
    names = ["points", "draw", "no_bridge"]
    file = tmp_path / "evening.txt"
    file.write_text("\n".join((GOLDEN / f"{name}.txt").read_text(encoding="utf-8") for name in names), encoding="utf-8")
    kifu("import", file)
    kifu("import", file)
    reasons = {listed["reason"] for listed in json.loads(kifu("games", "--json"))["games"]}
    assert reasons == set(names)
    assert len(json.loads(kifu("games", "--json"))["games"]) == 3


@pytest.mark.parametrize("golden", soak_except(sorted(path.stem for path in GOLDEN.glob("*.txt")), *KEPT))
@pytest.mark.slow
def test_every_recorded_game_comes_through_text_and_chain_unchanged(kifu, elsewhere, golden, tmp_path):
    imported = kifu("import", GOLDEN / f"{golden}.txt")
    game = imported.partition("game ")[2][:36]
    kifu("export", game, tmp_path / "game.ndjson", "--names")
    elsewhere("import", tmp_path / "game.ndjson")
    assert state(elsewhere, game) == state(kifu, game)
    assert "Sound: " in elsewhere("verify")
    written = (GOLDEN / f"{golden}.txt").read_text(encoding="utf-8")
    assert moves_in(elsewhere("export", game, "--format", "text")) == moves_in(written)


def test_export_does_not_write_over_a_file_unless_told(kifu, game, tmp_path):
    file = tmp_path / "game.ndjson"
    file.write_text("mine", encoding="utf-8")
    assert "exists already" in kifu.fails("export", game, file)
    assert file.read_text(encoding="utf-8") == "mine"
    kifu("export", game, file, "--force")
    assert "Sound" in kifu("verify", file)


@pytest.mark.parametrize(
    ("name", "begins"),
    [("a.ndjson", "{"), ("a.jsonl", "{"), ("a", "{"), ("a.txt", "["), ("A.TXT", "["), ("evening.of.may.txt", "[")],
)
def test_a_file_is_written_as_its_name_ends(kifu, game, tmp_path, name, begins):
    kifu("export", game, tmp_path / name)
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)


@pytest.mark.parametrize("name", ["x.pgn", "x.ndjson.gz", "x.ndjson "])
def test_a_file_of_an_unknown_kind_is_refused_with_what_there_is(kifu, game, tmp_path, name):
    output = kifu.fails("export", game, tmp_path / name, code=2)
    assert "use .ndjson (ndjson), .jsonl (ndjson), .txt (text), " in output
    assert ".csv (csv), .xlsx (xlsx), .json (bgstats), .xml (bgg), or give a --format." in output
    assert list(tmp_path.glob("x*")) == []
    kifu("export", game, tmp_path / name, "--format", "text")
    assert (tmp_path / name).read_text(encoding="utf-8").startswith("[")


def test_an_import_tells_programs_what_it_took_and_what_not(kifu, elsewhere, game, tmp_path):
    good, bad = tmp_path / "good.ndjson", tmp_path / "bad.ndjson"
    kifu("export", game, good)
    bad.write_text("{", encoding="utf-8")
    result = elsewhere.run("import", good, bad, "--json")
    output = json.loads(result.stdout)
    assert result.exit_code == 1
    assert output["imported"] == [{"file": str(good), "game": game, "version": 5, "new": 5}]
    assert [(failure["file"], bool(failure["why"])) for failure in output["failed"]] == [(str(bad), True)]


def test_an_import_of_a_game_that_went_another_way_names_the_first_other_entry(kifu, elsewhere, game, tmp_path):
    file = tmp_path / "game.ndjson"
    kifu("export", game, file)
    elsewhere("import", file)
    kifu("note", game, "one way")
    elsewhere("note", game, "another way")
    kifu("export", game, file, "--force")
    output = elsewhere.fails("import", file)
    assert f"game {game} differs: from entry 6 on, the file has other entries than this service" in output
    assert "To keep both, import it into another service." in output
    assert "try again" not in output
    said = "記入 6 からは、ファイルの記入がこのサービスのものと異なります"
    assert said in elsewhere.fails("--lang", "ja", "import", file)


def test_an_export_that_fails_leaves_no_file(kifu, game, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    assert "Game not found" in kifu.fails("export", game[:-4] + "0000", folder / "game.ndjson")
    assert "does not exist" in kifu.fails("export", game, folder / "none" / "game.ndjson")
    assert list(folder.iterdir()) == []


def test_an_edited_export_is_refused_by_line_and_nothing_is_stored(kifu, elsewhere, game, tmp_path):
    file = tmp_path / "game.ndjson"
    kifu("export", game, file)
    file.write_text(file.read_text(encoding="utf-8").replace('"DUDA"', '"ELAI"'), encoding="utf-8")
    result = kifu.run("verify", file)
    assert result.exit_code == 1
    assert f"line 3, game {game}, version 2, edited" in result.stdout
    assert "line 3" in elsewhere.fails("import", file)
    assert "No game is recorded." in elsewhere.run("games").stderr


def test_a_bad_file_is_left_out_and_the_others_are_taken(kifu, tmp_path):
    bad = tmp_path / "bad.txt"
    bad.write_text('[Ruleset "kahuna"]\n\ndeal black\nzz\n', encoding="utf-8")
    result = kifu.run("import", bad, GOLDEN / "draw.txt")
    assert result.exit_code == 1
    assert "bad.txt: Invalid import: line 4: " in result.stderr
    assert "draw.txt: game " in result.stdout
    assert len(json.loads(kifu("games", "--json"))["games"]) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "there is no game in it"),
        (b"\x00\xff\xfe", "its encoding is not UTF-8, UTF-16"),
        (b"hello\n", "neither an NDJSON export nor a game as text"),
        (b'{"format":', "Invalid import"),
        (b'{"format":"kifu.game"}\n', "Invalid import"),
        (b'[Ruleset "go"]\n\npass\n', "no ruleset 'go'"),
        (b'[Ruleset "kahuna"]\n[Seats "9"]\n\ndeal black\n', "kahuna is for two players, not 9"),
    ],
)
@pytest.mark.slow
def test_what_is_no_game_is_refused_with_its_reason(kifu, tmp_path, content, message):
    file = tmp_path / "file"
    file.write_bytes(content)
    assert message in kifu.fails("import", file)


def test_a_missing_file_is_a_usage_error(kifu, tmp_path):
    assert "does not exist" in kifu.fails("import", tmp_path / "none", code=2)


def test_the_samples_are_recorded_games_marked_as_samples():
    texts = (path.read_text(encoding="utf-8") for path in GOLDEN.parent.glob("*/*.txt"))
    golden = ["".join(line for line in text.splitlines(True) if not line.startswith("[Score")) for text in texts]
    samples = list(sample_texts())
    assert {line for sample in samples for line in sample.splitlines()[:1]} == {
        f'[Ruleset "{name}"]' for name in RULESETS
    }
    for sample in samples:
        assert '[Title "Sample (invented names): ' in sample
        kept = [line for line in sample.splitlines() if not line.startswith(("[Title", "; A sample"))]
        assert "\n".join(kept) + "\n" in golden


@pytest.mark.slow
def test_several_games_are_exported_by_what_chooses_them(kifu, elsewhere, tmp_path):
    games = [kifu.play("deal black BARI COCO DUDA\nb-d\n"), kifu.play("deal white BARI COCO DUDA\n")]
    for name in ("all.ndjson", "all.txt"):
        kifu("export", tmp_path / name, "--from", "2020-01-01", "--names")
    elsewhere("import", tmp_path / "all.ndjson")
    assert all(state(elsewhere, game) == state(kifu, game) for game in games)
    assert "Sound: 5 entries of 2 games." in kifu("verify", tmp_path / "all.ndjson")
    assert (tmp_path / "all.txt").read_text(encoding="utf-8").count("[Ruleset ") == 2
    kifu("export", tmp_path / "none.ndjson", "--ruleset", "manapani")
    assert (tmp_path / "none.ndjson").read_bytes() == b""
    for name, begins in (("games.csv", b"game,"), ("all.xlsx", b"PK"), ("plays.json", b"{"), ("season.html", b"<!doc")):
        kifu("export", tmp_path / name, "--from", "2020-01-01")
        assert (tmp_path / name).read_bytes().startswith(begins)
    assert kifu("export", "--format", "csv", "--table", "seats", "-").startswith("game,seat")
    assert kifu("export", "--all", "--format", "csv", "--table", "seats", "-").startswith("game,seat")
    for name in ("all.ndjson", "games.csv"):
        kifu("export", "--all", tmp_path / f"2{name}", *["--names"] * name.endswith("ndjson"))
        again, before = ((tmp_path / each).read_bytes().split(b"\n") for each in (f"2{name}", name))
        assert again[1:3] == before[1:3]  # the first line of a record says when it was exported
    public = kifu("export", "-", "--ruleset", "kahuna", "--seat", "public")
    assert public.count('{"format"') == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("last", "x.csv", "--from", "2020-01-01"), "take a FILE and no GAME"),
        (("last", "x.csv", "--names"), "leave out --names and --seat"),
        (("x.html", "--format", "html", "--ruleset", "kahuna"), "html is a format of one game"),
        (("x.csv", "--ruleset", "kahuna", "--names"), "leave out --names and --seat"),
        (("x.pdf", "--ruleset", "kahuna"), ".xlsx (xlsx)"),
        (("--all", "x.zip", "--ruleset", "kahuna"), "but not both"),
        (("last", "x.zip", "--all"), "take a FILE and no GAME"),
        (("--all", "x.zip", "--table", "seats"), "no other option than --force"),
        (("--all", "x.html", "--format", "html"), "html is a format of one game"),
        (("last", "x.txt", "--table", "seats"), "only for CSV"),
        (("x.csv", "--table", "entries"), "x.csv is a file. Name a GAME before it"),
    ],
)
def test_an_export_that_says_two_things_is_refused(kifu, game, words, told):
    assert told in kifu.fails("export", *words, code=2)


@pytest.mark.parametrize("ending", ["csv", "xlsx", "json"])
@pytest.mark.slow
def test_the_tables_of_one_game_are_exported_by_its_name(kifu, game, tmp_path, ending):
    other = kifu.play("deal black BARI COCO DUDA\n")
    file = tmp_path / f"game.{ending}"
    kifu("export", game, file)
    assert file.stat().st_size > 10
    if ending == "csv":
        assert game in file.read_text()
        assert other not in file.read_text()
    kifu("export", game, tmp_path / "entries.txt", "--format", "csv", "--table", "entries")
    assert (tmp_path / "entries.txt").read_text().startswith("game,entry,place,type")
    printed = kifu("export", "--format", "csv", game)  # an only name without an ending is that of a game
    assert game in printed
    assert other not in printed
