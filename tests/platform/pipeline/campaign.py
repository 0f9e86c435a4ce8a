"""A seeded campaign of faults against a site of real processes, and what must hold when it is over.

`plan` draws the faults: every kind at every step it applies to comes before anything comes twice. `Campaign`
carries them out while bots of four authors and the house play. Processes are killed with SIGKILL, by
themselves at a step (`staged`) or from outside while they are held there.
"""

import os
import random
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from celery import Celery

from arena.sandbox.gate import stat_fields
from arena.sandbox.identity import SlotUsers
from tests.platform.pipeline.real_site import ROOT, PrivateRedis, Site, free_port
from tests.platform.pipeline.staged import steps_of

REACH_S = 25.0
"""How long a fault waits for a process to come to its step before it strikes without it."""
BACK_S = 15.0
"""A killed worker's match is back in line after at most so long."""
LEASE_S = 10.0

PLATFORM, ARENA, WEB = steps_of("platform"), steps_of("arena"), steps_of("web")
RARE = {"fit-computed", "verdict-settled"}
RARE_S = 75.0
ANYWHERE = [*PLATFORM, *ARENA]

KINDS: dict[str, list[str]] = {
    "task killed": PLATFORM,
    "platform worker killed": PLATFORM,
    "arena worker killed": ARENA,
    "runner killed": ["worker-plays"],
    "beat killed": [""],
    "web killed": WEB,
    "redis restarted": ANYWHERE,
    "redis restarted empty": ANYWHERE,
    "worker paused past its lease": ARENA,
    "report delivered twice": ["worker-has-reported"],
    "report delivered eight times at once": ["worker-has-reported"],
    "report delivered late": [""],
    "start delivered after the report": ["worker-has-reported"],
}


@dataclass(frozen=True, slots=True)
class Fault:
    kind: str
    step: str


def plan(rng: random.Random, count: int) -> list[Fault]:
    """Draw faults: kinds in turn, each at steps it has not struck at before as long as there are any."""
    left: dict[str, list[str]] = {kind: [] for kind in KINDS}
    kinds: list[str] = []
    faults = []
    for _number in range(count):
        if not kinds:
            kinds = rng.sample(sorted(KINDS), len(KINDS))
        kind = kinds.pop()
        if not left[kind]:
            left[kind] = rng.sample(KINDS[kind], len(KINDS[kind]))
        faults.append(Fault(kind, left[kind].pop()))
    return faults


@dataclass(slots=True)
class Figures:
    """What a campaign measured."""

    struck: Counter[str] = field(default_factory=Counter)
    steps: Counter[str] = field(default_factory=Counter)
    missed: list[Fault] = field(default_factory=list)
    """Nobody came to the step in time; the fault struck at no particular one."""
    back_s: list[float] = field(default_factory=list)
    """Seconds from a worker's death until its match was back in line."""
    sent_again_s: list[float] = field(default_factory=list)
    """The same for an order that it had taken and not begun."""
    ended_by_itself: Counter[str] = field(default_factory=Counter)
    """Processes that nobody killed and that had to be started again."""
    blocks: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    attempts: Counter[int] = field(default_factory=Counter)
    seconds: float = 0.0

    def lines(self) -> list[str]:
        return [
            f"{sum(self.struck.values())} faults in {self.seconds:.0f} s: {dict(self.struck)}",
            f"steps struck at: {dict(self.steps)}; not reached in time: {self.missed}",
            f"a killed worker's match was back in line after (s, {len(self.back_s)} kills, "
            f"min/median/90 %/max): {_spread(self.back_s)}",
            f"an order that it had taken and not begun (s, {len(self.sent_again_s)}): "
            f"{_spread(self.sent_again_s)}",
            f"processes that ended by themselves: {dict(self.ended_by_itself)}",
            f"blocks: {dict(self.blocks)}; void because: {dict(self.causes)}",
            f"starts a finished match: {dict(sorted(self.attempts.items()))}",
        ]


