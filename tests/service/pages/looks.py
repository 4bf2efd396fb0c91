"""What is looked at on every page: that it fits all screens and thumbs, that it can be read, and that axe-core passes.

`tests/axe/` holds axe-core as it is published, under its own licence.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests import tiers
from tests.service.pages.steps import show_all_tabs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from playwright.sync_api import Page

    from tests.service.pages.conftest import Scheme

ALL_WIDTHS = (320, 360, 640, 1280)
"""A small phone, a phone, a desk at 200 %, a desk."""
WIDTHS = ALL_WIDTHS if tiers.SOAK else (320, 1280)
"""No style sheet tells 320 px from 360. The style, the page of a game and the list are looked at with 640, too."""
THUMB = 44
HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script><svg/onload=alert(3)>{{7*7}}'
LONG = "Donaudampfschifffahrtsgesellschaftskapitänswitwe" * 2

UNNAMED = """() => [...document.querySelectorAll('input, select, textarea, button, a, [role=region], dialog')]
  .filter(part => part.checkVisibility() && !part.labels?.length && !part.getAttribute('aria-label')
    && !part.getAttribute('aria-labelledby') && !part.textContent.trim()
    && !part.querySelector('img[alt]:not([alt=""])'))
  .map(part => part.outerHTML)"""
MISNAMED = """() => [...document.querySelectorAll("button, a, summary, [role=button], [role=tab]")]
  .filter((part) => part.checkVisibility() && part.getAttribute("aria-label"))
  .filter((part) => {
    const plain = (text) => text.normalize("NFKC").toLowerCase().replace(/[^\\p{L}\\p{N}]+/gu, "");
    const seen = [...part.querySelectorAll("*"), part].flatMap((each) => [...each.childNodes])
      .filter((node) => node.nodeType === 3 && !node.parentElement.closest("svg, [aria-hidden=true]")
        && node.parentElement.checkVisibility()).map((node) => plain(node.data));
    return seen.some((text) => !plain(part.getAttribute("aria-label")).includes(text));
  }).map((part) => part.outerHTML.slice(0, 200))"""
"""Every control that is called otherwise than it says: who speaks to a phone says what is seen."""
SMALL = """(thumb) => [...document.querySelectorAll('button, .button, input, select, textarea, summary, nav a')]
  .filter(part => part.checkVisibility({visibilityProperty: true}))
  .filter(part => !['checkbox', 'radio', 'range'].includes(part.type))
  .filter(part => Math.min(part.getBoundingClientRect().height, part.getBoundingClientRect().width) < thumb)
  .map(part => part.outerHTML)"""
FAINT = """() => {
  const channel = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const rgba = (text) => text.match(/[\\d.]+/g).map(Number);
  const ground = (part) => {
    for (; part; part = part.parentElement) {
      const colour = rgba(getComputedStyle(part).backgroundColor);
      if (colour[3] !== 0) return colour;
    }
  };
  const solid = (part) => part ? Number(getComputedStyle(part).opacity) * solid(part.parentElement) : 1;
  const mixed = (colour, under, share) => colour.slice(0, 3).map((each, at) => share * each + (1 - share) * under[at]);
  const said = (node) => node.nodeType === 3 && node.data.trim();
  const FIELDS = "input:not([type=checkbox], [type=radio], [type=range], [type=file]), textarea, select";
  return [...document.querySelectorAll("main *, header *, footer *, dialog *")]
    .filter((part) => part.checkVisibility() && solid(part) > 0.5 && !part.disabled)
    .filter((part) => part.matches(FIELDS) || [...part.childNodes].some(said))
    .filter((part) => {
      const under = ground(part);
      const text = mixed(rgba(getComputedStyle(part).color), under, solid(part));
      const [a, b] = [light(text), light(under)].sort((x, y) => y - x);
      return (a + 0.05) / (b + 0.05) < 4.5;
    })
    .map((part) => part.outerHTML.slice(0, 200));
}"""
"""Every text with a contrast below 4.5 : 1 against its background. What cannot be used now may be half as clear."""
LARGE = """() => {
  const large = new CSSStyleSheet();
  large.replaceSync(":root { font-size: 200% }");
  document.adoptedStyleSheets.push(large);
}"""
LARGER = """() => {
  const size = (part) => parseFloat(getComputedStyle(part).fontSize);
  const all = [...document.querySelectorAll("body *:not(svg *)")].map((part) => [part, size(part)]);
  for (const [part, before] of all) part.style.fontSize = `${2 * before}px`;
}"""
"""Enlarges all text and nothing else, as browsers do that zoom text alone."""
CUT = """() => [...document.querySelectorAll("main :is(button, a, p, h1, h2, h3, summary, label, .badge), dialog *")]
  .filter((part) => part.checkVisibility({ visibilityProperty: true }) && !part.closest("svg, select"))
  .filter((part) => {
    const { overflowX, clipPath, textOverflow } = getComputedStyle(part);
    return ["hidden", "clip"].includes(overflowX) && clipPath === "none" && textOverflow !== "ellipsis";
  })
  .filter((part) => part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1)
  .map((part) => part.outerHTML.slice(0, 200))"""
"""Every text that is partly hidden."""
AXE = (Path(__file__).parents[2] / "axe" / "axe.min.js").read_text(encoding="utf-8")
EXAMINE = """async ({contrasts, whole}) => {
  const ALSO = ["label-content-name-mismatch", "target-size"];
  const all = new CSSStyleSheet();  // entries far off the screen are not laid out: nothing can be measured in them
  all.replaceSync(".timeline .entry { content-visibility: visible !important; }");
  document.adoptedStyleSheets.push(all);
  const aside = [];
  for (const parent of whole ? [] : document.querySelectorAll("body *:has(> :nth-child(9))")) {
    const alike = Map.groupBy(parent.children, (part) => `${part.localName} ${part.className}`);
    for (const part of [...alike.values()].flatMap((parts) => parts.slice(8))) {
      const place = document.createComment("");
      part.replaceWith(place);
      aside.push([place, part]);
    }
  }
  const dialog = [...document.querySelectorAll("dialog:modal")].pop();  // all else can be neither reached nor heard
  const {violations} = await axe.run(dialog ?? document, {
    resultTypes: ["violations"],
    selectors: false,
    preload: whole,
    rules: {"color-contrast": {enabled: contrasts}, ...Object.fromEntries(ALSO.map((rule) => [rule, {enabled: true}]))},
  });
  for (const [place, part] of aside.reverse()) place.replaceWith(part);
  const told = (id) => ({html, failureSummary}) => `${id}: ${html.slice(0, 160)} ${failureSummary}`;
  return violations.flatMap(({id, nodes}) => nodes.map(told(id)));
}"""
"""What is wrong on a page, behind all its tabs, or in its open dialog. It applies all rules, also those not tried
unasked. Of more than eight parts side by side that are alike it looks at eight, unless it is to look at the `whole`.
Then it also looks at the style sheets, which all pages share, for what turns a page by the way a phone is held.
"""
LEVELS = """() => [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")]
  .filter((part) => part.checkVisibility()).map(({ localName }) => Number(localName[1]))"""
UNFOLD = "() => document.querySelectorAll('details').forEach((part) => { part.open = true; })"


def unfold(page: Page) -> None:
    """Open all that is folded."""
    page.evaluate(UNFOLD)


def assert_heading_levels(page: Page) -> None:
    """See that headings go down one level at a time: a person who hears a page moves through it by them."""
    levels = page.evaluate(LEVELS)
    assert levels[0] == 1
    assert all(lower <= upper + 1 for upper, lower in itertools.pairwise(levels)), levels


BROKEN = """(where) => {
  const found = [];
  const WORD = /(?<![\\p{Script=Latin}\\d])[\\p{Script=Latin}\\d]{2,9}(?![\\p{Script=Latin}\\d])/gu;
  for (const cell of document.querySelectorAll(where)) {
    if (!cell.checkVisibility({ visibilityProperty: true })) continue;
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text; (text = texts.nextNode()); )
      for (const { 0: word, index } of text.data.matchAll(WORD)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
          found.push(`${word} in ${cell.textContent.trim().slice(0, 60)}`);
      }
  }
  return found;
}"""
"""The words and numbers in some parts that stand on two lines, but for very long ones."""

OF_NOBODY = """() => [...document.querySelectorAll("form[method=post]")]
  .filter((form) => (form.elements.person_of_page?.value ?? "") !== (document.body.dataset.person ?? ""))
  .map((form) => form.outerHTML)"""
"""The forms without the tag of the person that their page was made for."""


def assert_usable(page: Page, widths: Iterable[int] = WIDTHS) -> None:
    """See that a page fits screens of these widths and a thumb, and that controls have names that say what is seen."""
    for width in widths:
        page.set_viewport_size({"width": width, "height": 740})
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{page.url} is {wide} px wide on a screen of {width}"
        broken = page.evaluate(BROKEN, "td, th")
        assert not broken, f"{page.url} on a screen of {width}: {broken}"
    assert page.evaluate(UNNAMED) == []
    assert page.evaluate(MISNAMED) == []
    assert page.evaluate(SMALL, THUMB) == []
    assert page.evaluate(OF_NOBODY) == []


def low_contrast_texts(page: Page, scheme: Scheme) -> list[str]:
    """The texts that do not stand out from their ground, in light or in dark."""
    page.emulate_media(color_scheme=scheme)
    found: list[str] = page.evaluate(FAINT)
    return found


def assert_contrast(page: Page) -> None:
    """See that the text stands out from its ground, in light and in dark."""
    assert (low_contrast_texts(page, "light"), low_contrast_texts(page, "dark")) == ([], [])


def examine(page: Page, *, also_dark: bool = True) -> list[Any]:
    """What axe objects to on a page, and which text is faint in light and in dark, which changes nothing but contrasts.

    axe takes half of its time for contrasts. It looks at those of each element on the page of the style, in light and
    in dark, and, in the long form, on all pages. So it does with all parts of a page that are alike, and with the style
    sheets. The dark has the same elements: a short run looks at them on the page of the style, and in a game.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
        show_all_tabs(page)
    schemes: tuple[Scheme, ...] = ("dark", "light") if also_dark and tiers.SOAK else ("light",)
    unclear = [f"faint in {scheme}: {text}" for scheme in schemes for text in low_contrast_texts(page, scheme)]
    return [*page.evaluate(EXAMINE, {"contrasts": tiers.SOAK, "whole": tiers.SOAK}), *unclear]


def assert_text_fits(page: Page, large: str = LARGE) -> None:
    """See that there is room for text of twice the size, and that none of it is cut."""
    page.evaluate(large)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate(CUT) == []
    assert page.evaluate(BROKEN, "summary > h2") == []
