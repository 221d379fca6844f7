"""Which open readings are asked about."""

from scanner.decode.questions import CellQuestion, ask


def test_what_can_change_nothing_is_not_asked_about() -> None:
    """A symbol or a cross beside the same symbol in its row, in a column where another one is the commonest by far."""
    grid = ["....."] * 8 + ["^..*.", "^..Y.", "^@.Y.", "@@.Y."]
    useless, both = CellQuestion(11, 0, {"@": 0.7, "x": 0.3}), CellQuestion(11, 1, {"@": 0.6, "x": 0.4})
    assert ask(grid, 20, [useless], ()) == ((), (20, 20))
    (first, second), bounds = ask(grid, 20, [useless, both], ())
    assert {first.where, second.where} == {"obelisk r12 c1", "obelisk r12 c2"}, "together they can"
    assert bounds[0] < 20
    assert ask(grid, 20, [CellQuestion(11, 0, {"@": 0.7, "_": 0.3})], ())[0], "an empty space counts in the tiebreak"
