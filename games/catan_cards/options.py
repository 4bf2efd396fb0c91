"""The switches of the card game: a profile, and each switch on its own where a table plays it another way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from games.contract import Option, Title

if TYPE_CHECKING:
    from collections.abc import Mapping

AS_PROFILE = "profile"
"""The value of a switch that is to be as the profile has it."""

_PROFILES: dict[str, tuple[bool | int | str, bool | int | str]] = {
    "action_gate": ("each3", "sum7"),
    "brigand_grace": (0, 2),
    "windmill_tie": ("keep", "return"),
    "plague_double": (True, False),
    "spy_any": (True, False),
    "exchange_same_stack": (False, True),
    "own_turn_limit": ("immediate", "end"),
    "harbor_own_cp": (0, 1),
    "master_builder_optional": (False, True),
    "demolish": (False, True),
}
"""What each switch is in the rulebook's profile and in that of 2005."""


class Options(msgspec.Struct, frozen=True):
    """What a game is played with: every switch at the value that holds."""

    profile: str
    action_gate: str
    brigand_grace: int
    windmill_tie: str
    plague_double: bool
    spy_any: bool
    exchange_same_stack: bool
    own_turn_limit: str
    harbor_own_cp: int
    master_builder_optional: bool
    demolish: bool
    win_on: str
    alchemist_spy: str
    caravan_min: int
    target: int


def resolve(chosen: Mapping[str, bool | int | str]) -> Options:
    """The value of every switch: as chosen, else as the profile has it."""
    later = chosen["profile"] == "2005"
    values = dict(chosen)
    for name, profiles in _PROFILES.items():
        if values[name] == AS_PROFILE:
            values[name] = profiles[later]
    return msgspec.convert(values, Options)


def _switch(name: str, en: str, ja: str, rule: str) -> Option:
    return Option(
        name=name,
        title=Title(en, ja),
        choices=(AS_PROFILE, *_PROFILES[name]),
        default=AS_PROFILE,
        replaces=(f"catan_cards:{rule}",),
        switchable=True,
    )


OPTIONS = (
    Option(
        name="profile",
        title=Title("Profile: the older rulebook, or the readings of 2005", "ルールの版"),
        choices=("rulebook", "2005"),
        default="rulebook",
    ),
    Option(
        name="target",
        title=Title("Victory points that win", "勝利に必要なポイント"),
        choices=tuple(range(3, 21)),
        default=12,
        replaces=("catan_cards:60",),
        switchable=True,
    ),
    _switch("action_gate", "Action cards once each has 3 points, or both 7 together", "アクションカードの条件", "Q10"),
    _switch("brigand_grace", "First turns of each player without brigands", "盗賊が出ない最初の手番数", "Q42"),
    _switch("windmill_tie", "The windmill token on a tie", "商業力が同点のときの風車コマ", "Q6"),
    _switch("plague_double", "Plague takes 2 between two cities", "二都市間の疫病で二つ失う", "Q23b"),
    _switch("spy_any", "The Spy takes any card", "スパイはどのカードも取れる", "Q19"),
    _switch("exchange_same_stack", "An exchange draws from the same stack", "交換は同じ山から引く", "Q12"),
    _switch("own_turn_limit", "The hand limit in one's own turn", "自分の手番の手札制限", "Q50"),
    _switch("harbor_own_cp", "Commerce points of the Harbor itself", "港自体の商業力", "Q20"),
    _switch("master_builder_optional", "Master Builder is optional", "建築マイスターは任意", "Q22"),
    _switch("demolish", "Own expansions may be demolished", "自分の拡大カードを取り壊せる", "Q52"),
    Option(
        name="win_on",
        title=Title("In whose turn one wins", "勝利が決まる手番"),
        choices=("own_turn", "any_turn"),
        default="own_turn",
        replaces=("catan_cards:Q13",),
        switchable=True,
    ),
    Option(
        name="alchemist_spy",
        title=Title("Alchemists and Spies in the box", "錬金術師とスパイの枚数"),
        choices=("2+3", "1+4"),
        default="2+3",
        replaces=("catan_cards:63", "catan_cards:72"),
    ),
    Option(
        name="caravan_min",
        title=Title("The least that a Caravan carries", "隊商の最小数"),
        choices=(1, 2),
        default=1,
        replaces=("catan_cards:Q17",),
        switchable=True,
    ),
)
