"""What organisers do, what owners do, and what each may not."""

from contextlib import suppress
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import enter as rate
from tests.factories import make_author, make_bot, make_organiser, make_pool, make_version
from tests.platform.tournaments.events import (
    enter,
    entrants,
    in_an_hour,
    make_tournament,
    open_blocks,
    play_out,
    start,
)
from thousand.accounts.models import User
from thousand.accounts.services import erase_account
from thousand.bots.models import VersionState
from thousand.bots.services import pause_bot
from thousand.core.errors import ConflictError, InvalidInputError, LimitReachedError, NotAllowedError
from thousand.matches.models import Block, BlockState
from thousand.ratings.annulment import annul_version
from thousand.ratings.models import Rating
from thousand.tournaments.models import ActKind, Departure, Entry, Tournament, TournamentAct, TournamentState
from thousand.tournaments.organising import (
    archive_tournament,
    cancel_tournament,
    create_tournament,
    edit_tournament,
    end_tournament,
    open_registration,
    pause_tournament,
    resume_tournament,
)
from thousand.tournaments.registration import disqualify, enter_tournament, withdraw_from_tournament
from thousand.tournaments.rounds import advance_tournaments, start_tournament
from thousand.tournaments.states import ALLOWED

pytestmark = pytest.mark.django_db


def create(actor: User, **fields: object) -> Tournament:
    values = {
        "actor": actor, "name": "Cup", "slug": "cup", "preset": "tournament_default", "format": "once_each",
    }  # fmt: skip
    return create_tournament(**(values | fields))  # type: ignore[arg-type]


def test_a_tournament_goes_from_draft_to_the_archive_and_every_act_is_written_down() -> None:
    organiser = make_organiser()
    tournament = make_tournament(3, organiser=organiser)
    start_tournament(tournament=tournament, actor=organiser)
    pause_tournament(tournament=tournament, actor=organiser, reason="The worker moves house.")
    resume_tournament(tournament=tournament, actor=organiser)
    play_out(tournament)
    archive_tournament(tournament=tournament, actor=organiser)
    tournament.refresh_from_db()
    assert tournament.state == TournamentState.ARCHIVED
    acts = list(TournamentAct.objects.filter(tournament=tournament).order_by("id"))
    kinds = [act.kind for act in acts if act.kind not in (ActKind.ENTERED, ActKind.DREW)]
    assert kinds == ["created", "opened", "started", "paused", "resumed", "finished", "archived"]
    paused = next(act for act in acts if act.kind == ActKind.PAUSED)
    assert (paused.by, paused.by_arena, paused.reason) == (organiser, False, "The worker moves house.")
    finished = next(act for act in acts if act.kind == ActKind.FINISHED)
    assert (finished.by, finished.by_arena) == (None, True)


def test_the_table_of_states_knows_every_state_and_ends_in_the_archive() -> None:
    assert set(ALLOWED) == set(TournamentState)
    reached = {TournamentState.DRAFT}
    while not reached >= {after for state in reached for after in ALLOWED[state]}:
        reached |= {after for state in reached for after in ALLOWED[state]}
    assert reached == set(TournamentState)
    assert ALLOWED[TournamentState.ARCHIVED] == frozenset()


def test_what_the_state_forbids_is_refused_with_what_is_possible() -> None:
    organiser = make_organiser()
    tournament = create(organiser)
    with pytest.raises(ConflictError, match="Possible: cancelled, registration open") as refused:
        pause_tournament(tournament=tournament, actor=organiser)
    assert refused.value.field == "state"
    with pytest.raises(ConflictError, match="is paused"):
        resume_tournament(tournament=tournament, actor=organiser)
    with pytest.raises(ConflictError, match="while registration is open"):
        start_tournament(tournament=tournament, actor=organiser)
    cancel_tournament(tournament=tournament, actor=organiser, reason="No hall.")
    with pytest.raises(ConflictError, match="Possible: archived"):
        open_registration(tournament=tournament, actor=organiser)


def test_an_open_tournament_is_not_started_by_resuming_it() -> None:
    tournament = make_tournament(3)
    with pytest.raises(ConflictError, match="for a tournament that is paused"):
        resume_tournament(tournament=tournament, actor=make_organiser())


