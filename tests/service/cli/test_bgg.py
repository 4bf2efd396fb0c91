"""Plays that `kifu import-plays --bgg` fetches from BoardGameGeek, here a server on the loopback."""

from __future__ import annotations

import json
import signal
import time
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from service.exchange.incoming import bgg_api
from service.exchange.incoming.bgg_api import BggApi, BggError, Wanted
from service.settings import Settings
from tests.service.geek import TOKEN, UNKNOWN, Geek, play
from tests.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from http.server import BaseHTTPRequestHandler

    from .conftest import Kifu


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bgg_api, "PAUSE", 0.01)


@pytest.fixture
def geek() -> Iterator[Geek]:
    """BoardGameGeek with seven plays, three a page."""
    found = Geek(7, size=3)
    yield found
    found.close()


def api_of(geek: Geek, patience: float = 20.0) -> BggApi:
    settings = Settings(bgg_url=geek.url, bgg_token=TOKEN)
    return BggApi(settings, [].append, patience)


def test_plays_are_fetched_page_by_page_and_a_second_time_double_nothing(kifu: Kifu, geek: Geek) -> None:
    tried = kifu.run("import-plays", "--bgg", "ada", "--dry-run", **geek.environment)
    assert tried.stdout.count("Ada: new here") == 1, "each person is told once, not once a page"
    assert "It would be 7 new, 0 changed, 0 as before, 0 refused." in tried.stdout
    assert "Wingspan" not in kifu("games")
    done = kifu.run("import-plays", "--bgg", "ada", **geek.environment)
    assert (done.exit_code, done.stdout) == (0, "7 new, 0 changed, 0 as before, 0 refused.\n")
    assert done.stderr.splitlines() == ["3 of 7 plays read", "6 of 7 plays read", "7 of 7 plays read"]
    assert [query["page"] for query in geek.asked] == ["1", "2", "3"] * 2
    geek.plays[4] = play(5, score=90)
    assert "0 new, 1 changed, 6 as before" in kifu("import-plays", "--bgg", "ada", **geek.environment)


def test_plays_of_the_file_and_of_the_server_are_the_same(kifu: Kifu, geek: Geek) -> None:
    _, _, content = geek.page({"username": "ada", "page": "1"})
    assert "3 new" in kifu("import-plays", "-", stdin=content)
    assert "4 new, 0 changed, 3 as before" in kifu("import-plays", "--bgg", "ada", **geek.environment)


def test_days_are_sent_along(kifu: Kifu, geek: Geek) -> None:
    kifu("import-plays", "--bgg", "ada", "--from", "2024-01-01", "--to", "2024-02-29", "--dry-run", **geek.environment)
    assert geek.asked[0] == {"username": "ada", "mindate": "2024-01-01", "maxdate": "2024-02-29", "page": "1"}
    assert len(geek.asked) == 3


def test_a_play_that_cannot_be_taken_stops_no_other_one(kifu: Kifu, geek: Geek) -> None:
    geek.plays[0] = geek.plays[0].replace('incomplete="0"', 'incomplete="1"')
    done = kifu.run("import-plays", "--bgg", "ada", "--json", **geek.environment)
    assert done.exit_code == 1
    answers = json.loads(done.stdout)
    assert [item["what"] for answer in answers for item in answer["items"]] == ["refused"] + 6 * ["new"]


def test_a_busy_server_is_asked_again_as_late_as_it_wants(kifu: Kifu, geek: Geek) -> None:
    geek.instead = [(202, {}, b"<message/>"), (429, {"Retry-After": "1"}, b""), (503, {}, b"")]
    began = time.monotonic()
    done = kifu.run("import-plays", "--bgg", "ada", **geek.environment)
    assert time.monotonic() - began >= 1
    assert "7 new" in done.stdout
    assert "BoardGameGeek has no answer yet (429). Trying again in 1 s …" in done.stderr
    assert [query["page"] for query in geek.asked] == ["1"] * 4 + ["2", "3"]


def test_a_server_that_wants_too_much_time_is_left_alone(kifu: Kifu, geek: Geek) -> None:
    geek.instead = [(429, {"Retry-After": "86400"}, b"")]
    said = kifu.fails("import-plays", "--bgg", "ada", **geek.environment)
    assert "BoardGameGeek asks to wait 86400 seconds (429)" in said
    assert len(geek.asked) == 1
    geek.instead = [(202, {}, b"")] * 200
    with pytest.raises(BggError, match=r"no answer yet \(202\)"):
        list(api_of(geek, patience=0.3).pages(Wanted("ada")))


