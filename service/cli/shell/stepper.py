"""Stepping through pages on a full terminal, one key per step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import FormattedTextControl, HSplit, Layout, Window

from service.languages import gettext, gettext_noop

if TYPE_CHECKING:
    from collections.abc import Callable

    from prompt_toolkit.key_binding import KeyPressEvent

KEYS = gettext_noop("→ or space: next   ←: back   Home, End: first, last   q: quit")

FORWARD, BACK = ("right", "down", "space", "enter", "n"), ("left", "up", "backspace", "p")
FIRST, LAST = ("home", "g"), ("end", "G")
QUIT = ("q", "escape", "c-c", "c-d")


class Stepper:
    """Shows one of `count` pages at a time. `page` makes the page of a number, as text with escape sequences."""

    def __init__(self, count: int, page: Callable[[int], str]) -> None:
        self._count, self._page = count, page
        self._at, self._text = 0, page(0)
        body = Window(FormattedTextControl(lambda: ANSI(self._text)))
        foot = Window(FormattedTextControl(gettext(KEYS), style="class:dim"), height=1)
        self._app: Application[None] = Application(
            Layout(HSplit([body, foot])), key_bindings=self._bindings(), full_screen=True
        )

    def run(self) -> None:
        """Show pages until the user leaves. Raises what `page` raises."""
        self._app.run()

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        moves: tuple[tuple[tuple[str, ...], Callable[[], int]], ...] = (
            (FORWARD, lambda: min(self._at + 1, self._count - 1)),
            (BACK, lambda: max(self._at - 1, 0)),
            (FIRST, lambda: 0),
            (LAST, lambda: self._count - 1),
        )
        for keys, where in moves:
            for key in keys:
                bindings.add(key)(lambda event, where=where: self._show_entry(event, where()))
        for key in QUIT:
            bindings.add(key, eager=key != "escape")(lambda event: event.app.exit())
        return bindings

    def _show_entry(self, event: KeyPressEvent, at: int) -> None:
        try:
            self._at, self._text = at, self._page(at)
        except Exception as error:  # noqa: BLE001 - it is raised again by `run`, out of the event loop
            event.app.exit(exception=error)
