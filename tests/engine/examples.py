"""Worked examples and hypothesis strategies shared by the engine's tests."""

from typing import Any

from hypothesis import strategies as st

WORKED_OBELISK = [
    ".....",
    ".....",
    ".....",
    "__...",
    "_@^O.",
    "_@*_.",
    "@*^O.",
    "__O_.",
    "_Y@O_",
    "_OY__",
    "^@O*_",
    "@^Y*_",
]
"""The worked example of RULES section 1."""


def worked_state() -> dict[str, Any]:
    """The worked example with level 1 reached first and the bottom scroll filled."""
    return {
        "game": "obelisk",
        "obelisk": list(WORKED_OBELISK),
        "scrolls": [
            {"points": 3, "symbols": "O^Y*", "marked": True, "used": False},
            {"points": 6, "symbols": "", "marked": False, "used": False},
            {"points": 9, "symbols": "", "marked": False, "used": False},
        ],
        "levels": [3, 0, 0],
    }


def blank_state(**changes: Any) -> dict[str, Any]:
    """An unplayed sheet with nothing outlined, with some keys changed."""
    return {
        "game": "obelisk",
        "obelisk": ["....."] * 12,
        "wall_shapes": ["........"] * 12,
        "scrolls": [{"points": points, "symbols": "", "marked": False, "used": False} for points in (3, 6, 9)],
        "levels": [0, 0, 0],
    } | changes


def with_bottom(*rows: str) -> list[str]:
    """An obelisk whose lowest rows are given, top first; all above is unbuilt."""
    return ["....."] * (12 - len(rows)) + list(rows)


obelisks = st.lists(st.text("._O*^@Yx", min_size=5, max_size=5), min_size=12, max_size=12)
"""Any 12 x 5 cells of the contract, legal play or not."""

scrolls = st.tuples(
    *(
        st.fixed_dictionaries(
            {
                "points": st.just(points),
                "symbols": st.one_of(st.just(""), st.text("O*^@Y", min_size=4, max_size=4)),
                "marked": st.booleans(),
                "used": st.booleans(),
            }
        )
        for points in (3, 6, 9)
    )
).map(list)

levels = st.tuples(st.sampled_from([0, 1, 2, 3]), st.sampled_from([0, 1, 3, 5]), st.sampled_from([0, 3, 5, 8])).map(list)

states = st.fixed_dictionaries({"game": st.just("obelisk"), "obelisk": obelisks, "scrolls": scrolls, "levels": levels})
"""Any state of the contract's form without its wall."""
