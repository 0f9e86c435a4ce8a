"""A test's result in words: what was found, how sure that is, and what it does not say."""

from django.utils.translation import gettext as _

from thousand.ab_tests.models import AbState
from thousand.ab_tests.selectors import AbView

MINUS = "\u2212"
NO_BREAK = "\u00a0"


def signed(value: float) -> str:
    """Return a whole Elo difference with its sign: +12, −5, 0."""
    whole = round(value)
    return f"{'+' if whole > 0 else MINUS if whole < 0 else ''}{abs(whole)}"


def estimate(test: AbView) -> str:
    """Return "+12 ± 14 Elo"; where one side won everything, say that instead."""
    if not test.blocks:
        return _("nothing measured yet")
    if test.elo is None or test.half_width is None:
        return (
            _("too far apart for a number")
            if test.elo is None
            else _("{elo} Elo").format(elo=signed(test.elo))
        )
    return _("{elo} ± {width} Elo").format(elo=signed(test.elo), width=round(test.half_width))


def verdict_text(test: AbView) -> list[str]:
    """Return the sentences of the result, or of where a running test stands."""
    return [*_found(test), *_faults(test), *_promotion(test)]


def _found(test: AbView) -> list[str]:
    names = {"candidate": f"v{test.candidate.number}", "base": f"v{test.base.number}"}
    if test.candidate.bot_id != test.base.bot_id:
        names = {
            "candidate": f"{test.candidate.bot_name} v{test.candidate.number}",
            "base": f"{test.base.bot_name} v{test.base.number}",
        }
    facts = names | {
        "blocks": test.blocks,
        "matches": test.matches,
        "estimate": estimate(test),
        "elo0": signed(test.elo0),
        "elo1": signed(test.elo1),
        "alpha": f"{100 * test.alpha:.0f}{NO_BREAK}%",
        "beta": f"{100 * test.beta:.0f}{NO_BREAK}%",
        "cause": test.cause,
    }
    match test.state:
        case AbState.RUNNING:
            sentences = [
                _("Running: {estimate} after {blocks} blocks ({matches} matches). It stops by itself.")
            ]
        case AbState.STRONGER:
            sentences = [
                _(
                    "Stronger: {candidate} is ahead of {base}, {estimate} after {blocks} blocks "
                    "({matches} matches)."
                ),
                _no_stronger(test),
                _(
                    "It is stronger than the base against the base. Against other bots it may do better or "
                    "worse: the ladder will tell."
                ),
            ]
        case AbState.NOT_STRONGER:
            sentences = [
                _(
                    "Not stronger: {candidate} against {base}, {estimate} after {blocks} blocks "
                    "({matches} matches)."
                ),
                _("A version that is {elo1} Elo from the base fails such a test in {beta} of cases."),
            ]
        case AbState.INCONCLUSIVE:
            sentences = [
                _(
                    "Inconclusive: {estimate} after {blocks} blocks ({matches} matches), the most that "
                    "one test may play."
                ),
                _("The two are too close to tell apart so soon. Both answers are still open."),
            ]
        case AbState.CANCELLED:
            sentences = [_("Cancelled after {blocks} blocks, without a verdict: {estimate}."), "{cause}"]
        case _other:
            sentences = [_("Nothing could be measured: three blocks in a row were void. {cause}")]
    return [sentence.format(**facts) for sentence in sentences]


def _no_stronger(test: AbView) -> str:
    if test.elo0 == 0:
        return _("A version that is no stronger than the base passes such a test in {alpha} of cases.")
    return _("A version that is only {elo0} Elo from the base passes such a test in {alpha} of cases.")


def _faults(test: AbView) -> list[str]:
    told = []
    if test.candidate_faults:
        told.append(
            _("The candidate faulted in {faults} of its {matches} matches; each of them is lost.").format(
                faults=test.candidate_faults, matches=test.matches
            )
        )
    if test.base_faults:
        told.append(
            _(
                "Copies of the base faulted in {faults} of their {seats} seats, which is part of the result."
            ).format(faults=test.base_faults, seats=test.matches * (test.players - 1))
        )
    if test.void_blocks:
        told.append(
            _("{voids} blocks were void and do not count; others were played instead.").format(
                voids=test.void_blocks
            )
        )
    return told


def _promotion(test: AbView) -> list[str]:
    if test.promoted_at is not None:
        return [_("The candidate was made the playing version.")]
    if test.not_promoted:
        return [
            _("The candidate was not made the playing version. {reason}").format(reason=test.not_promoted)
        ]
    if test.promote and test.is_running:
        return [_("If it proves stronger, the candidate becomes the playing version by itself.")]
    return []
