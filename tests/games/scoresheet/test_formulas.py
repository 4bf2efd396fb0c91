"""FORM: what formulas give, which are refused and where, and what hostile ones cannot do."""

from __future__ import annotations

import itertools
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.scoresheet import SCORESHEET
from games.scoresheet.formulas import KEPT_LIMIT, FormulaError, _kept, evaluate, read_formula
from tests.cases import cases

A = {"id": "a", "counts": False}
B = {"id": "b", "counts": False}
WORDS = ["".join(letters) * 10 for letters in itertools.product("abcdefg", repeat=2)][:40]
NAMES = {"a": "number", "b": "number", "rounds_of": "list"}


def computed(text: str, **values: Fraction | int) -> Fraction:
    formula = read_formula(text, dict.fromkeys(values, "number"))
    return evaluate(formula, tuple(Fraction(values[name]) for name in formula.names))


@cases(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("7 // 2 + 7 % 2", 4),
        ("1 / 3 + 1 / 3 + 1 / 3", 1),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("round(2.5) + round(-2.5) + round(0.4)", 0),
        ("floor(-1.5) + ceil(-1.5)", -3),
        ("max(1, 5, 3) - min(4, 2)", 3),
        ("sum(1, 2, 3) + count(7, 8)", 8),
        ("abs(-4)", 4),
        ("10 if 1 < 2 <= 2 else 20", 10),
        ("(3 > 2) + (3 == 2) + (not 0)", 2),
        ("0 or 5", 5),
        ("True + 1", 2),
        ("-(2) - +3", -5),
    ],
)
def test_form_1_a_formula_is_exact(text, value):
    assert computed(text) == value


@given(st.integers(-(10**6), 10**6), st.integers(1, 10**6))
def test_form_1_a_part_of_a_number_adds_up_to_the_number(number, parts):
    assert computed("a / b * b", a=number, b=parts) == number


@cases(
    ("text", "at", "why"),
    [
        ("", 0, "cannot be read"),
        ("a +", 3, "cannot be read"),
        ("a + wood", 4, "there is no wood here; choose one of a, b, rounds_of"),
        ("  a + wood", 6, "there is no wood"),
        ("a ** 9", 0, "a power is not allowed"),
        ("2 ** 999999999", 0, "a power"),
        ("a + sum(x for x in b)", 7, "a loop is not allowed"),
        ("[x for x in b]", 0, "has no meaning"),
        ("lambda: 1", 6, "has no meaning"),
        ("a.b", 0, "a dot after a name"),
        ("a.__class__", 0, "a dot after a name"),
        ("().__class__", 0, "a dot after a name"),
        ("__import__(a)", 0, "there is no function __import__"),
        ("eval(a)", 0, "there is no function eval"),
        ("abs(a)(b)", 0, "is not allowed here"),
        ("abs(x=a)", 0, "without names"),
        ("sum(*a)", 4, "a star before a name"),
        ("abs(a, b)", 0, "one number"),
        ("sum()", 0, "at least one"),
        ("sum((a, b))", 4, "a list is not allowed"),
        ("rank(a + b)", 0, "one column"),
        ("rank(rounds_of)", 0, "one column"),
        ("everyone(a)", 0, "take the sum"),
        ("rounds_of + 1", 0, "take the sum"),
        ("'a' * 9999999", 0, "has no meaning"),
        ("a; b", 1, "has no meaning"),
        ("a\nb", 1, "has no meaning"),
        ("é", 0, "there is no é here"),
        ("²", 0, "has no meaning"),
        ("a << 9", 0, "<< is not allowed"),
        ("a & b", 2, "has no meaning"),
        ("a is b", 0, "is is not allowed"),
        ("a not in b", 0, "not in is not allowed"),
        ("None", 0, "only numbers"),
        ("...", 0, "only numbers"),
        ("1e5", 0, "a number runs into a name"),
        ("0xff", 0, "a number runs into a name"),
        ("1if a else 2", 0, "a number runs into a name"),
        ("9" * 300, 0, "too large"),
        ("1" * 301, 300, "301 characters"),
        ("+".join("a" * 60), 0, "nested at most 40 deep"),
        ("-" * 250 + "a", 40, "nested at most 40 deep"),
        ("sum(" + ",".join("a" * 125) + ")", 242, "at most 120 parts"),
        ("await a", 0, "await is not allowed"),
        ("(a := 3)", 3, "has no meaning"),
    ],
)
def test_form_1_what_does_not_belong_in_a_formula_is_refused_with_the_place(text, at, why):
    with pytest.raises(FormulaError, match=why) as error:
        read_formula(text, NAMES)
    assert error.value.at == at


