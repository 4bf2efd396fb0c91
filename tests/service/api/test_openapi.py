from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
import yaml
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from werkzeug.test import Client

from events.types import END_OF_TEXT
from service.access.needs import OPEN
from service.access.scopes import ROLES, SCOPES
from service.api import examples
from service.api.openapi.document import description
from service.api.openapi.shapes import shorten_example
from service.api.routes import PARTS
from service.app import create_app
from service.problems.kinds import KINDS
from service.settings import Settings
from tests.examples import play, shown, stable_parts
from tests.service.document import specification

if TYPE_CHECKING:
    from collections.abc import Iterator

    import schemathesis

    from service.app import Application

HEADERS = {"webhook-id", "webhook-timestamp", "webhook-signature"}
"""Of the messages that a receiver gets, and not of a request to the service."""

COMMITTED = Path(__file__).parents[3] / "openapi.yaml"


@pytest.mark.slow
def test_the_committed_description_is_that_of_the_code() -> None:
    assert COMMITTED.read_text(encoding="utf-8") == description(), "run `make openapi`"


def test_every_route_of_the_api_is_described(app: Application) -> None:
    described = {(endpoint.method, endpoint.path) for part in PARTS for endpoint in part.described}
    served = {
        (method, rule.rule)
        for rule in app.site.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith(("/v1", "/metrics", "/.well-known"))
    }
    assert served == described


@pytest.mark.slow
def test_every_endpoint_says_what_it_does_and_what_can_go_wrong() -> None:
    for path in specification()["paths"].values():
        for operation in path.values():
            assert operation["summary"]
            assert operation["description"], f"{operation['operationId']} has a summary alone"
            assert operation["responses"]["default"] == {"$ref": "#/components/responses/Other"}


def test_every_group_of_endpoints_says_what_it_is_for() -> None:
    document = specification()
    used = {tag for operations in document["paths"].values() for each in operations.values() for tag in each["tags"]}
    assert used == {tag["name"] for tag in document["tags"]}


def test_a_parameter_that_nobody_described_is_named_with_its_place() -> None:
    with pytest.raises(LookupError, match=r"<mood> in PATH of service/api/examples\.py"):
        examples.of_parameter("mood")


def test_each_problem_of_an_endpoint_stands_at_its_operation_or_in_the_default_response() -> None:
    responses = specification()["components"]["responses"]
    general = set(re.findall(r"^\* \d+ `([a-z-]+)`", responses["Other"]["description"], re.MULTILINE))
    assert {"token-needed", "scope-needed", "quota-exceeded", "storage-full"} <= general
    described = {each["operationId"]: each["responses"] for each in operations()}
    for endpoint in (each for part in PARTS for each in part.described):
        for name in {"bad-request", *endpoint.problems} - general:
            answer = described[endpoint.name][str(KINDS[name].status)]
            told = responses[answer["$ref"].rpartition("/")[2]] if "$ref" in answer else answer
            assert f"`{name}`" in told["description"], f"{endpoint.name} does not tell of {name}"


def operations() -> list[dict[str, Any]]:
    return [operation for path in specification()["paths"].values() for operation in path.values()]


def webhook_operations() -> list[dict[str, Any]]:
    """What the receiver of webhooks serves."""
    return [operation for path in specification()["webhooks"].values() for operation in path.values()]


def written(part: Any, key: str) -> Iterator[Any]:
    """What stands under that key anywhere in a part of the document, examples aside."""
    if isinstance(part, dict):
        for name, each in part.items():
            if name == key:
                yield each
            if name not in {"example", "examples"}:
                yield from written(each, key)
    if isinstance(part, list):
        for each in part:
            yield from written(each, key)


@pytest.mark.slow
def test_every_reference_leads_somewhere_and_every_component_is_reached() -> None:
    document = msgspec.json.encode(specification()).decode()
    for kind in ("schemas", "parameters", "requestBodies", "responses"):
        led_to = set(re.findall(f'"#/components/{kind}/([^"]+)"', document))
        assert led_to == set(specification()["components"][kind])


@pytest.mark.slow
def test_the_description_can_be_read_at_one_go() -> None:
    assert len(description().encode()) <= 350_000


