from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
import schemathesis
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from events.types import END
from service.access.needs import OPEN
from service.access.scopes import ROLES, SCOPES
from service.api import examples
from service.api.openapi import description, specification
from service.api.routes import PARTS
from service.app import create_app
from service.settings import Settings
from tests.examples import lasting, play, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

COMMITTED = Path(__file__).parents[2] / "openapi.yaml"


def test_the_committed_description_is_that_of_the_code() -> None:
    assert COMMITTED.read_text(encoding="utf-8") == description(), "run `make openapi`"


def test_every_route_of_the_api_is_described(app: Flask) -> None:
    described = {(endpoint.method, endpoint.path) for part in PARTS for endpoint in part.described}
    served = {
        (method, rule.rule)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith(("/v1", "/metrics", "/.well-known"))
    }
    assert served == described


def test_every_endpoint_says_what_it_does_and_what_can_go_wrong() -> None:
    for path in specification()["paths"].values():
        for operation in path.values():
            assert operation["summary"]
            assert "default" in operation["responses"]


def operations() -> list[dict[str, Any]]:
    return [operation for path in specification()["paths"].values() for operation in path.values()]


def test_every_reference_leads_somewhere_and_every_schema_is_reached() -> None:
    document = msgspec.json.encode(specification()).decode()
    led_to = set(re.findall('"#/components/schemas/([^"]+)"', document))
    assert led_to == set(specification()["components"]["schemas"])


def test_every_schema_and_every_operation_has_a_name_of_its_own() -> None:
    titles = {name: schema["title"] for name, schema in specification()["components"]["schemas"].items()}
    assert titles == {name: name for name in titles}
    ids = [operation["operationId"] for operation in operations()]
    assert len(set(ids)) == len(ids) == sum(len(part.described) for part in PARTS)
    assert {tag for operation in operations() for tag in operation["tags"]} == {
        tag["name"] for tag in specification()["tags"]
    }


def test_every_operation_says_which_scope_it_needs() -> None:
    said = {each["operationId"]: (each["security"], each.get("x-scopes")) for each in operations()}
    for name, need in ((each.name, each.need) for part in PARTS for each in part.described):
        if need is OPEN:
            assert said.pop(name) == ([], None)
        elif need.everybody:
            assert said.pop(name) == ([{}, {"token": []}], [need.scope])
        else:
            assert said.pop(name) == ([{"token": []}], need.scopes)
    assert said == {}
    described = specification()["components"]["securitySchemes"]["token"]["description"]
    assert all(f"`{word}`" in described for word in (*SCOPES, *ROLES))


def test_every_request_has_an_example_and_the_answers_are_those_of_a_service(app: Flask) -> None:
    for operation in operations():
        for parameter in operation["parameters"]:
            assert parameter["in"] == "query" or parameter["example"], operation["operationId"]
        if "requestBody" in operation:
            assert any("example" in body for body in operation["requestBody"]["content"].values())
    answers = shown(play(app))
    assert lasting(answers) == lasting(examples.ANSWERS), "run `make openapi`"
    out_of_turn = {"type": "build", "seat": 1, "card": "KAHU", "line": "KAHU-LALE"}
    path = f"/v1/games/{examples.FORK}/events"
    headers = {"Authorization": f"Bearer {app.config['OWNER_TOKEN']}"}
    body = {"events": [{"id": examples.PLAYER, "data": {"move": out_of_turn}}]}
    assert app.test_client().post(path, json=body, headers=headers).get_json() == examples.PROBLEM


def test_no_text_of_one_line_takes_a_line_end_behind_it() -> None:
    patterns = set(re.findall(r"'?pattern'?: '?(.*?)'?\n", description()))
    assert len(patterns) > 5
    several_lines = {pattern for pattern in patterns if "x0b" in pattern}
    assert [pattern for pattern in patterns - several_lines if not pattern.endswith(END)] == []


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    app = create_app(Settings(data=tmp_path_factory.mktemp("fuzz")))
    yield app
    app.extensions["kifu"].close()


@pytest.fixture(scope="module")
def described(served: Flask) -> schemathesis.BaseSchema:
    schema = schemathesis.openapi.from_dict(msgspec.json.decode(msgspec.json.encode(specification())))
    schema.app = served
    return schema


@schemathesis.deserializer("application/yaml")
def read_yaml(_: Any, response: Any) -> Any:
    """The description of the API is long, and only libyaml reads it in no time."""
    return yaml.load(response.content, yaml.CSafeLoader)


@pytest.mark.parametrize("examples", [12, pytest.param(500, marks=[pytest.mark.soak, pytest.mark.timeout(1800)])])
@pytest.mark.parametrize("name", [endpoint.name for part in PARTS for endpoint in part.described])
def test_no_input_brings_the_service_down_and_answers_are_as_described(
    served: Flask, described: schemathesis.BaseSchema, name: str, examples: int
) -> None:
    """schemathesis asks whatever the description allows, and things that it does not."""
    operation = described.find_operation_by_id(name)
    headers = {"Authorization": f"Bearer {served.config['OWNER_TOKEN']}", "Accept-Encoding": "identity"}

    @given(case=st.one_of(operation.as_strategy(), operation.as_strategy(schemathesis.GenerationMode.NEGATIVE)))
    @settings(max_examples=examples, database=None, suppress_health_check=list(HealthCheck))
    def ask(case: schemathesis.Case) -> None:
        case.call_and_validate(headers=headers, excluded_checks=[positive_data_acceptance, ignored_auth])

    ask()
