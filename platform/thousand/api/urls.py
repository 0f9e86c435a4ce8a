"""Addresses of the API, version 1. Everything else under /api/ is a problem, not a page."""

from django.urls import include, path, re_path
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.views import SpectacularAPIView

import thousand.core.converters  # noqa: F401 - registers `public_id` and `sha256`
from thousand.api import (
    ab_tests,
    analyses,
    annulments,
    blocks,
    bots,
    errors,
    head_to_head,
    ladders,
    replays,
    rulesets,
    standings,
    status,
    tournaments,
)
from thousand.api.documentation import documentation
from thousand.api.parameters import knows_its_parameters, takes_parameters

app_name = "api"

version_1 = [
    path("ladders/", ladders.LaddersView.as_view(), name="ladders"),
    path("ladders/<slug:slug>/", ladders.LadderView.as_view(), name="ladder"),
    path("ladders/<slug:slug>/standings", standings.StandingsView.as_view(), name="standings"),
    path("tournaments/", tournaments.TournamentsView.as_view(), name="tournaments"),
    path("tournaments/<slug:slug>/", tournaments.TournamentView.as_view(), name="tournament"),
    path(
        "tournaments/<slug:slug>/standings/",
        tournaments.TournamentStandingsView.as_view(),
        name="tournament_standings",
    ),
    path(
        "tournaments/<slug:slug>/rounds/",
        tournaments.TournamentRoundsView.as_view(),
        name="tournament_rounds",
    ),
    path(
        "tournaments/<slug:slug>/entries/",
        tournaments.TournamentEntriesView.as_view(),
        name="tournament_entries",
    ),
    path(
        "tournaments/<slug:slug>/withdraw/",
        tournaments.TournamentWithdrawView.as_view(),
        name="tournament_withdraw",
    ),
    path(
        "tournaments/<slug:slug>/disqualify/",
        tournaments.TournamentDisqualifyView.as_view(),
        name="tournament_disqualify",
    ),
    path("tournaments/<slug:slug>/acts/", tournaments.TournamentActsView.as_view(), name="tournament_acts"),
    path("ladders/<slug:slug>/head-to-head", head_to_head.HeadToHeadView.as_view(), name="head_to_head"),
    path(
        "bots/<public_id:public_id>/statistics", head_to_head.BotStatisticsView.as_view(), name="statistics"
    ),
    path("bots/", bots.BotsView.as_view(), name="bots"),
    path("bots/<public_id:public_id>/", bots.BotView.as_view(), name="bot"),
    path("bots/<public_id:public_id>/versions/", bots.BotVersionsView.as_view(), name="bot_versions"),
    path("versions/<public_id:public_id>/", bots.VersionView.as_view(), name="version"),
    path("blocks/", blocks.BlocksView.as_view(), name="blocks"),
    path("blocks/<public_id:public_id>/", blocks.BlockView.as_view(), name="block"),
    path("matches/", blocks.MatchesView.as_view(), name="matches"),
    path("matches/<public_id:public_id>/", blocks.MatchView.as_view(), name="match"),
    path("ab-tests/", ab_tests.AbTestsView.as_view(), name="ab_tests"),
    path("ab-tests/<public_id:public_id>/", ab_tests.AbTestView.as_view(), name="ab_test"),
    path(
        "ab-tests/<public_id:public_id>/cancel/", ab_tests.CancelAbTestView.as_view(), name="cancel_ab_test"
    ),
    path("ab-tests/<public_id:public_id>/promote/", ab_tests.PromoteView.as_view(), name="promote_candidate"),
    path("annulments/", annulments.AnnulmentsView.as_view(), name="annulments"),
    path("annulments/<public_id:public_id>/", annulments.AnnulmentView.as_view(), name="annulment"),
    path("annulments/<public_id:public_id>/lift/", annulments.LiftView.as_view(), name="lift_annulment"),
    path("replays/by-digest/<sha256:digest>/", replays.ReplayByDigestView.as_view(), name="replay_by_digest"),
    path(
        "replays/<public_id:public_id>/analysis/",
        analyses.ReplayAnalysisView.as_view(),
        name="replay_analysis",
    ),
    path(
        "analyses/by-digest/<sha256:digest>/",
        analyses.AnalysisByDigestView.as_view(),
        name="analysis_by_digest",
    ),
    path("replays/<public_id:public_id>/", replays.ReplayView.as_view(), name="replay"),
    path("rulesets/", rulesets.RulesetsView.as_view(), name="rulesets"),
    path("rulesets/<slug:preset>/", rulesets.RulesetView.as_view(), name="ruleset"),
    path("agreements/", rulesets.AgreementsView.as_view(), name="agreements"),
    path("status/", status.StatusView.as_view(), name="status"),
]

schema = takes_parameters(path("schema/", SpectacularAPIView.as_view(), name="schema"), ("format", "lang"))

page = path("docs/", documentation, name="docs")

urlpatterns = [
    path("v1/", include([*map(knows_its_parameters, version_1), schema, page])),
    re_path(r"", csrf_exempt(errors.not_found)),
]