@pytest.mark.parametrize(
    ("text", "names"), [("(" * 100 + "a" + ")" * 100, ("a",)), ("sum(" + ",".join("ab" * 59) + ")", ("a", "b"))]
)
def test_form_1_what_only_looks_large_is_taken(text, names):
    assert read_formula(text, NAMES).names == names


def test_form_1_the_place_of_an_error_leads_to_the_column(refused):
    columns = [A, {"id": "c", "formula": "a + 2 * wood"}]
    field, why = refused(columns=columns)
    assert field == "columns[1].formula"
    assert why == "there is no wood here; choose one of sides, rounds, a, c, at character 9 of 'a + 2 * wood'"
    assert refused(columns=[A], loses="total <") == (
        "loses",
        "this cannot be read as a formula, at character 8 of 'total <'",
    )


@cases("formulas", [["c"], ["d", "c"], ["d + a", "e", "min(c, 1)"], ["rank(d)", "ties(c)"]])
def test_form_1_no_formula_needs_itself_in_the_end(refused, formulas):
    columns = [{"id": name, "formula": text} for name, text in zip("cde", formulas, strict=False)]
    field, why = refused(columns=[A, *columns])
    assert field == "columns[1].formula"
    assert "needs itself" in why


def test_form_1_formulas_can_stand_in_any_order(table):
    t = table(columns=[{"id": "c", "formula": "d + 1"}, {"id": "d", "counts": False, "formula": "a * 2"}, A])
    t.do("a 1 2 3")
    assert t.scores() == [3, 5, 7]


def test_form_1_columns_are_held_against_all_sides(table):
    names = ["rank(a)", "rank_low(a)", "ties(a)", "max(everyone(a)) - a"]
    columns = [{"id": name, "counts": False, "formula": text} for name, text in zip("cdef", names, strict=True)]
    t = table("", 4, [A, *columns])
    t.do("a 5 9 5 ?")
    assert t.cells("c") == [None] * 4
    t.do("p4 a 1")
    assert [t.cells(name) for name in "cdef"] == [[2, 1, 2, 4], [2, 4, 2, 1], [2, 1, 2, 1], [4, 0, 4, 8]]


def test_form_1_who_dropped_out_is_not_waited_for(table):
    t = table(columns=[A, {"id": "c", "formula": "10 if rank(a) == 1 else 0"}])
    t.do("a 5 9 ?", "p3 out")
    assert t.scores() == [0, 10, 0]


def test_form_1_what_cannot_be_computed_gives_nothing_and_says_why(table):
    columns = [A, B, {"id": "c", "formula": "a / b"}, {"id": "d", "formula": "c + 1"}]
    t = table(columns=columns)
    t.do("a 6 6 6", "b 2 0 3")
    assert t.cells("c") == [3, "a division by zero", 2]
    assert t.scores() == [7, 0, 5]
    assert t.end().ranks == (1, 3, 2)


def test_form_1_points_do_not_grow_beyond_what_can_be_entered(table):
    t = table(columns=[A, {"id": "c", "formula": "a * 1000"}])
    t.do("a 1000000 1000001 -1000001")
    assert t.cells("c") == [10**9, "there are too many points", "there are too many points"]
    assert t.scores() == [10**9, 0, 0]