def test_others_than_organisers_do_nothing_of_it() -> None:
    author = make_author()
    with pytest.raises(NotAllowedError):
        create(author)
    tournament = make_tournament(3)
    bot = entries_bots(tournament)[0]
    for act in (pause_tournament, resume_tournament, open_registration, archive_tournament, start_tournament):
        with pytest.raises(NotAllowedError):
            act(tournament=tournament, actor=author)  # type: ignore[operator]
    for act in (end_tournament, cancel_tournament):
        with pytest.raises(NotAllowedError):
            act(tournament=tournament, actor=author, reason="I lose.")
    with pytest.raises(NotAllowedError):
        disqualify(tournament=tournament, bot=bot, actor=author, reason="I do not like it.")


def entries_bots(tournament: Tournament) -> list:  # type: ignore[type-arg]
    return [entry.bot for entry in Entry.objects.filter(pool=tournament.pool).select_related("bot__owner")]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"preset": "android_full"}, "agreements.deal_limit"),
        ({"preset": "no_such"}, "preset"),
        ({"format": "lottery"}, "format"),
        ({"format": "knockout"}, "format"),
        ({"format": "gauntlet"}, "candidate"),
        ({"places": 1}, "places"),
        ({"format": "all_tables", "places": 11}, "places"),
        ({"blocks_a_table": 0}, "blocks_a_table"),
        ({"blocks_a_table": 21}, "blocks_a_table"),
        ({"swiss_rounds": 3}, "swiss_rounds"),
        ({"format": "swiss", "swiss_rounds": 0}, "swiss_rounds"),
        ({"text": "x" * 4001}, "text"),
        ({"name": " "}, "name"),
        ({"slug": "Cup!"}, "slug"),
        ({"starts_at": timezone.now() - timedelta(seconds=1)}, "starts_at"),
        ({"starts_at": timezone.now() + timedelta(days=400)}, "starts_at"),
        ({"limits": {"move_ms": 0}}, "limits.move_ms"),
    ],
)
def test_what_cannot_be_is_refused_by_name(fields: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        create(make_organiser(), **fields)
    assert refused.value.field == field
    assert not Tournament.objects.exists()


def test_an_address_is_taken_once() -> None:
    organiser = make_organiser()
    create(organiser)
    with pytest.raises(ConflictError, match="already a ladder or tournament"):
        create(organiser)


def test_before_the_start_it_is_edited_and_not_after() -> None:
    organiser = make_organiser()
    tournament = make_tournament(3, organiser=organiser)
    changed = {
        "tournament": tournament, "actor": organiser, "name": "Winter cup", "text": "Bring a coat.",
        "starts_at": in_an_hour(), "places": 9, "blocks_a_table": 2,
    }  # fmt: skip
    edited = edit_tournament(**changed)  # type: ignore[arg-type]
    assert (edited.pool.name, edited.places, edited.blocks_a_table) == ("Winter cup", 9, 2)
    with pytest.raises(InvalidInputError, match="3 to 63 places"):
        edit_tournament(**(changed | {"places": 2}))  # type: ignore[arg-type]
    start(tournament)
    with pytest.raises(ConflictError, match="before its start"):
        edit_tournament(**changed)  # type: ignore[arg-type]


def test_a_start_that_has_passed_meanwhile_cannot_be_opened() -> None:
    organiser = make_organiser()
    tournament = create(organiser, starts_at=in_an_hour())
    with pytest.raises(InvalidInputError, match="within the next year"):
        open_registration(tournament=tournament, actor=organiser, now=timezone.now() + timedelta(hours=2))


def test_an_owner_enters_one_bot_and_takes_it_back() -> None:
    tournament = make_tournament()
    owner = make_author()
    bot, second = (make_version(make_bot(owner)).bot for _bot in range(2))
    entry = enter_tournament(tournament=tournament, bot=bot, actor=owner)
    assert enter_tournament(tournament=tournament, bot=bot, actor=owner) == entry
    with pytest.raises(LimitReachedError, match="an owner enters one bot"):
        enter_tournament(tournament=tournament, bot=second, actor=owner)
    left = withdraw_from_tournament(tournament=tournament, bot=bot, actor=owner, reason="A bug.")
    assert (left.active, left.departure, left.departure_reason) == (False, "withdrawn", "A bug.")
    enter_tournament(tournament=tournament, bot=second, actor=owner)
    with pytest.raises(LimitReachedError):
        enter_tournament(tournament=tournament, bot=bot, actor=owner)
    withdraw_from_tournament(tournament=tournament, bot=second, actor=owner)
    again = enter_tournament(tournament=tournament, bot=bot, actor=owner)
    assert (again.active, again.departure, again.departure_reason) == (True, "", "")


def test_only_owners_and_organisers_enter_a_bot_and_only_organisers_a_house_bot() -> None:
    tournament = make_tournament()
    bot = make_version().bot
    with pytest.raises(NotAllowedError, match="belongs to somebody else"):
        enter_tournament(tournament=tournament, bot=bot, actor=make_author())
    with pytest.raises(NotAllowedError):
        withdraw_from_tournament(tournament=tournament, bot=bot, actor=make_author())
    organiser = make_organiser()
    assert enter_tournament(tournament=tournament, bot=bot, actor=organiser).active
    house = make_version(make_bot(name="hard", is_house=True)).bot
    with pytest.raises(NotAllowedError):
        enter_tournament(tournament=tournament, bot=house, actor=make_author())
    assert enter_tournament(tournament=tournament, bot=house, actor=organiser).active


def test_a_bot_that_cannot_play_here_is_told_why() -> None:
    tournament = make_tournament(house=0)
    organiser = make_organiser()

    def objection(**version: object) -> str:
        bot = make_version(**version).bot  # type: ignore[arg-type]
        with pytest.raises(ConflictError) as refused:
            enter_tournament(tournament=tournament, bot=bot, actor=organiser)
        assert refused.value.field == "bot"
        return refused.value.message

    assert "no version that is ready" in objection(state=VersionState.UPLOADED)
    assert "plays club_four. Name tournament_default among" in objection(manifest={"rulesets": ["club_four"]})
    bot = make_version().bot
    pause_bot(bot=bot, actor=bot.owner)
    with pytest.raises(ConflictError, match="is paused"):
        enter_tournament(tournament=tournament, bot=bot, actor=organiser)


def test_the_rules_that_a_bot_names_decide_where_it_may_enter() -> None:
    organiser = make_organiser()
    plain = create(organiser, slug="plain")
    custom = create(organiser, slug="custom", agreements={"barrel_threshold": 900})
    two = create(organiser, slug="two", preset="two_player_stock", agreements={"deal_limit": 50})
    for tournament in (plain, custom, two):
        open_registration(tournament=tournament, actor=organiser)
    bots = {
        "nothing": make_version().bot,
        "plain": make_version(manifest={"rulesets": ["tournament_default"]}).bot,
        "other": make_version(manifest={"rulesets": ["android_full"]}).bot,
        "two": make_version(manifest={"rulesets": ["two_player_stock"]}).bot,
    }
    allowed = set()
    for where in (plain, custom, two):
        for name, bot in bots.items():
            with suppress(ConflictError):
                enter_tournament(tournament=where, bot=bot, actor=organiser)
                allowed.add((where.pool.slug, name))
    assert allowed == {
        ("plain", "nothing"), ("plain", "plain"),
        ("custom", "nothing"), ("custom", "plain"), ("custom", "other"),
        ("two", "two"),
    }  # fmt: skip


def test_a_full_tournament_takes_nobody_and_a_closed_one_neither() -> None:
    tournament = make_tournament(2, places=2)
    with pytest.raises(LimitReachedError, match="All 2 places are taken"):
        enter(tournament)
    start(tournament)
    with pytest.raises(ConflictError, match="while registration is open"):
        enter(tournament)


def test_a_disqualified_bot_does_not_come_back_and_the_reason_is_needed() -> None:
    tournament = make_tournament(3)
    organiser = make_organiser()
    bot = entries_bots(tournament)[0]
    with pytest.raises(InvalidInputError, match="Say why"):
        disqualify(tournament=tournament, bot=bot, actor=organiser, reason="  ")
    disqualify(tournament=tournament, bot=bot, actor=organiser, reason="Two accounts.")
    with pytest.raises(NotAllowedError, match="Two accounts"):
        enter_tournament(tournament=tournament, bot=bot, actor=organiser)
    with pytest.raises(ConflictError, match="already"):
        disqualify(tournament=tournament, bot=bot, actor=organiser, reason="Again.")
    with pytest.raises(ConflictError, match="does not take part"):
        withdraw_from_tournament(tournament=tournament, bot=make_bot(), actor=organiser)


def test_at_its_time_it_starts_by_itself_with_those_that_are_ready_and_versions_are_frozen() -> None:
    tournament = make_tournament(4, starts_at=in_an_hour())
    bots = entries_bots(tournament)
    pause_bot(bot=bots[0], actor=bots[0].owner)
    newer = make_version(bots[1])
    advance_tournaments()
    tournament.refresh_from_db()
    assert tournament.state == TournamentState.OPEN
    advance_tournaments(now=in_an_hour() + timedelta(seconds=1))
    tournament.refresh_from_db()
    assert (tournament.state, tournament.rounds) == (TournamentState.RUNNING, 1)
    assert {entry.bot for entry in entrants(tournament)} == set(bots[1:])
    left = Entry.objects.get(pool=tournament.pool, bot=bots[0])
    assert left.departure == Departure.WITHDRAWN
    assert "is paused" in left.departure_reason
    make_version(bots[1])
    assert Entry.objects.get(pool=tournament.pool, bot=bots[1]).version == newer


def test_a_start_to_which_nobody_came_cancels_by_itself_and_is_refused_by_hand() -> None:
    tournament = make_tournament(1, starts_at=in_an_hour())
    [bot] = entries_bots(tournament)
    withdraw_from_tournament(tournament=tournament, bot=bot, actor=make_organiser())
    with pytest.raises(ConflictError, match="Nobody has entered"):
        start(tournament)
    advance_tournaments(now=in_an_hour() + timedelta(seconds=1))
    tournament.refresh_from_db()
    assert tournament.state == TournamentState.CANCELLED
    assert TournamentAct.objects.filter(kind=ActKind.CANCELLED, by_arena=True, reason="Nobody has entered.")


def test_a_gauntlet_starts_with_its_candidate_only() -> None:
    candidate = make_version(manifest={"rulesets": ["tournament_default"]}).bot
    tournament = make_tournament(3, format="gauntlet", candidate=candidate)
    with pytest.raises(ConflictError, match="candidate"):
        start(tournament)
    enter(tournament, candidate)
    start(tournament)
    assert entrants(tournament)[0].bot == candidate


def test_ending_early_voids_what_is_open_without_a_rerun_and_keeps_the_table() -> None:
    tournament = make_tournament(9)
    start(tournament)
    organiser = make_organiser()
    with pytest.raises(InvalidInputError, match="Say why"):
        end_tournament(tournament=tournament, actor=organiser, reason="")
    end_tournament(tournament=tournament, actor=organiser, reason="The machine burns.")
    assert len(open_blocks(tournament)) == 3
    advance_tournaments()
    assert open_blocks(tournament) == []
    assert Block.objects.filter(pool=tournament.pool, state=BlockState.VOID, rerun=None).count() == 3
    advance_tournaments()
    tournament.refresh_from_db()
    assert (tournament.state, tournament.rounds) == (TournamentState.FINISHED, 1)


def test_an_erased_owner_leaves_what_is_not_over_and_keeps_its_place_in_what_is() -> None:
    over, running = make_tournament(3), make_tournament(4)
    bot = entries_bots(over)[0]
    enter_tournament(tournament=running, bot=bot, actor=make_organiser())
    start(over)
    play_out(over)
    start(running)
    erase_account(user=bot.owner)
    assert Entry.objects.get(pool=over.pool, bot=bot).active
    left = Entry.objects.get(pool=running.pool, bot=bot)
    assert (left.active, left.departure, left.departed_in_round) == (False, Departure.WITHDRAWN, 1)
    play_out(running)
    running.refresh_from_db()
    assert running.state == TournamentState.FINISHED


def test_a_bot_under_an_annulment_does_not_enter() -> None:
    tournament = make_tournament(3)
    start(tournament)
    annulled = entrants(tournament)[0]
    annul_version(version=annulled.version, reason="It looked at the cards.", by=make_organiser())
    other = make_tournament(house=0)
    with pytest.raises(ConflictError, match="annulled"):
        enter_tournament(tournament=other, bot=annulled.bot, actor=make_organiser())


def test_the_field_is_seeded_by_the_ladder_of_the_same_rules() -> None:
    tournament = make_tournament(4)
    ladder = make_pool(ruleset=tournament.pool.ruleset, ruleset_digest=tournament.pool.ruleset_digest)
    bots = entries_bots(tournament)
    for value, bot in zip((1500.0, 1700.0, 1600.0), bots, strict=False):
        rate(ladder, bot.active_version, value)
    Rating.objects.filter(pool=ladder).update(blocks=30)
    start(tournament)
    assert [entry.bot for entry in entrants(tournament)] == [bots[1], bots[2], bots[0], bots[3]]
