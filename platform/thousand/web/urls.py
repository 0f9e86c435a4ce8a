"""Addresses of the pages. Names are `web:…`; ids in them are public ids."""

from django.urls import path

import thousand.core.converters  # noqa: F401 - registers `public_id`
from thousand.web.views import (
    ab_tests,
    accounts,
    blocks,
    bots,
    guide,
    home,
    ladder_builder,
    ladders,
    organisers,
    replay,
    rules,
    status,
    uploads,
)

app_name = "web"

urlpatterns = [
    path("", home.home_page, name="home"),
    path("live/", home.home_live, name="home_live"),
    path("favicon.ico", home.favicon, name="favicon"),
    path("ladders/", ladders.ladders_page, name="ladders"),
    path("ladders/<slug:slug>/", ladders.ladder_page, name="ladder"),
    path("ladders/<slug:slug>/rules/", rules.ladder_rules_page, name="ladder_rules"),
    path("new-ladder/", ladder_builder.new_ladder_page, name="ladder_new"),
    path("bots/", bots.bots_page, name="bots"),
    path("bots/<public_id:public_id>/", bots.bot_page, name="bot"),
    path("bots/<public_id:public_id>/rating.json", bots.rating_data, name="bot_rating"),
    path("bots/<public_id:public_id>/upload/", uploads.upload_version_page, name="bot_upload"),
    path("bots/<public_id:public_id>/pause/", bots.pause_bot, name="bot_pause"),
    path("bots/<public_id:public_id>/resume/", bots.resume_bot, name="bot_resume"),
    path("ab-tests/", ab_tests.ab_tests_page, name="ab_tests"),
    path("ab-tests/new/", ab_tests.new_ab_test_page, name="ab_test_new"),
    path("ab-tests/<public_id:public_id>/", ab_tests.ab_test_page, name="ab_test"),
    path("ab-tests/<public_id:public_id>/progress.json", ab_tests.ab_progress, name="ab_progress"),
    path("ab-tests/<public_id:public_id>/cancel/", ab_tests.cancel_ab_test, name="ab_cancel"),
    path("ab-tests/<public_id:public_id>/promote/", ab_tests.promote_candidate, name="ab_promote"),
    path("upload/", uploads.upload_bot_page, name="upload"),
    path("versions/<public_id:public_id>/", uploads.version_page, name="version"),
    path("blocks/<public_id:public_id>/", blocks.block_page, name="block"),
    path("matches/<public_id:public_id>/", blocks.match_page, name="match"),
    path("replays/<public_id:public_id>", replay.replay_page, name="replay"),
    path("account/", accounts.account_page, name="account"),
    path("account/tokens/", accounts.create_token, name="token_create"),
    path("account/tokens/<str:prefix>/revoke/", accounts.revoke_token, name="token_revoke"),
    path("account/erase/", accounts.erase_page, name="account_erase"),
    path("organisers/pairs/", organisers.collusion_page, name="collusion"),
    path("organiser/<str:token>/", accounts.organiser_page, name="organiser"),
    path("rules/", rules.rules_index, name="rules_index"),
    path("rules/agreements/<slug:agreement>/", rules.agreement_page, name="agreement"),
    path("rules/<slug:preset>/", rules.rules_page, name="rules"),
    path("status/", status.status_page, name="status"),
    path("docs/bots/", guide.bot_guide_page, name="bot_guide"),
]