def drip(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    for _ in range(200):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.05)


def break_off(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()


def speak_nonsense(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"\x00\x01nonsense\r\n\r\n")


def send_too_much(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    for _ in range(400):
        handler.wfile.write(b"<a/>" * 16384)


def test_a_page_that_comes_too_slowly_is_given_up(geek: Geek) -> None:
    geek.instead = [drip]
    began = time.monotonic()
    with pytest.raises(BggError, match="it took too long"):
        list(api_of(geek, patience=0.3).pages(Wanted("ada")))
    assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ((401, {}, b""), "does not accept the token (401)"),
        ((403, {}, b""), "does not let this token read plays (403)"),
        ((404, {}, b""), "answers with status 404"),
        ((301, {"Location": "http://127.0.0.1:9/"}, b""), "answers with status 301"),
        ((200, {}, UNKNOWN), "does not know this user"),
        ((200, {}, b"<html><body>Sorry</body></html>"), "answer holds no plays"),
        ((200, {}, b"nonsense"), "it is not XML"),
        ((200, {}, b""), "it is not XML"),
        ((200, {}, b'<!DOCTYPE a [<!ENTITY b "c">]><plays>&b;</plays>'), "XML with a document type or entities"),
        (break_off, "no answer from BoardGameGeek"),
        (speak_nonsense, "no answer from BoardGameGeek"),
        (send_too_much, "a page of BoardGameGeek has more than 16 MB"),
    ],
)
def test_an_answer_without_plays_is_explained(
    kifu: Kifu, geek: Geek, answer: tuple[int, dict[str, str], bytes] | Callable[[object], None], why: str
) -> None:
    geek.instead = [answer]
    said = kifu.fails("import-plays", "--bgg", "ada", **geek.environment)
    assert why in said
    assert TOKEN not in said
    assert "Wingspan" not in kifu("games")


def test_what_came_before_an_error_stays_and_is_told(kifu: Kifu, geek: Geek) -> None:
    geek.instead = [geek.page({"username": "ada", "page": "1"}), (403, {}, b"")]
    done = kifu.run("import-plays", "--bgg", "ada", **geek.environment)
    assert done.exit_code == 1
    assert "3 new" in done.stdout
    assert "(403)" in done.stderr
    assert "4 new, 0 changed, 3 as before" in kifu("import-plays", "--bgg", "ada", **geek.environment)


@pytest.mark.programs
def test_a_command_that_is_interrupted_says_what_it_has_taken_in(kifu: Kifu, geek: Geek) -> None:
    geek.instead = [geek.page({"username": "ada", "page": "1"}), (429, {"Retry-After": "100"}, b"")]
    program = kifu.program("import-plays", "--bgg", "ada", env=geek.environment)
    assert program.stderr
    while "Trying again in 100 s" not in (line := program.stderr.readline()):
        assert line, "it ended before it had to wait"
    program.send_signal(signal.SIGINT)
    printed, _ = program.communicate(timeout=PATIENCE)
    assert program.returncode == 1
    assert "3 new, 0 changed, 0 as before, 0 refused." in printed


def test_a_server_that_sends_one_page_for_ever_is_left(kifu: Kifu, geek: Geek) -> None:
    page = geek.page({"username": "ada", "page": "1"})
    geek.instead = [page] * 50
    assert "the same page again" in kifu.fails("import-plays", "--bgg", "ada", **geek.environment)
    assert len(geek.asked) == 2


def test_a_total_that_is_wrong_or_missing_ends_at_the_empty_page(kifu: Kifu, geek: Geek) -> None:
    pages = [geek.page({"username": "ada", "page": str(number)}) for number in (1, 2, 3, 4)]
    totals = [b'total="99"', b"", b'total="many"', b""]
    geek.instead = [
        (200, {}, content.replace(b'total="7"', total)) for (_, _, content), total in zip(pages, totals, strict=True)
    ]
    done = kifu.run("import-plays", "--bgg", "ada", **geek.environment)
    assert "7 new" in done.stdout
    assert done.stderr.splitlines() == ["3 of 99 plays read", "6 plays read", "7 plays read"]
    assert len(geek.asked) == 4