def test_form_1_answers_to_long_questions_are_not_kept(table):
    t = table("golf+countback", 4)
    for number in range(1, 19):
        t.do(f"r{number} 3 4 5 6")
    long = table(columns=[A | {"per": "round"}, {"id": "c", "formula": "sum(a)"}])
    for number in range(1, KEPT_LIMIT + 2):
        long.do(f"r{number} {number} 1 2")
    kept = _kept.cache_info().currsize
    long.end()
    assert long.scores()[1:] == [KEPT_LIMIT + 1, 2 * (KEPT_LIMIT + 1)]
    assert _kept.cache_info().currsize == kept
    t.end()
    assert _kept.cache_info().currsize > kept


def test_form_1_what_does_not_count_is_written_without_powers_of_ten(table):
    t = table("", 4, [A, {"id": "c", "counts": False, "formula": "a / 100000"}])
    t.do("a 1 -2.5 3000000 0")
    assert t.cells("c") == ["0.00001", "-0.000025", 30, 0]
    t = table(columns=[A, {"id": "c", "counts": False, "formula": "a / 3"}])
    t.do("a 1 1.5 -2.5")
    assert t.cells("c") == ["1/3", "0.5", "-5/6"]


def test_form_1_numbers_do_not_grow_without_end(table):
    chain = [
        {"id": f"c{n}", "counts": False, "formula": f"{f'c{n - 1}' if n else 'a'} * {f'c{n - 1}' if n else 'a'}"}
        for n in range(50)
    ]
    t = table(columns=[A, *chain])
    t.do("a 999999999 2 1")
    started = time.process_time()
    assert t.cells("c49") == ["the numbers grow too large", "the numbers grow too large", 1]
    assert time.process_time() - started < 2


def test_form_2_ranges_and_rounding(table):
    ranges = [[0, -1], [2, 1], [3.5, 7]]
    columns = [A, {"id": "c", "formula": "a", "ranges": ranges}, {"id": "d", "formula": "a / 2"}]
    columns += [{"id": way, "formula": "a / 2", "round": way, "counts": False} for way in ("up", "down", "half")]
    t = table("", 4, columns)
    t.do("a 1.999 3.5 -3 5")
    assert t.cells("c") == [-1, 7, "-3 is below the first range", 7]
    assert t.cells("d") == [1, 2, -2, 3]
    assert [t.cells(way) for way in ("up", "down", "half")] == [[1, 2, -1, 3], [0, 1, -2, 2], [1, 2, -2, 3]]
    assert ("p2", 7, "c", "FORM-2", 1, "c = a with a 3.5") in t.audit()


def test_form_3_a_formula_counts_once_its_cells_are_filled_in_and_cites_the_newest(table):
    t = table("wizard")
    t.do("r1 1 0 0")
    assert t.scores() == [0, 0, 0]
    t.do("r1 tricks ? 0 ?", "r1 tricks 0 ? 1")
    assert t.scores() == [-10, 20, -10]
    formula = "20 + 10 * tricks if tricks == bid else -10 * abs(tricks - bid)"
    assert t.audit()[0] == ("p2", 20, "round-1", "FORM-1", 2, f"r1 points = {formula} with bid 0, tricks 0")
    t.do("r1 p1 0")
    assert t.audit()[-1][:5] == ("p1", 20, "round-1", "FORM-1", 4)


def test_form_3_what_is_made_of_all_rounds_is_settled_at_the_end(table):
    columns = [{"id": "p", "per": "round", "counts": False}, {"id": "best", "formula": "max(p) + count(p) + rounds"}]
    t = table("", 2, columns)
    t.do("r1 5 9", "r2 7 1")
    assert t.scores() == [0, 0]
    t.do("end")
    assert t.scores() == [11, 13]
    assert t.audit()[0] == ("p1", 11, "best", "FORM-3", 3, "best = max(p) + count(p) + rounds")


