"""Languages: which one a request is answered in, and that every word of every language is there."""

from __future__ import annotations

import io
import json
import re
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, get_args, get_type_hints

import msgspec
import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from flask import Flask, request

from events.types import GameClosed
from games.errors import ImpossibleError, RuleBrokenError
from games.manapani.chips import cost_words
from games.manapani.components import Cost
from games.rulesets import SHIPPED
from games.verraeter.moves import Choose
from games.verraeter.rounds import STEPS
from games.words import Sentence
from service import languages
from service.api.problems import problem
from service.cli.commands import kifu as command
from service.cli.shell import helping
from service.languages import plain, po, scripts, sentences
from service.languages.scripts import SCRIPTS
from service.pages import assets
from service.problems.kinds import KINDS, ProblemError
from tests import languages as catalogues
from tests.cases import cases
from tests.choosing import soak_except
from tests.english import english, visible_texts
from tests.goldens import cut

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from babel.messages.catalog import Message

    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

KAHUNA_CHANCE = next(iter(SHIPPED["kahuna"].chance_kinds.values()))
FIRE_GIANT = cost_words(Cost((2, 0, 0, 0), 1))
TYPED = re.compile("seafarer|end|leave")
"""An option and moves, as one types them."""
TEMPLATES = assets.STATIC.parent / "templates"


@cases(
    ("path", "headers", "locale"),
    [
        ("/", {}, "en"),
        ("/", {"Accept-Language": "ja"}, "ja"),
        ("/", {"Accept-Language": "ja-JP,ja;q=0.9,en;q=0.8"}, "ja"),
        ("/", {"Accept-Language": "de, ja;q=0.7, en;q=0.6"}, "ja"),
        ("/", {"Accept-Language": "en-GB, ja;q=0.5"}, "en"),
        ("/", {"Accept-Language": "fr"}, "en"),
        ("/", {"Accept-Language": "ja;q=0, fr"}, "en"),
        ("/", {"Accept-Language": "*"}, "en"),
        ("/", {"Accept-Language": "JA"}, "ja"),
        ("/", {"Accept-Language": "Ja-jp, EN"}, "ja"),
        ("/", {"Accept-Language": "EN-us, ja"}, "en"),
        ("/", {"Accept-Language": ";;q=, ja;q=x"}, "en"),
        ("/", {"Accept-Language": "ja", "Cookie": "kifu_language=en"}, "en"),
        ("/", {"Cookie": "kifu_language=ja"}, "ja"),
        ("/", {"Accept-Language": "ja", "Cookie": "kifu_language=xx"}, "ja"),
        ("/?lang=ja", {"Accept-Language": "en", "Cookie": "kifu_language=en"}, "ja"),
        ("/?lang=../ja", {}, "en"),
    ],
)
def test_the_language_is_named_or_chosen_or_preferred(path: str, headers: dict[str, str], locale: str) -> None:
    with Flask("any").test_request_context(path, headers=headers):
        assert languages.locale_of(request) == locale


OTHERS = [tag for tag in languages.locales() if tag != languages.ENGLISH]
read = cache(catalogues.read)
"""Catalogues that no test changes, each read once."""
PLACES = re.compile(r"%\(\w+\)s|\{\w+\}|<[^>]+>|`[^`]*`")
"""What a translation has to keep: places for values, marks of HTML, and code."""


def forms(message: Message) -> list[tuple[str, str]]:
    """The texts of a message, each with its translation; every form of a plural with the last English one."""
    if isinstance(message.id, str):
        return [(message.id, str(message.string))]
    return [(message.id[-1], translation) for translation in message.string]


@pytest.mark.parametrize("tag", OTHERS)
@pytest.mark.slow
def test_no_word_is_missing_in_a_language_and_none_is_there_for_nothing(tag: str) -> None:
    assert catalogues.merged(tag) == languages.path_of(tag).read_bytes(), "run `make languages`"
    known = [message for message in read(languages.path_of(tag)) if message.id]
    assert [message.id for message in known if not all(found for _, found in forms(message))] == []
    assert [message.id for message in known if message.fuzzy] == []


@pytest.mark.parametrize("tag", OTHERS)
def test_a_translation_has_the_places_and_marks_of_its_text(tag: str) -> None:
    wrong = [
        (text, translation)
        for message in read(languages.path_of(tag))
        if message.id
        for text, translation in forms(message)
        if translation and sorted(PLACES.findall(text)) != sorted(PLACES.findall(translation))
    ]
    assert wrong == []


