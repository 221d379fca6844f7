"""The exception tree: what the contract promises of codes and kinds, and that errors survive the way between processes."""

import pickle

import pytest

import scanner.errors as module
from scanner.errors import ScanError

CONTRACT = {
    "missing_file": 3,
    "not_an_image": 3,
    "unknown_format": 3,
    "truncated": 3,
    "too_large": 3,
    "no_fiducials": 4,
    "too_few_fiducials": 4,
    "too_small": 4,
    "too_blurred": 4,
    "inconsistent": 4,
    "unknown_sheet": 4,
    "bad_state": 5,
    "internal": 70,
}
"""The contract's error kinds with their exit codes."""


def leaves(tree: type[ScanError]) -> list[type[ScanError]]:
    below = tree.__subclasses__()
    return [leaf for branch in below for leaf in leaves(branch)] if below else [tree]


def test_kinds_and_codes_are_those_of_the_contract() -> None:
    assert {(error.kind, error.code) for error in leaves(ScanError)} == set(CONTRACT.items())
    assert len(leaves(ScanError)) == len(CONTRACT)


@pytest.mark.parametrize("error", leaves(ScanError), ids=lambda error: error.__name__)
def test_every_error_says_what_to_do(error: type[ScanError]) -> None:
    assert error.default_hint.endswith(".")
    assert error("Something is wrong.").hint == error.default_hint
    assert error("Something is wrong.", "Do that.").hint == "Do that."
    assert str(error("Something is wrong.")) == "Something is wrong."


@pytest.mark.parametrize("error", leaves(ScanError), ids=lambda error: error.__name__)
def test_errors_travel_between_processes(error: type[ScanError]) -> None:
    back = pickle.loads(pickle.dumps(error("The message.", "The hint.")))
    assert type(back) is error
    assert (back.message, back.hint, str(back)) == ("The message.", "The hint.", "The message.")


def test_an_empty_hint_is_no_missing_one() -> None:
    assert module.Truncated("Cut short.", "").hint == ""


@pytest.mark.parametrize("error", leaves(ScanError), ids=lambda error: error.__name__)
def test_the_tree_at_the_top_names_every_error(error: type[ScanError]) -> None:
    drawn = [line for line in (module.__doc__ or "").splitlines() if f" {error.__name__} " in line]
    assert len(drawn) == 1
    assert error.kind in drawn[0]