def test_form_3_a_formula_of_the_round_can_use_its_number(table):
    t = table(columns=[A | {"per": "round"}, {"id": "c", "per": "round", "formula": "round(a * round / sides)"}])
    t.do("r1 3 6 9", "r2 3 6 9")
    assert t.cells("r2 c") == [2, 4, 6]


@cases(
    ("columns", "field", "why"),
    [
        ([], "columns", "length >= 1"),
        ([{"id": "a b"}], "columns[0].id", "an id is made of letters, digits and _"),
        ([{"id": "2a"}], "columns[0].id", "an id is made of letters, digits and _"),
        ([{"id": "_a"}], "columns[0].id", "an id is made of letters, digits and _"),
        ([{"id": "ａ"}], "columns[0].id", "write 'a': there are signs in it that look the same"),
        ([{"id": "P12"}], "columns[0].id", "a meaning of its own"),
        ([{"id": "Sum"}], "columns[0].id", "a meaning of its own"),
        ([{"id": "a"}, {"id": "A"}], "columns[1].id", "stands here twice"),
        ([{"id": "a", "labels": {"x,y": 1}}], "columns[0].labels", "signs in it that part words"),
        ([{"id": "a", "labels": {"x!": 1}}], "columns[0].labels", "signs in it that part words"),
        ([{"id": "a", "labels": {"x\u200by": 1}}], "columns[0].labels", "signs in it that nobody sees"),
        ([{"id": "a", "labels": {"x\u202ey": 1}}], "columns[0].labels", "signs in it that nobody sees"),
        ([{"id": "a", "labels": {"-5": 1}}], "columns[0].labels", "would be read as something else"),
        ([{"id": "a", "labels": {"p2": 1}}], "columns[0].labels", "would be read as something else"),
        ([{"id": "a", "labels": {"A": 1}}], "columns[0].labels", "a meaning of its own"),
        ([{"id": "a", "labels": {"x y": 1, "X_y": 2}}], "columns[0].labels", "stands here twice"),
        ([{"id": "a", "colour": 1}], "columns[0].colour", "unknown field"),
        ([{"id": "p12"}], "columns[0].id", "a meaning of its own"),
        ([{"id": "sum"}], "columns[0].id", "a meaning of its own"),
        ([{"id": "r"}], "columns[0].id", "a meaning of its own"),
        ([{"id": "class"}], "columns[0].id", "a meaning of its own"),
        ([{"id": "end"}], "columns[0].id", "a meaning of its own"),
        ([A, A], "columns[1].id", "twice"),
        ([{"id": "c", "formula": "1"}], "columns", "one column at least is entered"),
        ([{"id": "a", "shared": True}], "columns[0].counts", "nobody's points"),
        ([{"id": "a", "least": 3, "most": 2}], "columns[0].most", "less than 3"),
        ([{"id": "a", "least": 3, "default": 2}], "columns[0].default", "less than 3"),
        ([{"id": "a", "round": "up"}], "columns[0]", "with a formula"),
        ([{"id": "a", "labels": {"x": 1, "y": 1}}], "columns[0].labels", "same value"),
        ([{"id": "a", "labels": {"end": 1}}], "columns[0].labels", "a meaning of its own"),
        ([{"id": "a", "labels": {"r": 1}}], "columns[0].labels", "a meaning of its own"),
        ([{"id": "a", "labels": {"b": 1}}, B], "columns[0].labels", "b has a meaning of its own"),
        ([A, {"id": "c", "formula": "a", "least": 1}], "columns[1].least", "entered"),
        ([A, {"id": "c", "formula": "a", "default": 0}], "columns[1].default", "entered"),
        ([A, {"id": "c", "formula": "a", "ranges": [[2, 1], [1, 0]]}], "columns[1].ranges", "higher"),
        ([A, {"id": "c", "formula": "a", "per": "round"}], "columns[1].per", "no column is entered in rounds"),
        (
            [A, {"id": "b", "per": "round"}, {"id": "c", "formula": "a", "per": "round"}],
            "columns[2].formula",
            "there is no a here",
        ),
        (
            [A, {"id": "s", "shared": True, "counts": False}, {"id": "c", "formula": "rank(s)"}],
            "columns[2].formula",
            "of its own",
        ),
        ([A, {"id": "c", "formula": "ties(sides)"}], "columns[1].formula", "of its own"),
        ([{"id": "a", "least": 1e10}], "columns[0].least", "1000000000"),
    ],
)
def test_sheet_1_a_template_that_cannot_be_is_refused_with_the_field(refused, columns, field, why):
    found, reason = refused(columns=columns)
    assert found == field
    assert why in reason