@pytest.mark.parametrize("tag", OTHERS)
def test_every_plural_form_of_a_language_is_there(tag: str) -> None:
    known = read(languages.path_of(tag))
    plurals = [message for message in known if message.id and not isinstance(message.id, str)]
    assert plurals
    assert {len(message.string) for message in plurals} == {known.num_plurals}


SENTENCES = [(tag, package) for tag in OTHERS for package in catalogues.PACKAGES]


@pytest.mark.parametrize(("tag", "package"), SENTENCES)
@pytest.mark.slow
def test_no_sentence_of_a_ruleset_is_missing_in_a_language_and_none_is_there_for_nothing(
    tag: str, package: str
) -> None:
    path = catalogues.path_of(package, tag)
    assert catalogues.merged_sentences(package, tag) == path.read_bytes(), "run `make languages`"
    known = read(catalogues.path_of(package, tag))
    assert [message.id for message in known if message.id and not message.string] == []
    wrong = [
        (message.id, message.string)
        for message in known
        if message.id and message.string and set(PLACES.findall(message.id)) != set(PLACES.findall(message.string))
    ]
    assert wrong == []


@pytest.mark.parametrize("package", catalogues.PACKAGES)
@pytest.mark.slow
def test_no_ruleset_puts_a_sentence_together_in_english(package: str) -> None:
    folder = catalogues.ROOT / package.replace(".", "/")
    for path in folder.glob("**/*.py"):
        assert catalogues.bare_in_ruleset(path.read_text(encoding="utf-8")) == []


def test_a_sentence_that_is_put_together_in_english_is_found() -> None:
    assert catalogues.bare_in_ruleset('raise ImpossibleError(f"no bridge lies on {line}", RULE)')
    assert not catalogues.bare_in_ruleset('raise ImpossibleError("no bridge lies on {line}", RULE, line=line)')


def test_a_sentence_is_said_with_its_values_in_another_language() -> None:
    inner = Sentence("{number} cards", number=3)
    sentence = Sentence("{name} holds {held}, not {wanted}", name="black", held=inner, wanted="{BARI}")
    assert sentence == "black holds 3 cards, not {BARI}"
    assert sentences.translated_sentence(sentence, "ja", "kahuna") == "黒の手札は カード 3 枚 で、{BARI} ではありません"
    assert sentences.translated_sentence(sentence, "en", "kahuna") == sentence
    assert sentences.translated_sentence(Sentence("nobody ever said {this}", this=1), "ja", "") == "nobody ever said 1"


def test_effects_and_breaches_of_a_move_are_in_the_callers_language(api: Api) -> None:
    game = api.open()
    deal = api.record(game, "deal black BARI COCO DUDA", headers={"Accept-Language": "ja"})
    assert deal.get_json()["entries"][0]["effects"][0]["text"] == "黒が初手番。山札は 15 枚"
    refused = api.record(game, "white: +", headers={"Accept-Language": "ja"})
    assert refused.get_json()["detail"] == "いまは黒の手番で、白の手番ではありません"
    assert refused.get_json()["rule"] == "kahuna:SET-2"
    path = f"/v1/games/{game}/timeline"
    result = api.get(path, headers={"Accept-Language": "ja"})
    english = api.get(path)
    assert result.get_json()["entries"][1]["effects"][0]["text"] == "黒が初手番。山札は 15 枚"
    assert english.get_json()["entries"][1]["effects"][0]["text"] == "Black goes first; 15 cards are the deck"
    assert result.headers["ETag"] != english.headers["ETag"]
    assert "Accept-Language" in english.vary
    kinds = api.get("/v1/rulesets/kahuna", headers={"Accept-Language": "ja"}).get_json()["effects"]
    assert kinds["bridge.built"] == "{seat}が {at} に橋を架けました"


