"""The variants of Kahuna that a game can be opened with. They combine freely."""

from __future__ import annotations

from typing import Literal

import msgspec

from games.contract import Option, Title


class Options(msgspec.Struct, frozen=True):
    """The options of one game, in the words of `OPTIONS`."""

    box_variant: bool = False
    scoring: Literal["standard", "opodopo"] = "standard"
    seafarer: bool = False
    replace_in_enclosed_sea: Literal["stays", "both_removed", "forbidden"] = "stays"


OPTIONS = (
    Option(
        name="box_variant",
        title=Title("The variant printed with the game", "付属のヴァリアントルール"),
        choices=(False, True),
        default=False,
        switchable=True,
        adds=("kahuna:BOX-1", "kahuna:BOX-2"),
    ),
    Option(
        name="scoring",
        title=Title("Scoring", "得点計算"),
        choices=("standard", "opodopo"),
        default="standard",
        switchable=True,
        adds=("kahuna:OPO-1", "kahuna:OPO-2", "kahuna:OPO-3"),
        replaces=("kahuna:ROUND-2", "kahuna:WIN-2"),
    ),
    Option(
        name="seafarer",
        title=Title("Seafarer: ships in the inland seas", "航海者：内海の船"),
        choices=(False, True),
        default=False,
        switchable=True,
        adds=(
            "kahuna:SEA-1",
            "kahuna:SEA-2",
            "kahuna:SEA-3",
            "kahuna:SEA-4",
            "kahuna:SEA-5",
            "kahuna:SEA-6",
            "kahuna:SEA-7",
            "kahuna:SEA-8",
            "kahuna:SEA-9",
            "kahuna:SEA-11",
            "kahuna:SEA-12",
            "kahuna:SEA-13",
            "kahuna:SEA-14",
            "kahuna:SEA-15",
        ),
    ),
    Option(
        name="replace_in_enclosed_sea",
        title=Title("A ship put into a sea that the opponent's bridges enclose", "相手の橋に囲まれた内海に置いた船"),
        choices=("stays", "both_removed", "forbidden"),
        default="stays",
        switchable=True,
        adds=("kahuna:SEA-10",),
    ),
)