def test_an_example_shows_the_first_items_of_a_list() -> None:
    line = {"seat": 0, "scores": [1, 2, 3]}
    first = {"seat": 0, "scores": [1, 2]}
    assert shorten_example({"lines": [line] * 3, "note": None}) == {"lines": [first], "note": None}
    assert shorten_example([1, 2, 3, 4, 5]) == [1, 2]
    place = {"bridges": 2}
    assert shorten_example(dict.fromkeys("abcde", place)) == {"a": place, "b": place}
    assert shorten_example({**dict.fromkeys("abcd", place), "e": {}}) == {**dict.fromkeys("abcd", place), "e": {}}
    assert shorten_example(dict.fromkeys("abcde", 1)) == dict.fromkeys("abcde", 1)


def test_the_example_of_an_answer_stands_once_with_its_type() -> None:
    schemas = specification()["components"]["schemas"]
    assert list(written([operation["responses"] for operation in operations()], "example")) == []
    shown = [example for schema in schemas.values() for example in schema.get("examples", ())]
    assert len(shown) > 40
    assert len({msgspec.json.encode(example) for example in shown}) == len(shown)
    assert schemas["GameInfo"]["examples"] == [shorten_example(examples.ANSWERS["show_game"])]
    assert schemas["WebhookInfo"]["examples"][0]["url"] == examples.BODIES["make_webhook"]["url"]
    assert "examples" not in schemas["WebhookList"], "it is made of `WebhookInfo`"


def test_an_enumeration_names_its_values_only_where_generators_would_name_them_badly() -> None:
    schemas = specification()["components"]["schemas"]
    for name in ("GameStatus", "AnalysisKind", "DraftType", "KahunaLine", "ManapaniCard"):
        assert "x-enum-varnames" not in schemas[name], f"generators make good names of {name} by themselves"
    assert schemas["VerraeterCard"]["x-enum-varnames"][0] == "CARD_2"
    assert schemas["CatanCardsSeat"]["x-enum-varnames"] == ["SEAT_0", "SEAT_1"]
    assert "enum" not in schemas["Problem"]["properties"]["type"], "a later release can have more kinds"


def test_texts_are_shown_with_the_requests_that_take_them() -> None:
    shown = {
        operation["operationId"]: operation["requestBody"]["content"]["text/plain"]["example"]
        for operation in operations()
        if "text/plain" in operation.get("requestBody", {}).get("content", {})
    }
    assert shown.keys() == {"import_game", "test_tokens"}
    assert shown["import_game"].startswith('[Ruleset "')
    assert shown["test_tokens"].startswith("kifu_app_")


@pytest.mark.parametrize("kind", ["parameters", "responses"])
@pytest.mark.slow
def test_no_parameter_and_no_response_is_written_twice(kind: str) -> None:
    components = specification()["components"][kind].values()
    inside = [
        each
        for operation in [*operations(), *webhook_operations()]
        for each in (operation[kind].values() if kind == "responses" else operation[kind])
        if "$ref" not in each
    ]
    found = Counter(msgspec.json.encode(each).decode() for each in [*components, *inside])
    assert [each for each, times in found.items() if times > 1] == []


def test_every_problem_is_answered_by_a_response_with_a_name() -> None:
    for operation in operations():
        problems = {
            status: response
            for status, response in operation["responses"].items()
            if not status.startswith(("2", "3")) and "application/json" not in response.get("content", {})
        }
        assert [status for status, response in problems.items() if response.keys() != {"$ref"}] == []


def test_every_enumeration_is_written_once_and_has_a_name() -> None:
    document = specification()
    enumerations = [schema["enum"] for schema in document["components"]["schemas"].values() if "enum" in schema]
    assert len(list(written(document, "enum"))) == len(enumerations) > 30
    assert all(len(values) > 1 and None not in values for values in enumerations)


@pytest.mark.slow
def test_every_operation_has_a_name_of_its_own_and_no_title_repeats_one() -> None:
    assert not any("title" in schema for schema in specification()["components"]["schemas"].values())
    ids = [operation["operationId"] for operation in operations()]
    assert len(set(ids)) == len(ids) == sum(len(part.described) for part in PARTS)
    assert {tag for operation in operations() for tag in operation["tags"]} == {
        tag["name"] for tag in specification()["tags"]
    }


def test_no_summary_is_said_again_as_the_description_of_an_answer() -> None:
    for operation in operations():
        found = {response.get("description", "").rstrip(".") for response in operation["responses"].values()}
        assert operation["summary"] not in found


