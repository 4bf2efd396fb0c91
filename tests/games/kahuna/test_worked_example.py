"""The rulebook's example: how control changes within two turns."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("free", ["BARI-FAAA", "BARI-COCO"])
def test_control_changes_as_the_rulebook_tells(table, free):
    t = table(
        black="ALOA-BARI ALOA-HUNA ELAI-FAAA ELAI-IFFI ELAI-JOJO HUNA-IFFI HUNA-LALE",
        white=f"ALOA-DUDA DUDA-HUNA DUDA-ELAI ELAI-HUNA BARI-ELAI {free}",
        hands=("HUNA HUNA ELAI", "BARI ALOA"),
        active=1,
    )
    assert [t.holder(island) for island in ("ALOA", "HUNA", "DUDA", "BARI")] == ["black", "black", "white", None]
    assert t.do("BARI-DUDA")[2:] == [
        "white island.gained BARI",
        "black bridge.removed ALOA-BARI",
        "black island.lost ALOA",
    ]
    assert t.do("ALOA-BARI")[2:] == [
        "white island.gained ALOA",
        "black bridge.removed ALOA-HUNA",
        "black island.lost HUNA",
    ]
    t.do("+")
    assert t.do("x HUNA-ELAI (HUNA HUNA)")[1:] == ["white bridge.removed ELAI-HUNA"]
    effects = t.do("ELAI-HUNA")
    assert {effect for effect in effects if "island" in effect} == {
        "black island.gained ELAI",
        "black island.gained HUNA",
        "white island.lost DUDA",
    }
    assert {effect for effect in effects if "removed" in effect} == {
        "white bridge.removed DUDA-HUNA",
        "white bridge.removed DUDA-ELAI",
        "white bridge.removed BARI-ELAI",
    }
    assert t.holder("BARI") == "white"
