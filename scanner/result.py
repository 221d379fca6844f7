"""What scanning a photo gives back: the contract's result, typed and immutable.

Field names are the keys of the JSON document, in its order. States and scores differ from game to game and stay mappings.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol

import msgspec

from scanner.errors import ScanError

if TYPE_CHECKING:
    # For the type checker alone: scoring a state must not wait for the modules that read photos.
    from scanner.decode.decoded import Decoded
    from scanner.sheet.pose import Pose

SCHEMA: Final = "obelisk-scan/1"
"""The version of the public JSON; it takes a step whenever a key changes its meaning."""


class FrozenDict(dict[str, Any]):
    """A dict that cannot be changed once made; JSON encoders see a plain dict."""

    def _refuse(self, *_args: object, **_kwargs: object) -> NoReturn:
        raise TypeError("results are immutable; make a copy with dict()")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type["FrozenDict"], tuple[dict[str, Any]]]:
        # Results travel between processes; unpickling a dict sets items one by one.
        return FrozenDict, (dict(self),)


def freeze(value: Any) -> Any:
    """`value` with every mapping made a FrozenDict and every list a tuple, all the way down."""
    if isinstance(value, Mapping):
        return FrozenDict({key: freeze(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return tuple(freeze(item) for item in value)
    return value


def thaw(value: Any) -> Any:
    """The inverse of `freeze` in JSON's terms: plain dicts and lists, all the way down."""
    if isinstance(value, Mapping):
        return {key: thaw(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [thaw(item) for item in value]
    return value


class ErrorInfo(msgspec.Struct, frozen=True):
    """An exception of `scanner.errors` as data."""

    code: int
    kind: str
    message: str
    hint: str

    @classmethod
    def of(cls, error: ScanError) -> "ErrorInfo":
        return cls(error.code, error.kind, error.message, error.hint)


class Review(msgspec.Struct, frozen=True):
    """A reading that needs a person's look; see `scanner.decode.decoded.Doubt`."""

    where: str
    read: str
    confidence: float
    alternatives: Mapping[str, float]
    changes_total_to: tuple[int, ...]


class Finding(Protocol):
    """A line of an audit as the engine or a decoder gives it."""

    @property
    def rule(self) -> str: ...
    @property
    def where(self) -> str: ...
    @property
    def message(self) -> str: ...


class AuditLine(msgspec.Struct, frozen=True):
    """A rule that the sheet as written breaks, or points that were forgotten, in the game's words."""

    rule: str
    where: str
    message: str

    @classmethod
    def of(cls, finding: Finding) -> "AuditLine":
        return cls(finding.rule, finding.where, finding.message)


class Answer(msgspec.Struct, frozen=True):
    """What a person said stands at a place, in the words of reviews. It was read as certain. `by` is always "human"."""

    where: str
    read: str
    by: str = "human"


class PoseInfo(msgspec.Struct, frozen=True):
    """Where the sheet lies: `corners_px` the paper's corners in photo px, top left first, clockwise; `residual_mm` in sheet
    mm; `fiducials` the ids that were used."""

    corners_px: tuple[tuple[float, float], ...]
    residual_mm: float
    fiducials: tuple[int, ...]

    @classmethod
    def of(cls, pose: "Pose") -> "PoseInfo":
        corners = tuple((round(float(x), 2), round(float(y), 2)) for x, y in pose.corners_px)
        return cls(corners, round(float(pose.residual_mm), 4), tuple(int(i) for i in pose.fiducials))


class SheetResult(msgspec.Struct, frozen=True):
    """A sheet that was read and scored. `bounds`: the lowest and highest total that the doubts allow. `page`: the page it
    stands on, from 1, in files of several pages only. `answers`: what people said of it, on sheets of which they did."""

    state: Mapping[str, Any]
    score: Mapping[str, Any]
    bounds: tuple[int, int]
    review: tuple[Review, ...]
    audit: tuple[AuditLine, ...]
    pose: PoseInfo
    page: int | msgspec.UnsetType = msgspec.UNSET
    answers: tuple[Answer, ...] | msgspec.UnsetType = msgspec.UNSET

    @classmethod
    def of(
        cls,
        pose: "Pose",
        decoded: "Decoded",
        findings: Iterable[Finding] = (),
        page: int | msgspec.UnsetType = msgspec.UNSET,
        answers: Mapping[str, str] | None = None,
    ) -> "SheetResult":
        """A decoded sheet; `findings` are the engine's, of which those that the decoder gives itself are left out. `answers`:
        place -> what a person said of it."""
        audit = {(line.rule, line.where): AuditLine.of(line) for line in (*findings, *decoded.audit)}
        return cls(
            state=freeze(decoded.state),
            score=freeze(decoded.score),
            bounds=decoded.bounds,
            review=tuple(
                Review(d.where, d.read, d.confidence, freeze(d.alternatives), tuple(d.changes_total_to)) for d in decoded.doubts
            ),
            audit=tuple(audit.values()),
            pose=PoseInfo.of(pose),
            page=page,
            answers=tuple(Answer(where, read) for where, read in answers.items()) if answers else msgspec.UNSET,
        )


class RefusedSheet(msgspec.Struct, frozen=True):
    """A sheet that was seen but cannot be trusted. `seat` is None where not even that is known."""

    seat: int | None
    sheet_number: int | None
    error: ErrorInfo
    page: int | msgspec.UnsetType = msgspec.UNSET


class ScanResult(msgspec.Struct, frozen=True):
    """All that was found in one file. `error` is the file's own: nothing could be read from it, and there are no sheets. Where
    that is because every sheet was refused, it is the first one's error."""

    file: str
    error: ErrorInfo | None = None
    sheets: tuple[SheetResult, ...] = ()
    refused: tuple[RefusedSheet, ...] = ()

    @property
    def worst_code(self) -> int:
        """The highest code among the errors of the file and of its refused sheets; 0 if there is none."""
        errors = [refused.error for refused in self.refused] + ([self.error] if self.error else [])
        return max((error.code for error in errors), default=0)

    @property
    def needs_look(self) -> bool:
        """Whether a reading needs a person's look."""
        return any(sheet.review for sheet in self.sheets)

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists and values, in the contract's form of one photo."""
        result: dict[str, Any] = thaw(msgspec.to_builtins(self))
        return result


class ScoredState(msgspec.Struct, frozen=True):
    """A state scored without a photo; `state` and `score` are None where `error` is not."""

    file: str
    error: ErrorInfo | None = None
    state: Mapping[str, Any] | None = None
    score: Mapping[str, Any] | None = None
    audit: tuple[AuditLine, ...] = ()


class _PhotosDocument(msgspec.Struct, frozen=True):
    schema: str
    photos: tuple[ScanResult, ...]


class _StatesDocument(msgspec.Struct, frozen=True):
    schema: str
    states: tuple[ScoredState, ...]


def photos_json(results: Iterable[ScanResult]) -> str:
    """The JSON document of `scan --json`, indented, without a final newline."""
    return pretty_json(_PhotosDocument(SCHEMA, tuple(results)))


def states_json(results: Iterable[ScoredState]) -> str:
    """The JSON document of `score --json`, indented, without a final newline."""
    return pretty_json(_StatesDocument(SCHEMA, tuple(results)))


def pretty_json(value: object) -> str:
    """Any value of JSON's or msgspec's types as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode()
