"""An evaluation as tables: by condition, by class, and every sheet that went wrong."""

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from scanner.evaluate.compare import PhotoVerdict, Tally, Verdict
from scanner.evaluate.reliability import LEVELS
from scanner.evaluate.summary import Evaluation, Summary


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "-"


def _rate(tally: Tally) -> str:
    return f"{100 * tally.right / tally.of:.2f}" if tally.of else "-"


def _number(value: float | None, digits: int = 2) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def condition_table(evaluation: Evaluation) -> Table:
    """One line a condition and one for all; rates are in percent of the sheets that were read."""
    table = Table(title="Sheets by condition", title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("condition", no_wrap=True)
    for heading in (
        "photos", "sheets", "read", "exact", "exact %", "state", "flagged", "silent", "refused", "missing", "unexp.",
        "review/sheet", "cells %", "edges %", "walls", "pose mm", "max mm",
    ):  # fmt: skip
        table.add_column(heading, justify="right")
    for summary in evaluation.conditions:
        table.add_row(*_condition_row(summary))
    table.add_section()
    table.add_row(*_condition_row(evaluation.overall), style="bold")
    return table


def _condition_row(s: Summary) -> list[str | Text]:
    bad = "bold red"
    return [
        s.condition,
        str(s.photos),
        str(s.sheets),
        str(s.read),
        str(s.exact),
        _percent(s.exact, s.read),
        str(s.state_exact),
        str(s.flagged),
        Text(str(s.silent), bad if s.silent else ""),
        str(s.refused),
        Text(str(s.missing + s.failed), bad if s.missing + s.failed else ""),
        Text(str(s.unexpected), bad if s.unexpected else ""),
        _number(s.review_rate),
        _rate(s.cells),
        _rate(s.wall_edges),
        str(s.walls_exact),
        _number(s.pose_rms_mm),
        _number(s.pose_max_mm),
    ]


def rules_table(evaluation: Evaluation) -> Table:
    """What the rules' correction does: the sheets read place by place, beside the same sheets decoded. Rates are in percent."""
    table = Table(
        title="Raw reading, and decoded by the rules (raw > decoded)",
        title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0),
    )  # fmt: skip
    table.add_column("condition", no_wrap=True)
    for heading in ("sheets", "exact %", "exact state %", "cells %", "silent", "review/sheet"):
        table.add_column(heading, justify="right")
    for summary in evaluation.conditions:
        if summary.raw.read:
            table.add_row(*_rules_row(summary))
    table.add_section()
    table.add_row(*_rules_row(evaluation.overall), style="bold")
    return table


def _rules_row(s: Summary) -> list[str | Text]:
    raw, decoded = s.raw, s.decoded
    pairs = [
        (_percent(raw.exact, raw.read), _percent(decoded.exact, decoded.read)),
        (_percent(raw.state_exact, raw.read), _percent(decoded.state_exact, decoded.read)),
        (_rate(raw.cells), _rate(decoded.cells)),
        (str(raw.silent), str(decoded.silent)),
        (_number(raw.review_rate), _number(decoded.review_rate)),
    ]
    return [s.condition, str(raw.read), *(f"{before} > {after}" for before, after in pairs)]


def reliability_table(summary: Summary) -> Table:
    """Cells by the confidence that they were read with, and how many of them are right."""
    table = Table(title="Cells by confidence", title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    table.add_column("confidence")
    for heading in ("cells", "wrong", "right %", "expected %"):
        table.add_column(heading, justify="right")
    for least, upper, group in zip(LEVELS, (*LEVELS[1:], 1.0), summary.reliability, strict=True):
        expected = f"{100 * group.expected / group.of:.2f}" if group.of else "-"
        right = _rate(Tally(group.right, group.of))
        table.add_row(f"{100 * least:g} to {100 * upper:g} %", str(group.of), str(group.of - group.right), right, expected)
    return table


def class_table(summary: Summary) -> Table:
    """Places read right, by what they truly hold."""
    table = Table(title="Places read right, by class", title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    table.add_column("truly")
    for heading in ("places", "wrong", "right %"):
        table.add_column(heading, justify="right")
    for name, tally in summary.classes.items():
        table.add_row(name, str(tally.of), str(tally.of - tally.right), _rate(tally))
    return table


def verdict_line(verdict: Verdict) -> Text:
    """One sheet that is not exact, with the places that were misread."""
    text = Text()
    text.append(f"{verdict.outcome:8s}", "bold red" if verdict.outcome in ("silent", "missing", "failed") else "yellow")
    text.append(f"{verdict.photo}, seat {verdict.seat}: ")
    if verdict.total is None:
        return text.append(verdict.error_kind or "neither read nor refused")
    low, high = verdict.bounds or (verdict.total, verdict.total)
    text.append(f"{verdict.total} instead of {verdict.true_total}, bounds {low} to {high}, {verdict.in_review} in review")
    for misread in verdict.misread:
        text.append(f"\n          {misread}", "dim")
    return text


def _unexpected_line(photo: PhotoVerdict) -> Text:
    text = Text("unexpected ", "bold red")
    return text.append(f"{photo.photo}: {photo.unexpected} read that are not there")


def print_evaluation(console: Console, evaluation: Evaluation) -> None:
    """All of an evaluation that a person wants to see."""
    overall = evaluation.overall
    # Figures matter more than the width of the window: a table cut short is of no use in a log.
    console.width = max(console.width, 170)
    for photo in evaluation.photos:
        for verdict in photo.sheets:
            if verdict.outcome != "exact":
                console.print(verdict_line(verdict))
        if photo.unexpected:
            console.print(_unexpected_line(photo))
    console.print(condition_table(evaluation))
    if overall.raw.read:
        console.print(rules_table(evaluation))
    console.print(class_table(overall))
    if any(group.of for group in overall.reliability):
        console.print(reliability_table(overall))
    if overall.refusals:
        console.print("Refused: " + ", ".join(f"{kind} {count}" for kind, count in overall.refusals.items()))
    if overall.foreign:
        accepted = sum(1 for photo in evaluation.photos if photo.foreign and photo.unexpected)
        console.print(f"Photos without a sheet: {overall.foreign}, of which {accepted} were read as if they had one.")
    if evaluation.without_truth:
        console.print(f"Left out for want of a truth file: {', '.join(evaluation.without_truth)}")
    console.print(
        f"{overall.found} of {overall.sheets} sheets found; {overall.exact} of {overall.read} that were read have the exact "
        f"total ({_percent(overall.exact, overall.read)} %), {overall.state_exact} the exact state; bounds hold the total of "
        f"{overall.within}; silently wrong {overall.silent}; "
        f"refused {overall.refused}; wrong identity {overall.wrong_identity}; misread places not in review "
        f"{overall.unflagged}; {_number(overall.seconds / max(overall.photos, 1))} s a photo."
    )