def test_a_user_without_plays_has_none(kifu: Kifu, geek: Geek) -> None:
    geek.plays = []
    assert "0 new" in kifu("import-plays", "--bgg", "ada", **geek.environment)
    assert "does not know this user" in kifu.fails("import-plays", "--bgg", "nobody & page=2", **geek.environment)
    assert geek.asked[-1]["username"] == "nobody & page=2"


def test_without_a_token_it_says_how_to_get_one(kifu: Kifu, geek: Geek) -> None:
    for token in ("", "  \n"):
        said = kifu.fails("import-plays", "--bgg", "ada", KIFU_BGG_URL=geek.url, KIFU_BGG_TOKEN=token)
        assert "there is no token for BoardGameGeek" in said
        assert "using_the_xml_api, and give it in the environment as KIFU_BGG_TOKEN" in said
    wrong = kifu.fails("import-plays", "--bgg", "ada", KIFU_BGG_URL=geek.url, KIFU_BGG_TOKEN="wrong")
    assert "does not accept the token (401)" in wrong
    for token in ("secret\nX: y", "sécret", "秘密"):
        said = kifu.fails("import-plays", "--bgg", "ada", KIFU_BGG_URL=geek.url, KIFU_BGG_TOKEN=token)
        assert "KIFU_BGG_TOKEN holds characters that no token has" in said
        assert token not in said
    assert geek.asked == []


@pytest.mark.parametrize(
    "url",
    ["http://example.com/xmlapi2", "ftp://127.0.0.1/", "nonsense", "", "https://ada:secret@example.com", "https://"],
)
def test_the_token_goes_over_https_or_stays_on_this_machine(kifu: Kifu, url: str) -> None:
    said = kifu.fails("import-plays", "--bgg", "ada", KIFU_BGG_URL=url, KIFU_BGG_TOKEN=TOKEN)
    assert "KIFU_BGG_URL is not an https address" in said
    assert "secret" not in said


def test_without_a_network_it_says_so(kifu: Kifu, geek: Geek) -> None:
    geek.close()
    said = kifu.fails("import-plays", "--bgg", "ada", **geek.environment)
    assert "no answer from BoardGameGeek" in said
    assert "no play is imported twice" in said


def test_one_source_is_named_with_its_own_options(kifu: Kifu, geek: Geek) -> None:
    environment = geek.environment
    one = "Give a FILE, or --bgg with the name of a user."
    assert one in kifu.fails("import-plays", code=2)
    assert one in kifu.fails("import-plays", "-", "--bgg", "ada", code=2, **environment)
    assert one in kifu.fails("import-plays", "--bgg", " ", code=2, **environment)
    assert "A file is imported whole." in kifu.fails("import-plays", "-", "--from", "2024-01-01", code=2)
    assert "only with a FILE" in kifu.fails("import-plays", "--bgg", "ada", "--format", "bgg", code=2, **environment)
    assert "is not a day" in kifu.fails("import-plays", "--bgg", "ada", "--to", "2024-02-30", code=2, **environment)
    turned = ("--from", "2024-02-02", "--to", "2024-02-01")
    assert "--from is after that of --to" in kifu.fails("import-plays", "--bgg", "ada", *turned, code=2, **environment)
    assert geek.asked == []


def test_the_token_is_kept_nowhere(kifu: Kifu, geek: Geek) -> None:
    """Neither in the data folder, nor in an export of everything, nor in any answer."""
    printed = kifu.run("import-plays", "--bgg", "ada", "--json", **geek.environment)
    assert TOKEN not in printed.output
    everything = kifu.data.parent / "everything.zip"
    kifu("export", "--all", everything, **geek.environment)
    kept = [everything, *(path for path in kifu.data.rglob("*") if path.is_file())]
    assert len(kept) > 3
    assert [path for path in kept if TOKEN.encode() in path.read_bytes()] == []


def test_a_long_history_is_held_a_page_at_a_time() -> None:
    geek = Geek(3000)
    geek.plays = [
        text.replace("<players>", f"<comments>{'so close! ' * 200}</comments><players>") for text in geek.plays
    ]
    held: list[int] = []
    try:
        pages = api_of(geek).pages(Wanted("ada"))
        tracemalloc.start()
        for page, _ in pages:
            size = len(page.content)
            held.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
        geek.close()
    assert len(held) == 30
    assert max(held) < 15 * size, "half of the pages"