def test_the_note_of_a_line_says_in_japanese_what_the_columns_of_its_formula_are_called(api: Api) -> None:
    game = api.open(ruleset="scoresheet", options={"template": "wizard"}, seats=[{}, {}])
    api.record(game, "r1 bid 1 0")
    api.record(game, "r1 tricks 1 0")
    path = f"/v1/games/{game}/score"
    formula = "r1 points = 20 + 10 * tricks if tricks == bid else -10 * abs(tricks - bid) with bid 1, tricks 1"
    assert api.get(path).get_json()["lines"][0]["note"] == formula
    answer = api.get(path, headers={"Accept-Language": "ja"}).get_json()["lines"][0]["note"]
    result = "r1 得点 = 20 + 10 * トリック if トリック == ビッド else -10 * abs(トリック - ビッド)"
    assert answer == f"{result}（ビッド 1、トリック 1）"


def test_effects_on_a_sheet_say_in_japanese_what_columns_and_markers_are_called(api: Api) -> None:
    """Their `at` is data, and the same in every language."""
    game = api.open(ruleset="scoresheet", options={"template": "wizard"}, seats=[{}, {}])
    assert api.record(game, "r1 bid 1 0", "r1 tricks 1 0", "r1 dealer p2").status_code == 201
    path = f"/v1/games/{game}/timeline"
    told = [api.get(path, headers={"Accept-Language": tag}).get_json()["entries"][1:] for tag in ("en", "ja")]
    english, japanese = ([effect for entry in entries for effect in entry.get("effects", [])] for entries in told)
    assert [effect["at"] for effect in japanese] == [effect["at"] for effect in english]
    assert [effect["text"] for effect in english][2:] == [
        "Player 1 entered r1 p1 tricks, 1",
        "Player 2 entered r1 p2 tricks, 0",
        "dealer: Player 2",
    ]
    assert [effect["text"] for effect in japanese][2:] == [
        "プレイヤー1がr1 p1 トリック、1を記入しました",
        "プレイヤー2がr1 p2 トリック、0を記入しました",
        "ディーラー：プレイヤー2",
    ]
    columns = [{"id": "bid", "per": "round"}, {"id": "tricks", "ja": "取った数", "per": "round"}]
    own = api.open(ruleset="scoresheet", components={"name": "Own", "columns": columns}, seats=[{}, {}])
    assert api.record(own, "r1 tricks 1 0").status_code == 201
    answer = api.get(f"/v1/games/{own}/timeline", headers={"Accept-Language": "ja"}).get_json()["entries"]
    assert answer[-1]["effects"][0]["text"] == "プレイヤー1がr1 p1 取った数、1を記入しました"


COMMANDS = [
    path
    for path in sorted((catalogues.ROOT / "service/cli").glob("*.py"))
    if path.name not in {*catalogues.FOR_AUTHORS, "helping.py"}
]


@cases("path", COMMANDS, ids=lambda path: path.name)
def test_no_english_stands_in_a_command_by_itself(path: Path) -> None:
    assert catalogues.bare_in_command(path.read_text(encoding="utf-8")) == []


@cases(
    "source",
    [
        'def show(): screen.hint("No game matches.")',
        'def show(): screen.hint(f"The board is in {png}.")',
        'def show(): raise CommandError(gettext("said"), "and not said")',
        'WHY = {"late": "the code has expired"}',
        'def show(): return "no turn" if late else gettext("a turn")',
    ],
)
def test_english_by_itself_is_found_in_a_command(source: str) -> None:
    assert catalogues.bare_in_command(source)


VARIANTS = re.compile(
    "ブラウザー|フォルダー|だれ|わか[るりらっれ]|要求|対局|命令|得点ボード|裁定を?取り消|既成|打ち切|計算式|収穫ダイス|得点表"
    r"|第 \{round\} ラウンド|ルールに反|新しいルール|(?<![\w`+_({=<.-])id(?![\w`+_=>)}])"
)
"""Japanese words with another standard form everywhere else: ブラウザ, フォルダ, 誰, 分かる, ゲーム, ID …"""


def test_one_thing_goes_by_one_word_in_japanese() -> None:
    books = [
        read(languages.path_of("ja")),
        *(read(catalogues.path_of(each, "ja")) for each in catalogues.PACKAGES),
    ]
    found = [translation for book in books for message in book if message.id for _, translation in forms(message)]
    assert [text for text in found if VARIANTS.search(text)] == []


JAPANESE = "[\u3040-\u30ff\u3400-\u9fff]"
APART = re.compile(rf"(?:%\((?:who|names?)\)s|\{{(?:who|names?|speaker)\}})(?:</\w+>)* +{JAPANESE}")
"""A blank between a name and the particle after it."""
OF_CODE = ("views/problems.py", "views/language.py", "kind.html", "sheet/sheet.js", "service/app.py")
"""Where a name is none of a person, and stands between blanks as code does."""


