"""What a ruleset's picture shows, for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from games.contract import Ruleset, State

SVG = "{http://www.w3.org/2000/svg}"


class Drawn:
    """The pictures of one ruleset's states."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def picture(self, state: State) -> ET.Element:
        return ET.fromstring(state.picture())  # noqa: S314  our own text

    def words(self, state: State) -> list[str]:
        """All texts, in the order in which they are drawn."""
        return [element.text or "" for element in self.picture(state).iter(f"{SVG}text")]

    def places(self, state: State) -> list[str]:
        """What can be tapped."""
        return [element.attrib["data-at"] for element in self.picture(state).iter() if "data-at" in element.attrib]
