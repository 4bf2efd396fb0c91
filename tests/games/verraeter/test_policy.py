"""The policy of Verräter: what it makes of actions that lie face down."""

from __future__ import annotations

import random

from games.contract import PUBLIC
from games.verraeter import VERRAETER
from games.verraeter.moves.fighting import Choose, Reveal
from games.verraeter.state import UNSEEN

POLICY = VERRAETER.policy


def reveals(games: int):
    """Tables at which the actions are about to be revealed, as the policy played, with the reveal that came."""
    for number in range(games):
        state, chance = VERRAETER.open({}, None, 4), random.Random(number)
        state.decide_hidden(chance)
        while not state.ending:
            move = state.sample_chance(POLICY.choose(state, chance), chance)
            if isinstance(move, Reveal):
                yield state, move
            state.apply(move)
            state.decide_hidden(chance)


def test_actions_that_lie_face_down_are_guessed_as_the_policy_would_have_chosen_them():
    guessed = right = 0
    for state, revealed in reveals(12):
        seen = state.view(PUBLIC)
        assert POLICY.choose(state, random.Random(1)) == revealed, "what is known is no guess"
        seen.decide_hidden(random.Random(1))
        guess = POLICY.choose(seen, random.Random(1))
        assert len(set(guess.actions)) == 4
        assert list(seen.breaches(guess)) == []
        guessed += 4
        right += sum(one == other for one, other in zip(guess.actions, revealed.actions, strict=True))
    assert guessed > 200
    assert right > 0.5 * guessed, "at random it were a sixth"


def test_actions_that_were_never_noted_are_guessed_from_what_was_laid():
    for state, revealed in reveals(2):
        seen = state.copy()
        seen.choices = [None] * 4
        guess = POLICY.choose(seen, random.Random(1))
        assert isinstance(guess, Reveal)
        assert len(set(guess.actions)) == len(revealed.actions)
        assert list(seen.breaches(guess)) == []


def test_who_chooses_leaves_what_others_are_thought_to_have_chosen(table):
    t = table(hands="1267 3357 4 6")
    t.do("12-1")
    chance = random.Random(1)
    first = POLICY.choose(t.state, chance)
    assert isinstance(first, Choose)
    t.state.apply(first)
    t.state.apply(POLICY.choose(t.state, chance))
    seen = t.state.copy()
    seen.choices[first.seat] = UNSEEN
    known, hidden = POLICY.choose(t.state, chance), POLICY.choose(seen, chance)
    assert known.action not in {None, first.action}
    assert hidden == known
