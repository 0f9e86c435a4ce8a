"""Every word of the analysis panel, by key, in the active language; `{name}` is filled in by the browser."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

ANALYSIS_TEXTS: dict[str, Promise | str] = {
    "none": _(
        "Nobody has had this match analysed yet. A worker judges every decision by what its seat could "
        "know, and every bid by the cards; it takes a minute or so."
    ),
    "ask": _("Analyse this match"),
    "again": _("Try again"),
    "waiting": _("Being analysed: place {place} in line. Matches go first; you can leave this page."),
    "running": _("Being analysed now. This page shows it as soon as it is done."),
    "done": _("Analysed."),
    "failed": _("The analysis failed: {cause}"),
    "error": _("The analysis could not be loaded: {cause}"),
    "now": _("This step"),
    "no-decision": _("Nothing was decided at this step, or there was no choice."),
    "previous": _("‹ previous decision"),
    "next": _("next decision ›"),
    "is-best": _("The best there was."),
    "is-only": _("The next best would have cost {chance}."),
    "is-lost": _("Gave up {chance} and {points} points."),
    "is-equal": _("As good as any."),
    "is-unsure": _("Another looks better, but not for certain."),
    "mark-good": _("good"),
    "mark-inaccuracy": _("inaccuracy"),
    "mark-mistake": _("mistake"),
    "mark-blunder": _("blunder"),
    "advised": _("The strongest house bot:"),
    "advised-same": _("The strongest house bot would have done the same."),
    "hidden": _("What else was possible would show cards that this view hides."),
    "played": _("what was done:"),
    "alternatives": _("What could have been done, best first"),
    "guesses-note": _("Means over {worlds} guesses of the cards that the seat could not see."),
    "cards-note": _(
        "Means over {worlds} guesses of the cards that the seat could not see; “open” shows them all, "
        "which nobody could know."
    ),
    "column-action": _("Action"),
    "title-action": _("Best first; what was done is marked"),
    "column-wins": _("Wins"),
    "title-wins": _("Chance to win the match"),
    "column-points": _("Points"),
    "title-points": _("Change of the seat's total by this deal"),
    "column-made": _("Made"),
    "title-made": _("Share of the guesses in which the contract is made"),
    "column-open": pgettext_lazy("with all cards open", "Open"),
    "title-open": _("Points the declarer takes if all cards lie open and everybody plays his best"),
    "does-play": _("plays"),
    "does-give": _("passes on"),
    "does-bid": _("bids {number}"),
    "does-pass": _("passes"),
    "does-contract": _("contract {number}"),
    "does-concede": _("concedes"),
    "does-take": _("takes the widow"),
    "does-buy": _("buys for {number}"),
    "does-redeal": _("asks for a new deal"),
    "does-keep": _("keeps the cards"),
    "does-blind": _("plays blind"),
    "does-look": _("looks at the cards"),
    "announces": _("and announces"),
    "chances": _("Chances to win"),
    "chart-note": _("A line a seat, a point a decision; a click leads there. The lists below say the same."),
    "moments-of": _("Moments of"),
    "all-seats": _("all seats"),
    "worst": _("Worst moments, by the winning chance given up"),
    "best": _("Best moments, by what the next best would have given up"),
    "no-worst": _("No decision gave up enough to be marked."),
    "no-best": _("No decision was the only good one."),
    "where": _("deal {deal}"),
    "given-up": _("given up"),
    "kept": _("kept"),
    "bidding": _("Bidding of this deal"),
    "no-bidding": _("This deal had no auction of the kind that is judged."),
    "bid-sound": _("sound bid"),
    "bid-bold": _("bold bid"),
    "bid-rash": _("rash bid"),
    "bid-forced": _("forced opening"),
    "bid-passed": _("rightly passed"),
    "bid-timid": _("passed too soon"),
    "bid-words": _(
        "Bid {bid}. Of the deals that fit its cards {known} make {target}; "
        "as the cards lay it could take {could}."
    ),
    "bid-none": _(
        "Of the deals that fit its cards {known} make {target}; as the cards lay it could take {could}."
    ),
    "deal-luck": _("Luck of this deal's cards"),
    "luck-words": _("{points} points, {chance} to win"),
    "luck-play": _("Luck and play"),
    "line": _("Line"),
    "line-won": _("Won"),
    "title-won": _("Share of the match won"),
    "line-start": _("Chance at the start"),
    "title-start": _("Winning chance before the first deal"),
    "line-luck": _("+ luck"),
    "title-luck": _("Winning chance that the cards alone brought"),
    "line-play": _("+ play"),
    "title-play": _("What is left of the result: won, less the chance at the start, less luck"),
    "line-points-luck": _("Luck in points"),
    "title-points-luck": _("Points that the cards alone brought"),
    "line-points-play": _("Play in points"),
    "title-points-play": _("Points of the final total that luck does not explain"),
    "line-marks": _("?! / ? / ??"),
    "title-marks": _("Inaccuracies, mistakes, blunders"),
    "line-lost": _("Given up a deal"),
    "title-lost": _("Winning chance given up, a deal"),
    "seats-note": _("Luck is what a fixed player would have made of the cards dealt, beside other deals."),
    "thresholds": _(
        "Inaccuracy from {inaccuracy} of winning chance given up (or {inaccuracy_points} points), "
        "mistake from {mistake} ({mistake_points}), blunder from {blunder} ({blunder_points}); good: "
        "every other action would have given up {good}."
    ),
    "help": _("What the numbers mean"),
    "made-by": _("analysis {analysis}, engine {engine}"),
}


def analysis_texts() -> dict[str, str]:
    """Return the words of the panel, translated, by the keys that the browser uses."""
    return {f"analysis-{key}": str(value) for key, value in ANALYSIS_TEXTS.items()}
