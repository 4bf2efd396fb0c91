from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from events.types import END
from service.app import create_app
from service.openapi import description, specification
from service.routes import PARTS
from service.settings import Settings

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
        if rule.rule.startswith(("/v1", "/metrics"))
    }
    assert served == described


def test_every_endpoint_says_what_it_does_and_what_can_go_wrong() -> None:
    for path in specification()["paths"].values():
        for operation in path.values():
            assert operation["summary"]
            assert "default" in operation["responses"]


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


@pytest.mark.parametrize("name", [endpoint.name for part in PARTS for endpoint in part.described])
def test_no_input_brings_the_service_down_and_answers_are_as_described(
    served: Flask, described: schemathesis.BaseSchema, name: str
) -> None:
    """schemathesis asks whatever the description allows, and things that it does not."""
    operation = described.find_operation_by_id(name)
    headers = {"Authorization": f"Bearer {served.config['OWNER_TOKEN']}"}

    @given(case=st.one_of(operation.as_strategy(), operation.as_strategy(schemathesis.GenerationMode.NEGATIVE)))
    @settings(max_examples=20, database=None, suppress_health_check=list(HealthCheck))
    def ask(case: schemathesis.Case) -> None:
        case.call_and_validate(headers=headers, excluded_checks=[positive_data_acceptance, ignored_auth])

    ask()
