"""Circles that are marked, and what is asked about them."""

from scanner.decode.circles import MARKED, UNMARKED, marked_twice, read_circles
from scanner.engine.obelisk.sheet import LEVEL_POINTS, SCROLL_POINTS
from scanner.reading.readings import SETTLED

CLEAR = 12.0


def marks(*marked: str) -> dict[str, float]:
    names = [f"level{level}.{points}" for level, worth in enumerate(LEVEL_POINTS, 1) for points in worth]
    names += [f"scroll{scroll}.{which}" for scroll in range(1, len(SCROLL_POINTS) + 1) for which in ("points", "used")]
    return {name: CLEAR if name in marked else -CLEAR for name in names}


def test_marks_that_are_earned_leave_no_question() -> None:
    circles = read_circles(
        marks(f"level1.{LEVEL_POINTS[0][1]}", "scroll1.points"), [True, False, False], [True, False, False], 0.01
    )
    assert circles.levels == (LEVEL_POINTS[0][1], 0, 0)
    assert circles.marked == (True, False, False)
    assert not circles.questions


def test_a_clear_mark_that_nothing_earns_counts_and_is_asked_about() -> None:
    """A player's slip, or a cup's ring through an empty circle: only a person can tell."""
    worth = LEVEL_POINTS[2][0]
    circles = read_circles(marks(f"level3.{worth}", "scroll2.points"), [True, False, False], [False] * 3, 0.01)
    assert circles.levels == (0, 0, worth)
    assert circles.marked == (False, True, False)
    assert {question.where for question in circles.questions} == {f"level3 mark {worth}", "scroll2 points"}
    for question in circles.questions:
        assert question.read == MARKED
        assert question.points[MARKED] > question.points[UNMARKED] == 0


def test_of_two_clear_marks_at_a_level_the_higher_counts_and_the_paper_is_blamed() -> None:
    high, _, low = LEVEL_POINTS[2]
    both = marks(f"level3.{high}", f"level3.{low}")
    circles = read_circles(both, [True] * 3, [False] * 3, 0.01)
    assert circles.levels == (0, 0, high)
    (question,) = circles.questions
    assert (question.where, question.read) == (f"level3 mark {high}", MARKED)
    assert (question.points[MARKED], question.points[UNMARKED]) == (high, low)
    (line,) = marked_twice(both)
    assert (line.rule, line.where) == ("marked twice at a level", "level3")
    assert not marked_twice(marks(f"level3.{high}"))
    # A person's word for the lower one takes nothing from the higher; against the higher it does.
    told = both | {f"level3.{low}": SETTLED}
    assert read_circles(told, [True] * 3, [False] * 3, 0.01).levels == (0, 0, high)
    assert read_circles(both | {f"level3.{high}": -SETTLED}, [True] * 3, [False] * 3, 0.01).levels == (0, 0, low)


def test_a_person_s_answer_is_not_asked_about_again() -> None:
    worth = LEVEL_POINTS[2][0]
    answered = marks() | {f"level3.{worth}": SETTLED, "scroll2.points": SETTLED}
    circles = read_circles(answered, [True, False, False], [False] * 3, 0.01)
    assert circles.levels == (0, 0, worth)
    assert not circles.questions


def test_a_mark_above_the_tower_is_asked_about_even_if_it_alone_makes_the_height_likely() -> None:
    worth = LEVEL_POINTS[2][0]
    circles = read_circles(marks(f"level3.{worth}"), [True, True, False], [False] * 3, 0.01, reached=[1.0, 1.0, 0.9])
    assert [question.where for question in circles.questions] == [f"level3 mark {worth}"]


def test_ink_that_speaks_against_the_reading_is_never_shown_as_likelier() -> None:
    """A faint tick at a level that the tower does not reach."""
    worth = LEVEL_POINTS[2][2]
    (question,) = read_circles(marks() | {f"level3.{worth}": 0.55}, [False] * 3, [False] * 3, 0.01).questions
    assert question.read == UNMARKED
    assert question.alternatives[UNMARKED] >= question.alternatives[MARKED] > 0.3


def test_no_ink_is_too_sure_to_be_weighed() -> None:
    assert read_circles(marks() | {"level1.3": 1e4}, [True, False, False], [False] * 3, 0.01).levels == (3, 0, 0)