def test_what_an_address_holds_is_never_null() -> None:
    for parameter in (*specification()["components"]["parameters"].values(), *written(operations(), "parameters")):
        assert "null" not in msgspec.json.encode(parameter).decode()


def test_every_operation_says_which_scope_it_needs() -> None:
    usual = specification()["security"]
    found = {each["operationId"]: (each.get("security", usual), each.get("x-scopes")) for each in operations()}
    for name, need in ((each.name, each.need) for part in PARTS for each in part.described):
        if need is OPEN:
            assert found.pop(name) == ([], None)
        elif need.everybody:
            assert found.pop(name) == ([{}, {"token": []}], [need.scope])
        else:
            assert found.pop(name) == ([{"token": []}], need.scopes)
    assert found == {}
    described = specification()["components"]["securitySchemes"]["token"]["description"]
    assert all(f"`{word}`" in described for word in (*SCOPES, *ROLES))


@pytest.mark.slow
def test_every_request_has_an_example_and_the_answers_are_those_of_a_service(app: Application) -> None:
    shared = specification()["components"]["parameters"].values()
    for operation in operations():
        for parameter in (*shared, *(each for each in operation["parameters"] if "$ref" not in each)):
            assert parameter["in"] == "query" or parameter.keys() & {"example"} or parameter["name"] in HEADERS
        if "requestBody" in operation:
            assert any("example" in body for body in operation["requestBody"]["content"].values())
    answers = shown(play(app))
    assert stable_parts(answers) == stable_parts(examples.ANSWERS), "run `make openapi`"
    out_of_turn = {"type": "build", "seat": 1, "card": "KAHU", "line": "KAHU-LALE"}
    path = f"/v1/games/{examples.FORK}/events"
    headers = {"Authorization": f"Bearer {app.context.owner_token}"}
    body = {"events": [{"id": examples.PLAYER, "data": {"move": out_of_turn}}]}
    assert Client(app).post(path, json=body, headers=headers).get_json() == examples.PROBLEM


@pytest.mark.slow
def test_no_text_of_one_line_takes_a_line_end_behind_it() -> None:
    patterns = {pattern for pattern in written(yaml.load(description(), yaml.CSafeLoader), "pattern") if pattern}
    assert len(patterns) > 5
    several_lines = {pattern for pattern in patterns if "x0b" in pattern}
    assert [pattern for pattern in patterns - several_lines if not pattern.endswith(END_OF_TEXT)] == []


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Application]:
    app = create_app(Settings(data=tmp_path_factory.mktemp("fuzz")))
    yield app
    app.close()


@pytest.fixture(scope="module")
def described(served: Application) -> schemathesis.BaseSchema:
    import schemathesis  # not by each worker

    @cache
    def read(text: bytes) -> Any:
        return yaml.load(text, yaml.CSafeLoader)

    @schemathesis.deserializer("application/yaml")
    def read_yaml(_: Any, response: Any) -> Any:
        """The description of the API is long: even libyaml takes a fifth of a second for it."""
        return read(response.content)

    schema = schemathesis.openapi.from_dict(msgspec.json.decode(msgspec.json.encode(specification())))
    schema.app = served
    return schema


@pytest.mark.parametrize("examples", [3, pytest.param(500, marks=[pytest.mark.soak, pytest.mark.timeout(1800)])])
@pytest.mark.parametrize("name", [endpoint.name for part in PARTS for endpoint in part.described])
@pytest.mark.slow
def test_no_input_brings_the_service_down_and_answers_are_as_described(
    served: Application, described: schemathesis.BaseSchema, name: str, examples: int
) -> None:
    """schemathesis asks everything that the description allows, and things that it does not."""
    import schemathesis
    from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

    operation = described.find_operation_by_id(name)
    headers = {"Authorization": f"Bearer {served.context.owner_token}", "Accept-Encoding": "identity"}

    @given(case=st.one_of(operation.as_strategy(), operation.as_strategy(schemathesis.GenerationMode.NEGATIVE)))
    @settings(max_examples=examples, database=None, suppress_health_check=list(HealthCheck))
    def ask(case: schemathesis.Case) -> None:
        assume(all(value not in (None, [], {}) for value in (case.query or {}).values()))  # these are not sent
        case.call_and_validate(headers=headers, excluded_checks=[positive_data_acceptance, ignored_auth])

    ask()
