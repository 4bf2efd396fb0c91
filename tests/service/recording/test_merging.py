"""One person who was entered twice: merged, seen everywhere as one, and split again."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from games.contract import Viewpoint
from projections.rebuild import rebuild
from service.access.reading import open_reader
from service.live.rights import Rights
from service.server.orders import Subscription
from service.webhooks.visibility import Visibility
from tests.choosing import soak_except
from tests.service.entries import entry, send

if TYPE_CHECKING:
    from werkzeug.test import TestResponse

    from tests.service.conftest import Api, Guest


def named(api: Api, name: str) -> str:
    """A person of that name."""
    person = str(uuid7())
    assert api.request("PUT", f"/v1/players/{person}", json={"name": name}).status_code == 200
    return person


def merge(api: Api, person: str, into: str) -> TestResponse:
    return api.request("PUT", f"/v1/players/{person}/merge", json={"into": into})


def split(api: Api, person: str) -> TestResponse:
    return api.request("DELETE", f"/v1/players/{person}/merge")


def merged(api: Api, person: str, into: str) -> None:
    answer = merge(api, person, into)
    assert answer.status_code == 200, answer.text


def played(api: Api, seats: list[dict[str, str]]) -> str:
    """A game of these people, with its first deal."""
    game = api.open(seats=seats)
    api.record(game, "deal black")
    api.catch_up()
    return game


def seats(api: Api, game: str) -> list[tuple[str | None, str | None]]:
    return [(seat["player"], seat["name"]) for seat in api.get(f"/v1/games/{game}").get_json()["seats"]]


def kind(answer: TestResponse) -> str:
    return str(answer.get_json()["type"]).rpartition("/")[2]


def listed(api: Api, query: str = "") -> set[str]:
    return {game["game"] for game in api.get(f"/v1/games?q={query}").get_json()["games"]}


def everything(api: Api, *games: str) -> list[Any]:
    """All that people are shown in."""
    api.catch_up()
    pages = ("/v1/players", "/v1/games", "/v1/roles", "/v1/merges", "/v1/tokens?everybody=true")
    of_games = [f"/v1/games/{game}{part}" for game in games for part in ("", "/timeline", "/export", "/roles")]
    found = [api.get(path).get_data() for path in (*pages, *of_games)]
    lines = [line for page in found for line in page.splitlines() if b"exported_at" not in line]
    return [re.sub(rb'"used_on":[^,]*', b"", line) for line in lines]  # which is another day after midnight


def test_a_merged_person_reads_as_the_kept_one_everywhere(api: Api) -> None:
    one, kept = named(api, "Aiko K."), named(api, "Aiko")
    first, second = api.open(seats=[{}, {}]), api.open(seats=[{}, {"player": kept}])
    assert send(api, first, entry("seat.changed", seat=0, name="Aiko K.")).status_code == 201
    merged(api, one, kept)
    api.catch_up()
    assert seats(api, first)[0] == seats(api, second)[1] == (kept, "Aiko")
    assert api.get("/v1/players").get_json()["players"] == [{"id": kept, "name": "Aiko"}]
    assert api.get("/v1/players?q=k.").get_json()["players"] == [{"id": kept, "name": "Aiko"}]
    assert listed(api, "aiko") == listed(api, "k.") == {first, second}
    assert {game["seats"][0]["player"] for game in api.get("/v1/games").get_json()["games"]} == {kept, None}
    assert api.get(f"/v1/games/{first}/timeline").get_json()["people"][one] == "Aiko"
    for asked in (one, kept):
        answer = api.get(f"/v1/players/{asked}").get_json()
        assert (answer["id"], answer["name"]) == (kept, "Aiko")
        assert [(each["player"], each["name"], each["into"]) for each in answer["merged"]] == [(one, "Aiko K.", kept)]
    (answer,) = api.get("/v1/merges").get_json()["merges"]
    assert (answer["player"], answer["into"]) == (one, kept)


def test_after_a_split_everything_is_as_it_was(api: Api) -> None:
    one, kept = named(api, "Aiko K."), named(api, "Aiko")
    first, second = api.open(seats=[{"player": one}, {}]), api.open(seats=[{}, {"player": kept}])
    guest = api.let_in("recorder", person=one)
    api.let_in(person=kept)
    before = everything(api, first, second)
    assert [line for line in everything(api, first, second) if line not in before] == []
    merged(api, one, kept)
    assert everything(api, first, second) != before
    assert split(api, one).status_code == 204
    assert everything(api, first, second) == before
    assert guest.get("/v1/token").get_json()["token"]["person"] == one


def test_an_export_keeps_the_ids_the_names_and_the_hashes_that_were_recorded(api: Api) -> None:
    one, kept = named(api, "Aiko K."), named(api, "Aiko")
    game = api.open(seats=[{"player": one}, {"player": kept}])

    def exported() -> list[bytes]:
        answer = api.get(f"/v1/games/{game}/export?names=true")
        header, *lines = answer.get_data().splitlines()
        return [part for part in header.split(b",") if b"exported_at" not in part] + lines

    before = exported()
    assert any(b"Aiko K." in part for part in before)
    merged(api, one, kept)
    assert exported() == before


def test_a_phone_of_one_sees_and_plays_the_seats_of_both(api: Api) -> None:
    one, kept = named(api, "Aiko K."), named(api, "Aiko")
    old, new = played(api, [{"player": one}, {}]), played(api, [{"player": kept}, {}])
    phones = {person: api.let_in(person=person) for person in (one, kept)}
    api.catch_up()
    assert (listed(phones[one]), listed(phones[kept])) == ({old}, {new})
    merged(api, one, kept)
    for phone in phones.values():
        assert listed(phone) == {old, new}
        for game in (old, new):
            assert phone.get(f"/v1/games/{game}/state").status_code == 200
            assert send(phone, game, entry("note.added", text="It is me.")).status_code == 201
            assert phone.get(f"/v1/games/{game}/export").status_code == 200
            assert phone.get(f"/v1/games/{game}/state?seat=1").status_code == 403
    assert split(api, one).status_code == 204
    assert (listed(phones[one]), listed(phones[kept])) == ({old}, {new})
    assert phones[one].get(f"/v1/games/{new}").status_code == 404


def test_a_merged_person_takes_back_what_they_recorded_under_another_id(api: Api) -> None:
    one, kept = named(api, "Aiko K."), named(api, "Aiko")
    game = played(api, [{"player": kept}, {}])
    phones = [api.let_in(person=person) for person in (one, kept)]
    merged(api, one, kept)
    api.catch_up()
    answer = send(phones[0], game, entry("note.added", text="Oh."))
    assert answer.status_code == 201
    (recorded,) = api.get(f"/v1/games/{game}/events?after={answer.get_json()['version'] - 1}").get_json()["events"]
    assert recorded["recorder"] == one, "the log has the id of the phone's"
    taken = send(phones[1], game, entry("entry.withdrawn", entry=answer.get_json()["version"]))
    assert taken.status_code == 201, taken.text


def test_a_merged_person_has_the_roles_and_the_devices_of_both(api: Api) -> None:
    one, kept = named(api, "Aiko K."), named(api, "Aiko")
    game = api.open()
    phone, other = api.let_in("viewer", person=one), api.let_in(person=kept, games={game: "referee"})
    merged(api, one, kept)
    api.catch_up()
    assert phone.get(f"/v1/games/{game}/events").status_code == 200, "a referee of the game sees all of it"
    assert other.get("/v1/games").get_json()["games"]
    assert {each["person"] for each in phone.get("/v1/tokens").get_json()["tokens"]} == {one, kept}
    assert split(api, one).status_code == 204
    assert phone.get(f"/v1/games/{game}/events").status_code == 403


def test_a_guest_who_was_let_into_a_seat_becomes_a_person(api: Api) -> None:
    game, kept = api.play(), named(api, "Aiko")
    guest = api.let_in(games={game: 0})
    phone = api.let_in(person=kept)
    assert phone.get(f"/v1/games/{game}").status_code == 404
    merged(api, guest.person, kept)
    assert phone.get(f"/v1/games/{game}/state?seat=0").status_code == 200
    assert guest.get(f"/v1/games/{game}/state?seat=0").status_code == 200
    answer = api.get(f"/v1/players/{guest.person}").get_json()
    assert (answer["name"], answer["merged"][0]["name"]) == ("Aiko", None)


def test_the_owner_can_be_told_apart_from_nobody_but_himself(api: Api) -> None:
    owner, one = api.access.owner, named(api, "Aiko")
    game = played(api, [{"player": one}, {}])
    assert kind(merge(api, owner, one)) == "owner-stays"
    merged(api, one, owner)
    phone = api.let_in(person=one)
    assert phone.get("/v1/roles").status_code == 200, "who is the owner may do what the owner may"
    assert seats(api, game)[0][0] == owner
    assert split(api, one).status_code == 204
    assert phone.get("/v1/roles").status_code == 403


@pytest.fixture
def scribe(api: Api) -> Guest:
    """A program that names people, and may do nothing else."""
    made = api.post("/v1/tokens", {"name": "Names", "scopes": ["people:read", "people:write"], "days": 1})
    found = api.let_in()
    found.token = made.get_json()["token"]
    return found


def test_nobody_gains_a_role_by_a_merge_who_could_not_be_given_it(api: Api, scribe: Guest) -> None:
    one, kept, other = named(api, "Aiko K."), named(api, "Aiko"), named(api, "Jonas")
    assert merge(scribe, one, kept).status_code == 200
    assert split(scribe, one).status_code == 204
    api.let_in("recorder", person=other)
    for person, into in ((one, other), (other, one), (one, api.access.owner)):
        answer = merge(scribe, person, into)
        assert (answer.status_code, answer.get_json()["scope"]) == (403, "admin")
    merged(api, one, other)
    assert split(scribe, one).get_json()["scope"] == "admin"


@pytest.mark.parametrize("role", ["viewer", "recorder", "referee"])
def test_a_seat_is_not_gained_by_merging_without_the_scope(api: Api, role: str) -> None:
    one = named(api, "Aiko")
    game = played(api, [{"player": one}, {}])
    guest = api.let_in(role)
    for answer in (merge(guest, guest.person, one), merge(guest, one, guest.person), split(guest, one)):
        assert (answer.status_code, answer.get_json()["scope"]) == (403, "people:write")
    assert api.get("/v1/merges").get_json()["merges"] == []
    assert seats(api, game)[0][0] == one


def test_what_cannot_be_merged_is_told_and_changes_nothing(api: Api) -> None:
    one, kept, other, gone = (named(api, name) for name in ("Aiko K.", "Aiko", "Jonas", "Ben"))
    api.open(seats=[{"player": gone}, {}])
    api.catch_up()
    api.request("DELETE", f"/v1/players/{gone}")
    merged(api, one, kept)
    before = api.get("/v1/merges").get_data()
    for person, into, status, what in (
        (one, one, 400, "bad-request"),
        (one, "Aiko", 400, "bad-request"),
        ("Aiko", one, 400, "bad-request"),
        (str(uuid7()), one, 404, "player-unknown"),
        (other, str(uuid7()), 404, "player-unknown"),
        (kept, one, 409, "not-mergeable"),
        (one, other, 409, "not-mergeable"),
        (gone, other, 409, "not-mergeable"),
        (other, gone, 409, "not-mergeable"),
    ):
        answer = merge(api, person, into)
        assert (answer.status_code, kind(answer)) == (status, what), (person, into)
    assert merge(api, one, kept).status_code == 200, "said again, it is so already"
    assert (split(api, kept).status_code, kind(split(api, kept))) == (404, "merge-unknown")
    assert api.get(f"/v1/players/{uuid7()}").status_code == 404
    assert api.get("/v1/merges").get_data() == before


def test_merging_into_somebody_who_was_merged_leads_on_to_the_one_who_is_kept(api: Api) -> None:
    one, two, three = (named(api, name) for name in ("A", "B", "C"))
    merged(api, two, three)
    assert merge(api, one, two).get_json()["id"] == three
    assert split(api, two).status_code == 204
    assert api.get(f"/v1/players/{one}").get_json()["id"] == two


def test_naming_a_merged_person_names_the_kept_one(api: Api) -> None:
    one, kept = named(api, "Aiko K."), named(api, "Aiko")
    merged(api, one, kept)
    answer = api.request("PUT", f"/v1/players/{one}", json={"name": "Aiko Kimura"})
    assert answer.get_json() == {"id": kept, "name": "Aiko Kimura"}
    split(api, one)
    names = {player["id"]: player["name"] for player in api.get("/v1/players").get_json()["players"]}
    assert names == {one: "Aiko K.", kept: "Aiko Kimura"}


def test_erasing_a_person_erases_all_their_names_and_ends_all_their_devices(api: Api) -> None:
    one, kept = named(api, "Aiko K."), named(api, "Aiko")
    game = api.open(seats=[{"player": one}, {}])
    phones = [api.let_in(person=person) for person in (one, kept)]
    merged(api, one, kept)
    api.catch_up()
    assert api.request("DELETE", f"/v1/players/{one}").status_code == 204
    assert seats(api, game)[0] == (kept, None)
    assert api.get("/v1/players").get_json()["players"] == []
    assert [phone.get("/v1/token").status_code for phone in phones] == [401, 401]
    erased = [step["person"] for step in api.get("/v1/trail").get_json()["steps"] if step["what"] == "person.erased"]
    assert sorted(erased) == sorted([one, kept])


def test_the_trail_tells_who_merged_and_split(api: Api) -> None:
    one, kept = named(api, "Aiko K."), named(api, "Aiko")
    merged(api, one, kept)
    merged(api, one, kept)
    split(api, one)
    steps = api.get("/v1/trail?order=newest").get_json()["steps"][:2]
    assert [(step["what"], step["person"], step["by"]) for step in steps] == [
        ("person.split", one, api.access.owner),
        ("person.merged", one, api.access.owner),
    ]
    assert (steps[0]["more"], steps[1]["more"]) == ({"of": kept}, {"into": kept})


def test_the_read_models_are_the_same_when_they_are_made_anew(api: Api) -> None:
    one, kept = named(api, "Aiko K."), named(api, "Aiko")
    first, second = played(api, [{"player": one}, {}]), played(api, [{}, {"player": kept}])
    phone = api.let_in(person=one)
    merged(api, one, kept)
    api.catch_up()
    before = listed(phone), listed(api, "aiko"), everything(api, first, second)
    archive = api.app.context.archive
    assert rebuild(archive.log, archive.views).drifted == []
    assert (listed(phone), listed(api, "aiko"), everything(api, first, second)) == before


def test_streams_show_a_game_to_a_merged_sitter_until_the_split(api: Api) -> None:
    one, kept = named(api, "Aiko K."), named(api, "Aiko")
    game, phone = played(api, [{"player": one}, {}]), api.let_in(person=kept)
    context = api.app.context
    store = open_reader(context.settings.data, context.settings.database_url)
    rights = Rights(store, context.archive.folds, context.archive.log.people.merges)
    ask = Subscription(game, credential=phone.get("/v1/token").get_json()["token"]["id"])

    def viewpoint() -> Viewpoint | None:
        rights.renew()
        return rights.viewpoint(ask, game)

    try:
        assert viewpoint() is None
        merged(api, one, kept)
        assert viewpoint() == Viewpoint("seat", 0)
        split(api, one)
        assert viewpoint() is None
    finally:
        store.close()


def test_endpoints_are_told_of_games_of_a_person_by_any_of_their_ids(api: Api) -> None:
    one, kept = named(api, "Aiko K."), named(api, "Aiko")
    game = played(api, [{"player": one}, {}])
    sight = Visibility(api.app.context.archive)
    assert sight.facts_of(game).people == {one}
    merged(api, one, kept)
    assert sight.facts_of(game).people == {one, kept}
    sight.close()


def test_a_sitter_is_invited_by_any_of_their_ids_and_by_nobody_elses(api: Api) -> None:
    one, kept, other = (named(api, name) for name in ("Aiko K.", "Aiko", "Jonas"))
    game = played(api, [{"player": one}, {}])
    host = api.let_in(games={game: "owner"})
    merged(api, one, kept)
    for person, status in ((one, 201), (kept, 201), (other, 403)):
        answer = host.post(f"/v1/games/{game}/invitations", {"seat": 0, "player": person})
        assert answer.status_code == status
        if status == 201:
            assert answer.get_json()["info"]["player"] == one, "who sits there keeps it when they are split"


def test_who_recorded_is_named_to_the_table_if_they_sit_there_under_another_id(api: Api) -> None:
    one, kept = named(api, "Aiko K."), named(api, "Aiko")
    game = played(api, [{"player": kept}, {}])
    phone = api.let_in(person=one)
    merged(api, one, kept)
    api.catch_up()
    assert send(phone, game, entry("note.added", text="Hello.")).status_code == 201
    api.show(game)
    stranger = api.let_in()
    assert stranger.get(f"/v1/games/{game}/timeline").get_json()["people"] == {one: "Aiko", kept: "Aiko"}
    split(api, one)
    assert stranger.get(f"/v1/games/{game}/timeline").get_json()["people"] == {kept: "Aiko"}, "who sat down at first"


def test_an_old_file_brings_no_name_back_for_an_id_of_an_erased_person(api: Api) -> None:
    one, kept = named(api, "Aiko K."), named(api, "Aiko")
    game = played(api, [{"player": one}, {}])
    file = api.get(f"/v1/games/{game}/export?names=true").get_data()
    merged(api, one, kept)
    api.request("DELETE", f"/v1/players/{kept}")
    split(api, one)
    answer = api.request("POST", "/v1/imports", data=file, content_type="application/x-ndjson")
    assert (answer.status_code, kind(answer)) == (409, "names-erased"), answer.text


@pytest.mark.parametrize("seed", soak_except(range(3), 0))
@pytest.mark.slow
def test_after_any_merges_and_splits_everybody_has_the_games_of_all_their_ids(api: Api, seed: int) -> None:
    chance, people = random.Random(seed), [named(api, name) for name in "ABCD"]
    games = {person: played(api, [{"player": person}, {}]) for person in people}
    phones = {person: api.let_in(person=person) for person in people}
    parent: dict[str, str] = {}

    def end(person: str) -> str:
        return end(parent[person]) if person in parent else person

    for _ in range(12):
        one, other = chance.sample(people, 2)
        if one in parent and chance.random() < 0.7:
            assert split(api, one).status_code == 204
            del parent[one]
        elif one in parent or end(other) == one:
            assert merge(api, one, other).status_code == (200 if parent.get(one) == other else 409)
        else:
            merged(api, one, other)
            parent[one] = other
        for person, phone in phones.items():
            same = {each for each in people if end(each) == end(person)}
            assert listed(phone) == {games[each] for each in same}
            opened = {each for each in people if phone.get(f"/v1/games/{games[each]}/state?seat=0").status_code == 200}
            assert opened == same


def test_a_seat_that_was_opened_without_a_name_becomes_a_persons_even_when_the_game_is_over(api: Api) -> None:
    kept = named(api, "Aiko")
    game = played(api, [{}, {"name": "Jonas"}])
    phone = api.let_in(person=kept)
    for closing in (entry("game.closed", how="abandoned"), entry("game.reopened", reason="Who was that?")):
        assert send(api, game, closing).status_code == 201
    assert send(api, game, entry("seat.changed", seat=0, player=kept)).status_code == 201
    api.catch_up()
    assert seats(api, game)[0] == (kept, "Aiko")
    assert listed(phone) == listed(api, "aiko") == {game}


# Proposals and previews


def proposed(api: Api) -> list[tuple[str, str, str]]:
    answer = api.get("/v1/merges/proposals")
    assert answer.status_code == 200, answer.text
    return [(each["name"], each["into_name"], each["why"]) for each in answer.get_json()["proposals"]]


def finished(api: Api, *people: str, scores: str = "3 1", day: str = "2026-05-01", shown: bool = True) -> str:
    seats = [{"player": person} for person in people]
    more = {"happened_at": f"{day}T20:00:00+02:00", "options": {"template": "rounds"}}
    game = api.open(ruleset="scoresheet", seats=seats, **more)
    answer = api.record(game, f"r1 {scores}", "end")
    assert answer.status_code == 201, answer.text
    if shown:
        api.show(game)
    api.catch_up()
    return game


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("Aiko", "AIKO", "same-name"),
        ("José", "Jose\u0301", "same-name"),
        ("Ａｉｋｏ", "Aiko", "same-name"),
        ("Anna Lena", "AnnaLena", "spelling"),
        ("Anna-Lena", "anna lena", "spelling"),
        ("José", "Jose", "spelling"),
        ("Kimura Aiko", "Aiko Kimura", "spelling"),
        ("あいこ", "アイコ", "spelling"),
        ("Aiko", "Akiko", None),
        ("Tom", "Tomas", None),
        ("か", "が", None),
    ],
)
def test_names_that_are_alike_are_proposed(api: Api, one: str, other: str, why: str | None) -> None:
    for name in (one, other):
        named(api, name)
    found = proposed(api)
    assert [each for *_, each in found] == ([why] if why else [])


def test_two_people_who_sat_at_one_table_are_two_and_so_are_those_who_were_split(api: Api) -> None:
    one, other, third, fourth = (named(api, name) for name in ("Aiko", "AIKO", "Ben", "ben"))
    assert len(proposed(api)) == 2
    finished(api, one, other)
    assert [name for name, *_ in proposed(api)] == ["ben"]
    merged(api, third, fourth)
    assert proposed(api) == []
    assert split(api, third).status_code == 204
    assert proposed(api) == []


def test_plays_that_are_there_twice_propose_the_people_in_whom_they_differ(api: Api) -> None:
    ada, bob, robert = (named(api, name) for name in ("Ada", "Bob", "Robert"))
    for day, scores in (("2026-05-01", "3 1"), ("2026-05-02", "2 8")):
        finished(api, ada, bob, scores=scores, day=day)
        assert proposed(api) == []
        finished(api, ada, robert, scores=scores, day=day)
    finished(api, ada, robert, scores="4 4", day="2026-05-03")
    assert proposed(api) == [("Bob", "Robert", "same-plays")], "who played more is kept"


def test_a_preview_shows_what_statistics_become(api: Api) -> None:
    ada, twice, bob = (named(api, name) for name in ("Ada", "ADA", "Bob"))
    for number in range(3):
        finished(api, ada, bob, day=f"2026-05-0{number + 1}")
        finished(api, bob, twice, day=f"2026-06-0{number + 1}")
    before = [api.get(f"/v1/merges{part}").data for part in ("", "/proposals")]
    found = api.get(f"/v1/players/{twice}/merge?into={ada}").get_json()
    assert [(each["n"], each["wins"], each["rating"]) for each in found["before"]] == [(3, 0, None), (3, 3, None)]
    assert (found["after"]["n"], found["after"]["wins"], found["after"]["by_chance"]) == (6, 3, 3.0)
    assert (found["together"], found["names"]) == (0, {ada: "Ada", twice: "ADA"})
    assert [api.get(f"/v1/merges{part}").data for part in ("", "/proposals")] == before, "nothing is stored"
    merged(api, twice, ada)
    statistics = api.get(f"/v1/players/{ada}/statistics").get_json()
    assert (statistics["figures"]["n"], statistics["figures"]["share"]["wins"]) == (6, 3)
    assert statistics["rating"]["points"] == found["after"]["rating"], "the rating follows"
    assert api.get(f"/v1/statistics?player={twice}&with={bob}").get_json()["n"] == 6
    assert split(api, twice).status_code == 204
    assert api.get(f"/v1/players/{ada}/statistics").get_json()["figures"]["n"] == 3


def test_proposals_and_previews_count_only_what_their_reader_may_see(api: Api) -> None:
    one, other, bob = (named(api, name) for name in ("Aiko", "AIKO", "Bob"))
    made = api.post("/v1/tokens", {"name": "Names", "scopes": ["people:read", "people:write", "hidden:read"]})
    names = api.let_in()
    names.token = made.get_json()["token"]
    finished(api, one, bob)
    told = names.get("/v1/merges/proposals").data, names.get(f"/v1/players/{other}/merge?into={one}").data
    finished(api, one, other, shown=False)
    assert (names.get("/v1/merges/proposals").data, names.get(f"/v1/players/{other}/merge?into={one}").data) == told
    assert api.get(f"/v1/players/{other}/merge?into={one}").get_json()["together"] == 1


def test_a_preview_is_refused_where_the_merge_would_be_and_widens_nothing(api: Api, scribe: Guest) -> None:
    one, other, gone = (named(api, name) for name in ("Aiko", "AIKO", "Ben"))
    api.open(seats=[{"player": gone}, {}])
    api.request("DELETE", f"/v1/players/{gone}")
    api.let_in("recorder", person=one)
    api.catch_up()
    owner, nobody = api.access.owner, str(uuid7())
    pairs = [
        (other, one),
        (one, other),
        (one, one),
        (owner, one),
        (nobody, one),
        (one, nobody),
        (gone, one),
        (one, "x"),
    ]
    for asker in (api, scribe, api.let_in("viewer"), api.let_in("recorder")):
        for person, into in pairs:
            told = asker.get(f"/v1/players/{person}/merge?into={into}")
            done = merge(asker, person, into)
            if done.status_code == 200:
                assert told.status_code == 200
                assert split(asker, person).status_code == 204
            else:
                assert (told.status_code, kind(told)) == (done.status_code, kind(done)), (person, into)
    shares = set(api.get(f"/v1/players/{other}/merge?into={one}").get_json()["shares"])
    assert {"games:record", "hidden:read"} <= shares
    for path in ("/v1/merges/proposals", "/people/merges"):
        assert api.let_in("viewer").get(path).status_code == 403


def test_the_page_merges_and_splits(api: Api) -> None:
    one, other = named(api, "Aiko"), named(api, "AIKO")
    page = api.get("/people/merges").text
    (into,) = {one, other} - {api.get("/v1/merges/proposals").get_json()["proposals"][0]["player"]}
    (person,) = {one, other} - {into}
    assert f"/people/{person}/merge/{into}" in page
    assert page.count("<small>0 games</small>") == 2, "how often each played"
    assert api.get(f"/people/{person}/merge/{into}").status_code == 200
    assert api.post("/people/merges", data={"player": person, "into": into}).status_code == 303
    assert api.get("/v1/merges").get_json()["merges"][0]["player"] == person
    assert "Split off again" in api.get("/people/merges").text
    assert api.post("/people/merges", data={"player": person}).status_code == 303
    assert api.get("/v1/merges").get_json()["merges"] == []
    assert api.post("/people/merges", data={"player": "x", "into": into}).status_code in {400, 404}
    assert api.post("/people/merges", data={}).status_code == 400
