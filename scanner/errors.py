"""The exceptions of obelisk-scan, and the exit code that each carries.

    ScanError
    +-- PhotoError        code 3   the file cannot be used
    |   +-- MissingFile       missing_file
    |   +-- NotAnImage        not_an_image
    |   +-- UnknownFormat     unknown_format
    |   +-- Truncated         truncated
    |   +-- TooLarge          too_large
    +-- SheetError        code 4   no sheet, or one that cannot be trusted
    |   +-- NoFiducials       no_fiducials
    |   +-- TooFewFiducials   too_few_fiducials
    |   +-- TooSmall          too_small
    |   +-- TooBlurred        too_blurred
    |   +-- Inconsistent      inconsistent
    |   +-- UnknownSheet      unknown_sheet
    +-- BadState          code 5   bad_state: a state, a names file or an answers file breaks the contract
    +-- InternalError     code 70  internal: a bug

Codes and kinds are public and stable. Every error says what is wrong (`message`) and what to do about it (`hint`).
Only the command line turns codes into exit statuses.
"""

from typing import ClassVar


class ScanError(Exception):
    """Root of the tree. `message` names the cause, `hint` the remedy; both are whole sentences for players."""

    code: ClassVar[int] = 70
    kind: ClassVar[str] = "internal"
    default_hint: ClassVar[str] = ""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = self.default_hint if hint is None else hint

    def __reduce__(self) -> tuple[type["ScanError"], tuple[str, str]]:
        # Errors travel between processes; the default reduction would lose the hint.
        return type(self), (self.message, self.hint)


class PhotoError(ScanError):
    """The file cannot be used at all (exit code 3)."""

    code = 3


class MissingFile(PhotoError):
    """There is no such file, or it cannot be opened."""

    kind = "missing_file"
    default_hint = "Check the path."


class NotAnImage(PhotoError):
    """The bytes are no picture, or one so damaged that nothing can be decoded."""

    kind = "not_an_image"
    default_hint = "Give a JPEG, PNG, WebP, TIFF, HEIC or PDF file."


class UnknownFormat(PhotoError):
    """A picture, but of a format that is not read here."""

    kind = "unknown_format"
    default_hint = "Save it as JPEG, PNG, WebP, TIFF, HEIC or PDF and try again."


class Truncated(PhotoError):
    """The file ends too early or is damaged inside: what is left must not be read as if it were whole."""

    kind = "truncated"
    default_hint = "Copy the photo again from the phone or camera; the file is incomplete or damaged."


class TooLarge(PhotoError):
    """Over 200 megapixels or 100 MB; over 10 MB where people write by hand."""

    kind = "too_large"
    default_hint = "Scale the photo down; 12 megapixels are plenty."


class SheetError(ScanError):
    """No sheet, or one that cannot be trusted (exit code 4)."""

    code = 4


class NoFiducials(SheetError):
    """The photo shows no fiducial of a known sheet."""

    kind = "no_fiducials"
    default_hint = "Photograph a sheet printed by `obelisk-scan sheet`, whole, sharp and in good light."


class TooFewFiducials(SheetError):
    """A sheet was seen, but too few of its fiducials to place it with confidence."""

    kind = "too_few_fiducials"
    default_hint = "Take the photo again with the whole sheet in view and nothing lying on its black squares."


class TooSmall(SheetError):
    """A cell covers too few pixels."""

    kind = "too_small"
    default_hint = "Take the photo again from closer by, or at a higher resolution."


class TooBlurred(SheetError):
    """The photo is out of focus or shaken."""

    kind = "too_blurred"
    default_hint = "Hold the camera still, tap the sheet to focus, and take the photo again."


class Inconsistent(SheetError):
    """The fiducials or the printed lines disagree with the sheet's geometry by more than can be trusted."""

    kind = "inconsistent"
    default_hint = "Lay the sheet flat on the table and take the photo again."


class UnknownSheet(SheetError):
    """The fiducials belong to a sheet, but to none that this version knows."""

    kind = "unknown_sheet"
    default_hint = "Update obelisk-scan, or print the sheet again with `obelisk-scan sheet`."


class BadState(ScanError):
    """A state, a names file or an answers file breaks the contract (exit code 5)."""

    code = 5
    kind = "bad_state"
    default_hint = "See the README's section on states for the form."


class InternalError(ScanError):
    """A bug in obelisk-scan (exit code 70)."""

    code = 70
    kind = "internal"
    default_hint = "Please report this, with the photo if you can; `--debug` shows the details."