def test_no_blank_stands_between_a_name_and_what_follows_in_japanese() -> None:
    shown = [
        message
        for message in read(languages.path_of("ja"))
        if message.id
        and any(path.startswith(("service/pages", "service/api/storytelling")) for path, _ in message.locations)
        and not any(path.endswith(OF_CODE) for path, _ in message.locations)
    ]
    rules = [each for package in catalogues.PACKAGES for each in read(catalogues.path_of(package, "ja"))]
    moves = [message for message in rules if "{speaker}" in message.id]
    found = [said for message in (*shown, *moves) for _, said in forms(message)]
    assert len(found) > len(shown) > 500
    assert [said for said in found if APART.search(said)] == []


def test_no_western_comma_stands_beside_japanese() -> None:
    books = [
        read(languages.path_of("ja")),
        *(read(catalogues.path_of(each, "ja")) for each in catalogues.PACKAGES),
    ]
    found = [said for book in books for message in book if message.id for _, said in forms(message)]
    assert [said for said in found if re.search(f"{JAPANESE}, |, {JAPANESE}", re.sub("`[^`]*`", "", said))] == []


def test_what_is_put_together_of_terms_has_the_blanks_and_commas_of_the_language() -> None:
    assert sentences.with_translated_terms("black won, 1500", "ja", "kahuna") == "黒の勝ち、1500"
    assert sentences.with_translated_terms("black won, 1500", "en", "kahuna") == "black won, 1500"


@pytest.mark.parametrize("tag", OTHERS)
def test_every_text_of_a_ruleset_is_said_in_another_language(tag: str) -> None:
    for ruleset in SHIPPED.values():
        known = sentences.words(tag, ruleset.name)
        assert [text for text in (*ruleset.effect_sentences.values(), *ruleset.terms) if text not in known] == []


def test_what_a_ruleset_says_has_no_english_in_japanese() -> None:
    for package in catalogues.PACKAGES:
        known = read(catalogues.path_of(package, "ja"))
        texts = [message for message in known if message.id and not message.context and not typed_in(message)]
        found = [PLACES.sub("", str(message.string)) for message in texts]
        assert [said for said in found if re.search("[A-Za-z]{2,}", TYPED.sub("", said))] == []


def typed_in(message: Message) -> bool:
    """Whether a text is of the help of a notation, or of components, which names what one types."""
    return message.locations[0][0].endswith("__init__.py")


@cases(
    ("ruleset", "text", "said"),
    [
        ("verraeter", "Round 3 of 8, player 2 to act", "ラウンド 3/8、2番の番"),
        ("verraeter", "Eagle 12 = land 5 + cards 5 + Diplomat 2", "鷹 12 = 土地 5 + カード 5 + 外交官 2"),
        ("manapani", "2 red, 1 white", "赤 2、白 1"),
        ("manapani", "4 fire land", "4 火の土地"),
        ("catan_cards", "2 ore for 1 wool", "鉱石 2 → 羊毛 1"),
        ("catan_cards", "a score", "a score"),
        ("scoresheet", "paid for the discards", "paid for the discards"),
        ("scoresheet", "showed a card, lost 3 cards", "showed a card, lost 3 cards"),
        ("scoresheet", "Yatzy, the game is over", "Yatzy、ゲームは終わっています"),
        ("kahuna", KAHUNA_CHANCE.en, KAHUNA_CHANCE.ja),
        ("unheard-of", "2 red", "2 red"),
    ],
)
def test_the_terms_of_a_ruleset_are_put_into_what_is_no_sentence(ruleset: str, text: str, said: str) -> None:
    assert sentences.with_translated_terms(text, "ja", ruleset) == said
    assert sentences.with_translated_terms(text, "en", ruleset) == text