@cases(
    ("fields", "field"),
    [
        ({"rounds": 3, "columns": [A]}, "rounds"),
        ({"by": "wood"}, "by"),
        ({"by": "points"}, "by"),
        ({"ties": [{"column": "wood"}]}, "ties[0].column"),
        ({"columns": [A], "by": "a", "target": 9}, "target"),
        ({"wins": "cooperative", "target": 9}, "target"),
        ({"wins": "nobody"}, "wins"),
        ({"target": 0}, "target"),
        ({"teams": [{"name": "Red"}, {"name": "Blue"}, {"name": "Red"}]}, "teams[2].name"),
        ({"teams": [{"name": "Red", "seats": [0]}, {"name": "Blue"}]}, "teams[1].seats"),
        ({"teams": [{"name": "Red", "seats": [0, 0]}, {"name": "Blue", "seats": [1]}]}, "teams"),
        ({"teams": [{"name": "Red", "seats": [0]}, {"name": "Blue", "seats": [2]}]}, "teams"),
        ({"columns": [{"id": f"a{n}", "labels": dict.fromkeys(WORDS, 1)} for n in range(60)]}, "components"),
        ({"bgg": "x"}, "bgg"),
        ({"no_such_field": 1}, "no_such_field"),
    ],
)
def test_sheet_1_an_end_that_cannot_be_is_refused_with_the_field(refused, fields, field):
    assert refused(**fields)[0] == field


def inserted(t, version, line):
    """A line that happened here, and was entered later."""
    before, t.state.version = t.state.version, version - 1
    t.do(line)
    t.state.version = before


def test_form_3_a_formula_cites_the_entry_that_happened_last_and_not_the_newest(table):
    columns = [
        {"id": "a", "per": "round", "counts": False},
        {"id": "b", "per": "round", "formula": "2 * a"},
        {"id": "most", "formula": "max(a)"},
    ]
    t = table("", 2, columns)
    t.do("r1 1 2")
    inserted(t, 9, "r2 3 4")
    inserted(t, 10, "p1 +5 a bonus")
    t.do("r3 5 6", "end")
    assert [(line[2], line[3], line[4]) for line in t.audit() if line[0] == "p1"] == [
        ("round-1", "FORM-1", 1),
        ("round-2", "FORM-1", 9),
        ("bonus", "ADJ-1", 10),
        ("round-3", "FORM-1", 2),
        ("most", "FORM-3", 3),
    ]
    assert SCORESHEET.state.load(t.state.dump()) == t.state


def test_form_3_a_formula_of_several_cells_cites_the_one_that_was_filled_in_last(table):
    columns = [{"id": "a", "counts": False}, {"id": "b", "counts": False}, {"id": "c", "formula": "a + b"}]
    t = table("", 2, columns)
    inserted(t, 7, "a 1 2")
    t.do("b 3 4")
    assert [(line[1], line[4]) for line in t.audit()] == [(4, 1), (6, 1)]


def test_form_4_the_audit_names_no_round_that_there_is_not(table):
    columns = [
        {"id": "a", "per": "round", "counts": False},
        {"id": "b", "per": "round", "formula": "sum(after(a)) - before(b, 1) + next(a)"},
    ]
    t = table("", 1, columns)
    t.do("r1 1", "r2 3", "end")
    assert [line[-1].partition(" with ")[2] for line in t.audit()] == ["r2 a 3, r2 a 3", "r1 b 6"]
    assert t.scores() == [0]
