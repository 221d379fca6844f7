"""The audit of a state for people: every rule that it breaks, and what was not checked."""

import msgspec
from rich.console import Console
from rich.text import Text

from scanner.engine.findings import AuditLine
from scanner.report.scoring import Judged
from scanner.report.terminal import print_scored


def verdict(judged: Judged) -> str:
    """One sentence: how many breaches and remarks there are."""
    breaches = sum(line.breach for line in judged.findings)
    remarks = len(judged.findings) - breaches
    if not breaches:
        found = "no breach of the rules was found"
    else:
        found = "1 breach of the rules" if breaches == 1 else f"{breaches} breaches of the rules"
    more = "" if not remarks else ", and 1 remark" if remarks == 1 else f", and {remarks} remarks"
    return f"Audit: {found}{more}."


def finding_text(line: AuditLine) -> Text:
    """A breach begins with `!`, a remark, which legal play allows too, with `-`; then rule, place and what is wrong."""
    text = Text("! ", "bold magenta") if line.breach else Text("- ", "dim")
    text.append(line.rule, "bold")
    text.append(f", {line.where}: " if line.where else ": ")
    return text.append(line.message)


def print_judged(console: Console, judged: Judged, with_audit: bool) -> None:
    """A state's score, or what is wrong with it. The score's findings stand in its frame; with an audit they follow it, under a
    verdict that is there even when nothing was found."""
    if judged.scored.error is not None or not with_audit:
        print_scored(console, judged.scored)
        return
    print_scored(console, msgspec.structs.replace(judged.scored, audit=()))
    print_audit(console, judged)


def print_audit(console: Console, judged: Judged) -> None:
    """The verdict, a line for every breach and then for every remark, and the fields without which rules were not checked."""
    lines = sorted(judged.findings, key=lambda line: not line.breach)
    console.print(Text(verdict(judged), "bold" if lines else "bold green"))
    for line in lines:
        console.print(finding_text(line), soft_wrap=True)
    if judged.unchecked:
        fields = " and ".join(f"`{field}`" for field in judged.unchecked)
        console.print(Text(f"- not checked: the rules about {fields}, which the state leaves out.", "dim"), soft_wrap=True)