@cases(
    ("of", "sentence", "said"),
    [
        (
            "manapani",
            RuleBrokenError("manapani:16", "{card} costs {cost_words}", card="Fire Giant", cost_words=FIRE_GIANT),
            "ファイアージャイアントのコストは 赤 2と任意の色 1 です",
        ),
        (
            "verraeter",
            ImpossibleError(
                "{wrong}: now {step_words}", "verraeter:12", wrong=Choose.wrong_step_rule[1], step_words=STEPS["lay"][0]
            ),
            "行動カードを選ぶのは、抗争カードを置いた後、公開の前です。いまは次の段階です: 戦力カードを出す",
        ),
        (
            "catan_cards",
            RuleBrokenError("catan_cards:46", "{card} is for cities only", card="Aqueduct"),
            "水道は都市専用です",
        ),
    ],
)
def test_what_a_move_breaks_is_said_with_its_values_in_japanese(
    of: str, sentence: RuleBrokenError | ImpossibleError, said: str
) -> None:
    assert sentences.translated_sentence(sentence.why, "ja", of) == said


@cases("path", sorted(TEMPLATES.glob("*.html")), ids=lambda path: path.name)
def test_no_english_stands_in_a_template_by_itself(path: Path) -> None:
    assert catalogues.bare_in_template(path.read_text(encoding="utf-8")) == []


