"""The prompt: a line with completion from the legal moves, and a preview of its effects."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import Completer, ConditionalCompleter, FuzzyCompleter, WordCompleter
from prompt_toolkit.filters import Condition, shift_selection_mode
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.selection import SelectionState
from prompt_toolkit.styles import Style

from service.drawing import ansi

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from prompt_toolkit.buffer import Buffer
    from prompt_toolkit.key_binding import KeyPressEvent

PAUSE = 0.15
"""Seconds without a key after which a line is tried out."""

COMPLETED = 40
"""The longest line that is looked for among the moves: the search grows steeply with its length."""

COLOURS = {34: "ansiblue", 33: "ansiyellow", 31: "ansired", 32: "ansigreen", 35: "ansimagenta", 36: "ansicyan"}


class Prompt:
    """Asks for lines. `preview` gives the effects of a line; it is called in another thread while typing."""

    def __init__(self, preview: Callable[[str], str]) -> None:
        self._preview, self._shown = preview, ""
        self._session: PromptSession[str] = PromptSession(
            bottom_toolbar=lambda: self._shown or None,
            complete_while_typing=True,
            key_bindings=_over_a_selection(),
            style=Style.from_dict({"bottom-toolbar": "noreverse"}),
        )
        self._session.default_buffer.on_text_changed += self._changed

    def ask(self, message: str, seat: int | None, words: Sequence[str], default: str) -> str:
        """The line that is typed. Raises `EOFError` on Ctrl-D and `KeyboardInterrupt` on Ctrl-C.

        `default` stands there selected, as in a field of a form: what is typed takes its place, an arrow goes into it.
        """
        colour = "" if seat is None else COLOURS[ansi.SEATS[seat % len(ansi.SEATS)]]
        self._shown = ""
        return self._session.prompt(
            FormattedText([(colour, message)]),
            completer=self._completer(words),
            default=default,
            pre_run=self._select,
        )

    def _select(self) -> None:
        buffer = self._session.default_buffer
        if buffer.text:
            buffer.selection_state = SelectionState(original_cursor_position=0)
            buffer.selection_state.enter_shift_mode()

    def _completer(self, words: Sequence[str]) -> Completer:
        matching = FuzzyCompleter(WordCompleter(list(words), sentence=True), pattern="^.*")
        short = Condition(lambda: len(self._session.default_buffer.text) <= COMPLETED)
        return ConditionalCompleter(matching, short)

    def _changed(self, buffer: Buffer) -> None:
        self._shown = ""
        app = get_app()
        if app.is_running:
            app.create_background_task(self._look(buffer, buffer.text))

    async def _look(self, buffer: Buffer, text: str) -> None:
        await asyncio.sleep(PAUSE)
        if buffer.text != text or not text.strip():
            return
        shown = await asyncio.to_thread(self._preview, text)
        if buffer.text == text:
            self._shown = shown
            get_app().invalidate()


def _over_a_selection() -> KeyBindings:
    """Key bindings for a selected line: pasted text replaces it, other keys end the selection."""
    bindings = KeyBindings()

    @bindings.add(Keys.BracketedPaste, filter=shift_selection_mode)
    def _paste(event: KeyPressEvent) -> None:
        event.current_buffer.cut_selection()
        event.key_processor.feed(event.key_sequence[0], first=True)

    @bindings.add("c-a", filter=shift_selection_mode)
    @bindings.add("c-e", filter=shift_selection_mode)
    @bindings.add(
        "c-c", filter=shift_selection_mode, eager=True
    )  # which begins longer ones where something is selected
    def _let_go(event: KeyPressEvent) -> None:
        event.current_buffer.exit_selection()
        event.key_processor.feed(event.key_sequence[0], first=True)

    return bindings