def _spread(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    return " / ".join(f"{ordered[int(q * (len(ordered) - 1))]:.1f}" for q in (0, 0.5, 0.9, 1) if ordered)


BOT = """from bots_sdk import Bot, run

# upload {number}
class Mine(Bot):
    def choose(self, request):
        return request.legal[{choice} * (len(request.legal) - 1) // 3]

run(Mine())
"""

PREPARE = """
from thousand.tournaments.services import create_ladder
from thousand.accounts.models import User
from thousand.accounts.services import create_api_token
from thousand.bots.services import create_bot
short = {"deal_limit": 6}
create_ladder(name="Quick", slug="quick", preset="tournament_default", agreements=short, is_main=True)
for name in ("ada", "blaise", "carl", "dorothy"):
    user = User.objects.create_user(username=name)
    bot = create_bot(owner=user, name=f"{name} bot")
    print(bot.public_id, create_api_token(user=user, name="faults")[1])
"""


class Campaign:
    """Everything that runs, and what strikes it."""

    def __init__(self, site: Site, broker: PrivateRedis, folder: Path, rng: random.Random) -> None:
        self._site = site
        self._redis = broker
        self._folder = folder / "steps"
        for name in ("armed", "taken", "held", "said"):
            (self._folder / name).mkdir(parents=True)
        self._rng = rng
        # Numbers that no other suite on this machine is likely to use.
        self._slots = [40 + 2 * (os.getpid() % 9), 41 + 2 * (os.getpid() % 9)]
        self._sender = Celery("faults", broker=broker.url, set_as_current=False)
        self._port = free_port()
        self._uploads = 0
        self.figures = Figures()
        self._bots = [line.split() for line in self._prepare().splitlines() if "tha_" in line]
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._lock = threading.RLock()
        for name in ("platform", "beat", "web", *map(str, self._slots)):
            self._running[name] = self._start(name)
        self._ending = threading.Event()
        self._supervisor = threading.Thread(target=self._supervise, daemon=True)
        self._supervisor.start()

    def _prepare(self) -> str:
        self._site.manage("migrate", "-v", "0")
        listed = self._site.manage("shell", "--no-imports", "-c", PREPARE)
        self._site.manage("setup")
        return listed

    def _start(self, name: str) -> subprocess.Popen[bytes]:
        """Start the platform worker, beat, web, or the arena worker of a slot."""
        environment = self._site.platform
        words = {
            "platform": ("platform", "-Q", "platform", "-c", "2"),
            "beat": ("beat", "--pidfile="),
            "web": ("web", str(self._port)),
        }.get(name, ("arena", "-c", "1", "-n", f"arena{name}@here"))
        if words[0] == "arena":
            environment = self._site.arena | {"THOUSAND_FIRST_SLOT": name}
        command = [sys.executable, "-m", "tests.platform.pipeline.staged", str(self._folder), *words]
        return self._site.start(command, environment | {"PYTHONPATH": str(ROOT)})

    def _supervise(self) -> None:
        """Start again what has ended, as systemd or Compose would."""
        while not self._ending.wait(1):
            with self._lock:
                for name, process in self._running.items():
                    if process.poll() is not None:
                        self.figures.ended_by_itself[name if name.isalpha() else "arena"] += 1
                        self._running[name] = self._start(name)

    def _kill_and_start(self, name: str, *, after: float = 0) -> None:
        with self._lock:
            os.killpg(self._running[name].pid, signal.SIGKILL)
            self._running[name].wait()
            time.sleep(after)
            self._running[name] = self._start(name)

    def run(self, faults: list[Fault]) -> None:
        """Let every author's bot be accepted, then strike."""
        begun = time.monotonic()
        for number in range(len(self._bots)):
            self._upload(number)
        self._site.wait_for(self._site.rated_blocks, 120)
        for fault in faults:
            with (self._folder / "history").open("a") as history:
                history.write(f"{time.strftime('%H:%M:%S')} {fault.kind} at {fault.step or 'any time'}\n")
            self._strike(fault)
            self.figures.struck[fault.kind] += 1
            time.sleep(self._rng.uniform(0, 1))
        self.figures.seconds = time.monotonic() - begun

    def _strike(self, fault: Fault) -> None:
        reached = True
        if fault.step:
            reached = self._hold(fault)
            if reached:
                self.figures.steps[fault.step] += 1
            else:
                self.figures.missed.append(fault)
        getattr(self, "_" + fault.kind.replace(" ", "_"))(fault)
        self._let_go(fault.step)

    def _hold(self, fault: Fault) -> bool:
        """Arm the step and wait until a process is there."""
        armed = self._folder / "armed" / fault.step
        armed.with_suffix(".new").write_text("kill" if fault.kind == "task killed" else "hold")
        armed.with_suffix(".new").rename(armed)
        if fault.step in (*WEB, "verdict-settled"):
            # Apart, because the answer may wait for as long as the step is held.
            number = self._rng.randrange(len(self._bots))
            threading.Thread(target=self._upload, args=(number,), daemon=True).start()
        patience = time.monotonic() + (RARE_S if fault.step in RARE else REACH_S)
        while time.monotonic() < patience:
            if (self._folder / "held" / fault.step).exists():
                return True
            time.sleep(0.02)
        with suppress(FileNotFoundError):  # taken in this very moment: then somebody is there
            armed.unlink()
            return False
        return True

    def _let_go(self, step: str) -> None:
        if step:
            (self._folder / "held" / step).unlink(missing_ok=True)

    # -- what is done to processes ---------------------------------------------------------------------

    def _task_killed(self, fault: Fault) -> None:
        """The process that came to the step has killed itself; its worker forks another one."""

    def _platform_worker_killed(self, _fault: Fault) -> None:
        self._kill_and_start("platform")

    def _beat_killed(self, _fault: Fault) -> None:
        self._kill_and_start("beat", after=self._rng.uniform(0, 3))

    def _web_killed(self, _fault: Fault) -> None:
        self._kill_and_start("web")

    def _arena_worker_killed(self, fault: Fault) -> None:
        slot = self._slot_at(fault.step)
        playing, ordered = self._played_by(slot), self._ordered_by(fault.step)
        killed_at = time.monotonic()
        with self._lock:
            # The worker alone: its runner and sandboxes must end by themselves.
            self._running[slot].kill()
            self._running[slot].wait()
            self._let_go(fault.step)
            self._running[slot] = self._start(slot)
        for match, token in playing:
            self._site.wait_for(lambda match=match, token=token: not self._runs(match, token), 2 * BACK_S)
            self.figures.back_s.append(time.monotonic() - killed_at)
        for match, token in ordered:
            self._site.wait_for(lambda match=match, token=token: not self._runs(match, token), 90)
            self.figures.sent_again_s.append(time.monotonic() - killed_at)

    def _runner_killed(self, fault: Fault) -> None:
        for runner in _children(self._running[self._slot_at(fault.step)].pid):
            with suppress(ProcessLookupError):
                os.kill(runner, signal.SIGKILL)

    def _worker_paused_past_its_lease(self, fault: Fault) -> None:
        worker = self._running[self._slot_at(fault.step)]
        worker.send_signal(signal.SIGSTOP)
        self._let_go(fault.step)
        time.sleep(LEASE_S + self._rng.uniform(2, 5))
        worker.send_signal(signal.SIGCONT)

    def _redis_restarted(self, _fault: Fault) -> None:
        self._redis.restart(losing=False)

    def _redis_restarted_empty(self, _fault: Fault) -> None:
        self._redis.restart(losing=True)

    # -- what is done to messages ----------------------------------------------------------------------

    def _report_delivered_twice(self, fault: Fault) -> None:
        self._let_go(fault.step)
        self._say(self._said("match_finished")[-1:])

    def _report_delivered_eight_times_at_once(self, fault: Fault) -> None:
        self._let_go(fault.step)
        self._say(self._said("match_finished")[-1:] * 8)

    def _report_delivered_late(self, _fault: Fault) -> None:
        self._say(self._rng.sample(self._said("match_finished"), 3))

    def _start_delivered_after_the_report(self, fault: Fault) -> None:
        self._let_go(fault.step)
        self._say(self._said("match_started")[-2:])

    def _said(self, kind: str) -> list[str]:
        files = [file for file in sorted((self._folder / "said").iterdir()) if file.suffix != ".new"]
        messages = [file.read_text() for file in files]
        return [message for message in messages if f'"{kind}"' in message[:60]]

    def _say(self, messages: list[str]) -> None:
        for message in messages:
            self._sender.send_task("platform.worker_message", args=[message], queue="platform")

    # -- looking and helping ---------------------------------------------------------------------------

    def _slot_at(self, step: str) -> str:
        """Return the slot of the worker that is held at a step; any, if nobody came."""
        held = self._folder / "held" / step
        for slot in map(str, self._slots):
            if held.exists() and self._running[slot].pid == int(held.read_text()):
                return slot
        return str(self._rng.choice(self._slots))

    def _played_by(self, slot: str) -> list[tuple[str, str]]:
        query = "SELECT public_id, token FROM matches_match WHERE state = 'playing' AND worker = %s"
        return [(match, token) for match, token in self._site.rows(query, f"arena{slot}@here")]

    def _ordered_by(self, step: str) -> list[tuple[str, str]]:
        """Return the order that a worker held at one of these steps has taken and not begun."""
        if step not in ("worker-has-order", "worker-starts"):
            return []
        sent = "SELECT public_id, token FROM matches_match WHERE state = 'sent' ORDER BY sent_at, id LIMIT 1"
        return [(match, token) for match, token in self._site.rows(sent)]

    def _runs(self, match: str, token: str) -> bool:
        query = (
            "SELECT 1 FROM matches_match WHERE public_id = %s AND token = %s AND state IN ('sent', 'playing')"
        )
        return bool(self._site.ask(query, match, token))

    def _upload(self, number: int) -> None:
        """Send a bot's next version through the site's API, as its author would: again if the site fails."""
        bot, token = self._bots[number]
        self._uploads += 1
        source = BOT.format(number=self._uploads, choice=number)
        boundary = "a-boundary"
        body = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="bot.py"\r\n'
            f"Content-Type: text/x-python\r\n\r\n{source}\r\n--{boundary}--\r\n"
        )
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._port}/api/v1/bots/{bot}/versions/",
            data=body.encode(),
            headers={
                "Authorization": f"Bearer {token}",
                "Content-Type": f"multipart/form-data; boundary={boundary}",
                "Host": "localhost",
                "X-Forwarded-Proto": "https",
            },
        )
        patience = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(request, timeout=30).close()
                return
            except urllib.error.HTTPError as error:
                if error.code not in (409, 429):  # there already, or enough for today
                    raise
                return
            except OSError:
                if time.monotonic() > patience:
                    return
                time.sleep(0.3)

    # -- the end ---------------------------------------------------------------------------------------

    def settle(self, seconds: float = 240) -> None:
        """Plan nothing more and wait until everything that was begun has ended."""
        for armed in (self._folder / "armed").iterdir():
            armed.unlink()
        for held in (self._folder / "held").iterdir():
            held.unlink()
        unfinished = (
            "SELECT (SELECT count(*) FROM matches_block WHERE state = 'open')"
            " + (SELECT count(*) FROM bots_botversion WHERE state IN ('uploaded', 'validating'))"
        )

        def over() -> bool:
            # Again and again: a schedule that was under way may just have written its ladder back.
            self._site.ask("UPDATE tournaments_ladder SET running = false RETURNING 1")
            return not self._site.ask(unfinished)

        self._site.wait_for(over, seconds)

    def stop(self) -> list[int]:
        """Ask every process to end; return those that had to be killed."""
        self._ending.set()
        self._supervisor.join()
        return self._site.stop()

    def measure(self) -> None:
        figures, rows = self.figures, self._site.rows
        figures.blocks.update(dict(rows("SELECT state, count(*) FROM matches_block GROUP BY 1")))
        void = "SELECT void_cause, count(*) FROM matches_block WHERE state = 'void' GROUP BY 1"
        figures.causes.update(dict(rows(void)))
        starts = "SELECT attempts, count(*) FROM matches_match WHERE state = 'finished' GROUP BY 1"
        figures.attempts.update(dict(rows(starts)))

    def left_over(self) -> list[str]:
        """Return what still runs of this site after it was stopped, from `/proc`."""
        users = {uid for slot in self._slots for uid in SlotUsers.for_slot(slot).uids}
        found = []
        for folder in Path("/proc").iterdir():
            if not folder.name.isdigit() or int(folder.name) == os.getpid():
                continue
            try:
                words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
                ours = folder.stat().st_uid in users or str(self._folder) in words
                runner = "arena.runner" in words and words[words.index("--slot") + 1] in map(str, self._slots)
                state, parent, *_ = stat_fields(folder.name)
            except (OSError, ValueError):
                continue
            if ours and state == "Z" and int(parent) == os.getpid():
                # A killed runner's, and it has ended: tests of the sandbox made this process adopt orphans.
                os.waitpid(int(folder.name), os.WNOHANG)
                continue
            if ours or runner:
                found.append(f"{folder.name}: {' '.join(words)}")
        return found


def _children(pid: int) -> list[int]:
    found = []
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):
            found += [int(child) for child in (thread / "children").read_text().split()]
    return found
