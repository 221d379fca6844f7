"""The result types: immutable, picklable, and exactly the contract's keys."""

import json
import pickle
from typing import Any

import numpy as np
import pytest

from scanner.decode.decoded import AuditLine as DecodedLine
from scanner.decode.decoded import Decoded, Doubt
from scanner.errors import TooBlurred
from scanner.result import ErrorInfo, RefusedSheet, ScanResult, SheetResult, freeze, photos_json, thaw
from scanner.sheet.pose import Pose, SheetIdentity
from tests.handmade import SCORE, doubt, photo, sheet, state


def pose() -> Pose:
    return Pose(
        identity=SheetIdentity("obelisk", 2, 8001),
        paper_mm=(297.0, 210.0),
        homography=np.eye(3),
        warp_mm=np.zeros((5, 5, 2)),
        residual_mm=0.123456,
        px_per_mm=1.0,
        blur_mm=0.1,
        corners_px=np.array([[0.0, 0.0], [297.004, 0.0], [297.0, 210.0], [0.0, 210.0]]),
        fiducials=(7, 99),
    )


def test_document_has_exactly_the_contract_keys() -> None:
    decoded = Decoded(
        state=state(),
        score=SCORE,
        bounds=(56, 59),
        doubts=(Doubt("obelisk r5 c2", "@", 0.71, {"@": 0.71, "O": 0.27}, [56, 59]),),
        audit=(DecodedLine("a rule", "level2", "A message."),),
    )
    refused = RefusedSheet(3, None, ErrorInfo.of(TooBlurred("Too blurred.")))
    document = json.loads(photos_json([ScanResult("a.jpg", None, (SheetResult.of(pose(), decoded),), (refused,))]))
    assert document["schema"] == "obelisk-scan/1"
    assert list(document) == ["schema", "photos"]
    (found,) = document["photos"]
    assert list(found) == ["file", "error", "sheets", "refused"]
    assert found["file"] == "a.jpg"
    assert found["error"] is None
    assert found["sheets"] == [
        {
            "state": state(),
            "score": SCORE,
            "bounds": [56, 59],
            "review": [
                {
                    "where": "obelisk r5 c2",
                    "read": "@",
                    "confidence": 0.71,
                    "alternatives": {"@": 0.71, "O": 0.27},
                    "changes_total_to": [56, 59],
                }
            ],
            "audit": [{"rule": "a rule", "where": "level2", "message": "A message."}],
            "pose": {
                "corners_px": [[0.0, 0.0], [297.0, 0.0], [297.0, 210.0], [0.0, 210.0]],
                "residual_mm": 0.1235,
                "fiducials": [7, 99],
            },
        }
    ]
    assert found["refused"] == [
        {
            "seat": 3,
            "sheet_number": None,
            "error": {"code": 4, "kind": "too_blurred", "message": "Too blurred.", "hint": TooBlurred.default_hint},
        }
    ]


def test_a_page_is_named_only_where_there_are_several() -> None:
    decoded = Decoded(state(), SCORE, (56, 56))
    one = ScanResult("a.pdf", None, (SheetResult.of(pose(), decoded, page=2),)).to_dict()
    assert one["sheets"][0]["page"] == 2
    assert "page" not in photo(sheet()).to_dict()["sheets"][0]


def test_the_engines_findings_join_the_decoders_audit() -> None:
    decoded = Decoded(state(), SCORE, (56, 56), audit=(DecodedLine("a rule", "level2", "In the decoder's words."),))
    findings = (DecodedLine("a rule", "level2", "Again."), DecodedLine("a rule", "level1", "Another."))
    audit = SheetResult.of(pose(), decoded, findings).audit
    assert [line.message for line in audit] == ["In the decoder's words.", "Another."]


def test_nothing_in_a_result_can_be_changed() -> None:
    result: Any = photo(sheet(review=(doubt(),)))  # what a user without a type checker has
    with pytest.raises(TypeError, match="immutable"):
        result.sheets[0].state["seat"] = 1
    with pytest.raises(TypeError, match="immutable"):
        result.sheets[0].score.update(total=1)
    with pytest.raises(AttributeError):
        result.file = "b.jpg"
    assert isinstance(result.sheets[0].state["scrolls"], tuple)
    with pytest.raises(TypeError, match="immutable"):
        result.sheets[0].state["scrolls"][0]["marked"] = False


def test_results_travel_between_processes() -> None:
    result = photo(sheet(review=(doubt(),)))
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    with pytest.raises(TypeError, match="immutable"):
        again.sheets[0].state.clear()


def test_thaw_undoes_freeze() -> None:
    assert thaw(freeze(state())) == state()
    assert type(thaw(freeze(state()))) is dict


def test_the_worst_code_counts() -> None:
    blurred = ErrorInfo.of(TooBlurred("x"))
    assert photo(sheet()).worst_code == 0
    assert photo(sheet(), refused=(RefusedSheet(1, None, blurred),)).worst_code == 4
    assert photo(error=blurred).worst_code == 4