@cases("path", sorted(assets.SCRIPTS.rglob("*.js")), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_english_stands_in_a_script_by_itself(path: Path) -> None:
    assert catalogues.bare_in_script(path.read_text(encoding="utf-8")) == []


@cases(
    "source",
    [
        "<p>Welcome</p>",
        '<p aria-label="Scores">{{ x }}</p>',
        '{{ "won" if first else _("lost") }}',
        '<p>{{ _("Said") }} and not said</p>',
        '{{ name or "nobody" }}',
    ],
)
def test_english_by_itself_is_found_in_a_template(source: str) -> None:
    assert catalogues.bare_in_template(source)


@cases(
    "source",
    [
        'h("p", {}, "Nobody won")',
        'h("p", {}, `${name} won`)',
        'h("p", {}, `Entry ${version}`)',
        'h("p", {}, t("Said"), "by a QR code")',
        'button.textContent = done ? "Copied" : t("Copy")',
        'h("input", { "aria-label": "Move" })',
    ],
)
def test_english_by_itself_is_found_in_a_script(source: str) -> None:
    assert catalogues.bare_in_script(source)


def test_words_of_templates_and_scripts_are_found_in_every_place() -> None:
    script = b't("One {b}", { b: t("Two") }); tn(x.length, "{count} c", "{count} d"); `${t("Three")} e`; not("Four");'
    found = [text for _, _, text, _ in catalogues.scripts(io.BytesIO(script))]
    assert found == ["One {b}", "Two", ("{count} c", "{count} d"), "Three"]


def test_the_words_of_scripts_are_those_that_scripts_use_alone() -> None:
    result = assets.content("words/ja/access.js").decode()
    assert '"Invite somebody":"招待する"' in result
    assert '"Invite somebody"' not in assets.content("words/ja/games.js").decode()
    assert '"{count} game":["ゲーム {count} 件"]' in result
    assert "Skip to the content" not in result
    assert "No connection" in assets.worker("ja").decode().partition("const ")[0]
    assert "kifuWords =" not in assets.worker("en").decode()
    for name in ("words/ja.js", "words/en/game.js", "words/xx/game.js", "words/ja/none.js", "words/../ja/game.js"):
        with pytest.raises(FileNotFoundError):
            assets.content(name)


@pytest.mark.slow
def test_what_a_page_loads_later_brings_the_words_that_the_page_has_not() -> None:
    pages = {page.stem: page.read_text(encoding="utf-8") for page in TEMPLATES.glob("*.html")}
    later = {name: {*re.findall(r"later\('([\w/]+)'\)", text)} for name, text in pages.items()}
    assert {name: found for name, found in later.items() if found} == {"game": set(chain(*assets.LATER.values()))}
    first = assets.content("words/ja/game.js").decode()
    alone = assets.bundle(assets.SCRIPTS / "game.js")
    for each in assets.LATER["game"]:
        script = assets.content(f"later/ja/{each}.js").decode()
        used = set(re.findall(r'\bt\("([^"]+)"', script))
        assert any(f't("{text}"' not in alone for text in used)
        assert [text for text in sorted(used) if f'"{text}":' not in first + script] == []


def test_the_page_of_a_game_has_a_word_for_every_way_to_close_it() -> None:
    words = assets.content("words/ja/game.js").decode()
    assert [how for how in get_args(get_type_hints(GameClosed)["how"]) if f'"{how}":"' not in words] == []


POLISH = f"""
msgid ""
msgstr "Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);\\n"

#: {SCRIPTS}x.js
msgid "{{count}} game"
msgid_plural "{{count}} games"
msgstr[0] "{{count}} gra"
msgstr[1] "{{count}} gry"
msgstr[2] "{{count}} gier"
"""


def test_the_plural_forms_of_scripts_are_those_of_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    polish = po.Catalog(POLISH)
    monkeypatch.setattr(scripts, "catalog", lambda _: polish)
    result = json.loads(
        scripts.words("pl", of={f"{SCRIPTS}x.js"}).removeprefix("globalThis.kifuWords = ").rstrip(";\n")
    )
    assert result["forms"] == {"one": 0, "few": 1, "many": 2}
    assert result["words"] == {"{count} game": ["{count} gra", "{count} gry", "{count} gier"]}


def test_a_page_is_in_the_language_of_its_reader_and_says_so(api: Api) -> None:
    answer = api.get("/", headers={"Accept-Language": "ja-JP,en;q=0.5"})
    assert '<html lang="ja">' in answer.text
    assert "<h1>ゲーム</h1>" in answer.text
    assert "words/ja/games.js" in answer.text
    assert set(answer.vary) >= {"Accept-Language", "Cookie"}
    english = api.get("/")
    assert '<html lang="en">' in english.text
    assert "words/" not in english.text
    assert set(english.vary) >= {"Accept-Language", "Cookie"}


def test_a_language_that_was_chosen_is_kept_and_leads_back(api: Api) -> None:
    chosen = api.post("/language", data={"lang": "ja", "back": "/rulesets/kahuna?x=1"}, headers={"Accept": "text/html"})
    assert (chosen.status_code, chosen.location) == (303, "/rulesets/kahuna?x=1")
    assert '<html lang="ja">' in api.get("/", headers={"Accept-Language": "en"}).text
    assert '<html lang="en">' in api.get("/?lang=en").text
    assert '<html lang="ja">' in api.get("/").text  # an address chooses nothing
    api.post("/language", data={"lang": "en", "back": "/"})
    assert '<html lang="en">' in api.get("/", headers={"Accept-Language": "ja"}).text


@pytest.mark.parametrize(
    "back", ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example", "", "/a\nb"]
)
def test_choosing_a_language_leads_nowhere_else(api: Api, back: str) -> None:
    assert api.post("/language", data={"lang": "ja", "back": back}).location == "/"


def test_a_language_that_is_not_there_is_refused(api: Api) -> None:
    answer = api.post("/language", data={"lang": "xx", "back": "/"}, headers={"Accept": "application/json"})
    assert answer.status_code == 400
    assert "xx" in answer.get_json()["detail"]
    assert "Set-Cookie" not in answer.headers


def test_another_page_chooses_no_language(api: Api) -> None:
    headers = {"Origin": "https://elsewhere.example", "Accept": "application/json"}
    assert api.post("/language", data={"lang": "ja", "back": "/"}, headers=headers).status_code == 403


@pytest.fixture
def french(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A language with nothing but its file, with one word in it."""
    file = tmp_path / "fr" / "LC_MESSAGES" / "kifu.po"
    file.parent.mkdir(parents=True)
    found = {
        "": "Content-Type: text/plain; charset=utf-8\\nPlural-Forms: nplurals=2; plural=n > 1;\\n",
        "Games": "Parties",
    }
    file.write_text("".join(f'msgid "{text}"\nmsgstr "{word}"\n\n' for text, word in found.items()), encoding="utf-8")
    yield from spoken(tmp_path, monkeypatch)


def spoken(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have the languages of a folder in place of the project's."""
    kept = (
        languages.locales,
        languages.negotiate,
        languages.catalog,
        plain._known,
        sentences.words,
        sentences._finding,
    )
    for each in kept:
        each.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr(languages, "FOLDER", folder)
        yield
    for each in kept:
        each.cache_clear()


@pytest.mark.usefixtures("french")
def test_another_language_is_one_file(api: Api) -> None:
    page = api.get("/", headers={"Accept-Language": "fr-CH"}).text
    assert '<html lang="fr">' in page
    assert "<h1>Parties</h1>" in page
    assert "français</button>" in page
    assert "Skip to the content" in page  # what is not translated is said in English
    assert scripts.words("fr", of=()).startswith('globalThis.kifuWords = {"locale":"fr","forms":{"one":0,"other":1')


def test_a_problem_is_in_the_callers_language(api: Api) -> None:
    game = "01890000-0000-7000-8000-000000000000"
    path = f"/v1/games/{game}"
    answer = api.get(path, headers={"Accept-Language": "ja"})
    body = answer.get_json()
    assert (body["title"], body["type"]) == ("そのゲームはありません", "/problems/game-unknown")
    assert "/v1/games" in body["advice"]
    assert body["detail"] == f"ゲーム {game} はありません"
    assert "Accept-Language" in answer.vary
    english = api.get(path).get_json()
    assert (english["title"], english["detail"]) == ("Game not found", f"no game {game}")


def test_every_kind_of_problem_is_told_in_japanese() -> None:
    for name, kind in KINDS.items():
        with Flask("any").test_request_context("/", headers={"Accept-Language": "ja"}):
            answer = problem(ProblemError(name, "why")).get_json()
        assert (answer["type"], answer["status"]) == (f"/problems/{name}", kind.status)
        assert all(re.search("[ぁ-ん]", answer[said]) for said in ("title", "advice")), answer
        with Flask("any").test_request_context("/"):
            answer = problem(ProblemError(name, "why")).get_json()
        assert (answer["title"], answer["advice"]) == (kind.title, kind.advice)


@pytest.mark.parametrize("tag", ["JA", "Ja-jp", "EN"])
def test_a_tag_of_a_language_may_have_large_letters(api: Api, tag: str) -> None:
    page = api.get("/", headers={"Accept-Language": tag, "Accept": "text/html"})
    assert (page.status_code, f'<html lang="{tag[:2].lower()}">' in page.text) == (200, True)


def test_a_time_is_written_as_the_language_has_it(api: Api) -> None:
    path = f"/games/{api.open()}"
    assert re.search(r">20\d\d/\d\d/\d\d \d\d:\d\d UTC</time>", api.get(path, headers={"Accept-Language": "ja"}).text)
    assert re.search(r">[A-Z][a-z]{2} \d{1,2}, 20\d\d \d\d:\d\d UTC</time>", api.get(path).text)


def test_the_home_screen_and_the_worker_speak_the_language_of_the_reader(api: Api) -> None:
    manifest = api.get("/manifest.webmanifest", headers={"Accept-Language": "ja"})
    assert (manifest.get_json(force=True)["lang"], "Accept-Language" in manifest.vary) == ("ja", True)
    worker = api.get("/worker.js", headers={"Accept-Language": "ja"})
    assert "接続できません" in worker.text
    assert "Accept-Language" in worker.vary
    assert "接続できません" not in api.get("/worker.js").text


def test_what_is_the_same_in_all_languages_depends_on_none(api: Api) -> None:
    assert "Accept-Language" not in api.get("/v1/games").vary
    assert "Accept-Language" not in api.get(f"/static/{assets.digest()}/words/ja/games.js").vary


OPEN, CLOSE = "⟦", "⟧"


def bracketed(text: str) -> str:
    """A text as a made-up language has it: in brackets, with its places and marks as they are."""
    return f"{OPEN}{text}{CLOSE}"


@pytest.fixture(scope="module")
def bracketed_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a language, that of the service and one beside each ruleset: all texts, in brackets."""
    folder = tmp_path_factory.mktemp("bracketed")
    write_bracketed(folder / "fr" / "LC_MESSAGES" / "kifu.po", read(languages.path_of("ja")))
    for package in catalogues.PACKAGES:
        write_bracketed(folder / package / "words.fr.po", read(catalogues.path_of(package, "ja")))
    return folder


@pytest.fixture
def made_up(bracketed_files: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A language that is its files alone."""
    monkeypatch.setattr(sentences, "files", bracketed_files.joinpath)
    yield from spoken(bracketed_files, monkeypatch)


def write_bracketed(file: Path, known: Catalog) -> None:
    book = Catalog("fr", charset="utf-8")
    for message in known:
        if message.id:
            result = bracketed(message.id) if isinstance(message.id, str) else tuple(map(bracketed, message.id))
            book.add(message.id, result, message.locations, context=message.context)
    file.parent.mkdir(parents=True)
    with file.open("wb") as written:
        write_po(written, book)


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    "path",
    soak_except(["/", "/login", "/join", "/device", "/problems", "/rulesets", "/access", "/draft"], "/", "/access"),
)
@pytest.mark.slow
@pytest.mark.service("test")
def test_all_that_a_page_says_comes_from_the_file_of_a_language(api: Api, path: str) -> None:
    content = visible_texts(api.get(path, headers={"Accept-Language": "fr", "Accept": "text/html"}).text, "fr")
    assert any(OPEN in text for text in content)
    outside = re.sub(f"{OPEN}[^{OPEN}]*?{CLOSE}", "", "\n".join(content))
    while (rest := re.sub(f"{OPEN}[^{OPEN}]*?{CLOSE}", "", outside)) != outside:
        outside = rest
    assert english(outside, OF_RULESETS) == []


OF_RULESETS = re.compile("|".join(re.escape(each.title.en) for each in SHIPPED.values()) + "|français|English|example")
"""Names of rulesets, which bring their own, and of languages."""


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize("name", soak_except(SHIPPED, "kahuna", "scoresheet"))
@pytest.mark.slow
def test_all_that_a_ruleset_says_comes_from_its_file_of_a_language(api: Api, name: str) -> None:
    fr = {"Accept-Language": "fr"}
    ruleset = api.get(f"/v1/rulesets/{name}", headers=fr).get_json()
    found = [*ruleset["effects"].values(), ruleset["notation_help"], *ruleset["changes"]]
    game = api.request("POST", "/v1/imports", data=cut(name, LATE[name], 12), content_type="text/plain").get_json()[
        "game"
    ]
    entries = api.get(f"/v1/games/{game}/timeline", headers=fr).get_json()["entries"]
    effects = [effect["text"] for entry in entries for effect in entry.get("effects", [])]
    tables = api.get(f"/v1/games/{game}/state", headers=fr).get_json()["tables"]
    why = api.record(game, "?", headers=fr).get_json()["detail"]
    assert len(effects) > 5
    assert [said for said in (*found, *effects, why) if OPEN not in said] == []
    assert any(OPEN in row[0] for table in tables for row in table["rows"])


LATE = {
    "kahuna": "points",
    "verraeter": "four_players",
    "manapani": "two_players",
    "catan_cards": "buildings",
    "scoresheet": "bridge",
}
"""A recorded game of each ruleset."""


@pytest.mark.usefixtures("made_up")
@pytest.mark.slow
def test_a_sheet_speaks_any_language_that_has_a_file(api: Api) -> None:
    (found,) = api.get("/v1/templates?q=bridge", headers={"Accept-Language": "fr"}).get_json()["templates"]
    assert (found["about"][0], found["checked"][0]) == (OPEN, OPEN)
    game = api.open(ruleset="scoresheet", options={"template": "bridge"}, seats=[{}, {}, {}, {}])
    table, _ = api.get(f"/v1/games/{game}/state", headers={"Accept-Language": "fr"}).get_json()["tables"]
    assert table["columns"][1:] == [bracketed("North-South"), bracketed("East-West")]


@pytest.mark.usefixtures("made_up")
@pytest.mark.slow
def test_all_that_a_problem_and_a_command_say_comes_from_the_file_of_a_language(api: Api) -> None:
    answer = api.post("/v1/games", {"id": "x"}, headers={"Accept-Language": "fr"}).get_json()
    content = [answer["title"], answer["detail"], answer["advice"], *(error["message"] for error in answer["errors"])]
    assert [text for text in content if not text.startswith(OPEN)] == []
    languages.set_language("fr")
    try:
        content = [line.strip() for _, text in helping.texts(command) for line in [languages.gettext(text)]]
    finally:
        languages.set_language("en")
    assert [text for text in content if not text.startswith(OPEN)] == []


def test_an_answer_asks_once_for_its_language_and_without_sentences_never(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def locale() -> str:
        asked.append("ja")
        return "ja"

    monkeypatch.setattr(sentences, "locale", locale)
    msgspec.json.encode(["a card", 3], enc_hook=sentences.sentence_encoder())
    assert asked == []
    said = [Sentence("{seat} drew from the deck", seat=seat).by("kahuna") for seat in ("Black", "White")]
    written = msgspec.json.encode(said, enc_hook=sentences.sentence_encoder()).decode()
    assert "drew" not in written
    assert asked == ["ja"]
