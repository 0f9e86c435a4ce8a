"""The tier without namespaces: what only its own rules hold, and what its bots still get."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.orders import Limits
from arena.sandbox import Bind, JobEnd, JobResult, LaunchSpec, Profile, python_argv, run_job
from arena.sandbox.choose import judge
from arena.sandbox.landlock import landlock_abi, open_ruleset
from arena.sandbox.landlock_sandbox import LandlockSandbox, LandlockWalls
from arena.sandbox.places import Places
from arena.verdicts import ArenaFault
from tests.arena.sandbox.conftest import StartProbe
from tests.arena.sandbox.probe import PATIENCE_S, Probe, stage_bot, wait_for_end

pytestmark = [pytest.mark.sandbox, pytest.mark.attacks]


@pytest.fixture
def probe(start: StartProbe) -> Probe:
    return start(LandlockSandbox())


@pytest.fixture
def neighbour(probe: Probe) -> Iterator[int]:
    """Another process of the bot's own user, which nothing but the filter keeps from it."""
    owner = os.stat(f"/proc/{_pid(probe)}").st_uid
    user = owner if os.geteuid() == 0 else None
    with subprocess.Popen(["/usr/bin/sleep", "60"], user=user) as process:
        yield process.pid
        assert process.poll() is None, "the bot ended it"
        process.kill()


def _pid(probe: Probe) -> int:
    info = Path(f"/proc/self/fdinfo/{probe.process.pidfd}").read_text()
    return int(info.partition("Pid:")[2].split()[0])


@pytest.mark.parametrize(
    "attack",
    [
        "os.kill({pid}, 0)",
        "os.kill({pid}, signal.SIGSTOP)",
        "os.kill(-1, signal.SIGTERM)",
        "os.kill(0, signal.SIGUSR1)",
        "os.pidfd_open({pid})",
        "syscall(200, {pid}, 9)",
        "syscall(234, {pid}, {pid}, 9)",
        "syscall(129, {pid}, 9, 0)",
        "syscall(297, {pid}, {pid}, 9, 0)",
        "syscall(424, os.open('/proc/{pid}', os.O_PATH | os.O_DIRECTORY), 9, 0, 0)",
        "os.setpriority(os.PRIO_PROCESS, {pid}, 19)",
        "os.setpriority(os.PRIO_USER, os.getuid(), 19)",
        "os.sched_setscheduler({pid}, os.SCHED_IDLE, os.sched_param(0))",
        "resource.prlimit({pid}, resource.RLIMIT_NOFILE)",
        "resource.prlimit({pid}, resource.RLIMIT_CPU, (0, 0))",
        "syscall(310, {pid}, 0, 0, 0, 0, 0)",
        "syscall(101, 16, {pid}, 0, 0)",
        "syscall(256, {pid}, 0, 0, 0)",
        "grab('/proc/{pid}/mem')",
        "grab('/proc/self/mem')",
        "os.readlink('/proc/{pid}/exe')",
    ],
)
def test_a_neighbour_of_the_same_user_is_out_of_reach(probe: Probe, neighbour: int, attack: str) -> None:
    assert probe.error(attack.format(pid=neighbour)) in {"EPERM", "EACCES"}
    assert "Max cpu time              unlimited" in Path(f"/proc/{neighbour}/limits").read_text()
    assert os.getpriority(os.PRIO_PROCESS, neighbour) == os.getpriority(os.PRIO_PROCESS, 0)


@pytest.mark.parametrize(
    "attack",
    [
        "os.chmod({path!r}, 0)",
        "os.chmod(os.open({path!r}, os.O_PATH), 0)",
        "os.utime({path!r})",
        "os.truncate({path!r}, 0)",
        "os.setxattr({path!r}, 'user.mark', b'here')",
        "os.unlink({path!r})",
        "os.rename({path!r}, {path!r} + '2')",
        "os.link({path!r}, {path!r} + '2')",
        "os.symlink('/', {path!r} + '2')",
        "os.mkfifo({path!r} + '2')",
        "syscall(452, -100, ctypes.cast({path!r}.encode(), ctypes.c_void_p).value, 0, 0)",
        "open({path!r}, 'a').close()",
    ],
)
def test_a_file_of_the_same_user_cannot_be_changed(probe: Probe, stage: Path, attack: str) -> None:
    folder = stage / "own"
    folder.mkdir()
    mine = folder / "file"
    mine.write_text("untouched")
    if os.geteuid() == 0:
        owner = os.stat(f"/proc/{_pid(probe)}").st_uid
        os.chown(mine, owner, owner)
        os.chown(folder, owner, owner)
    before = mine.stat()
    assert probe.error(attack.format(path=str(mine))) in {"EPERM", "EACCES", "EBADF"}
    assert mine.stat() == before
    assert os.listdir(folder) == ["file"]


@pytest.mark.parametrize("kind", ["SOCK_DGRAM", "SOCK_SEQPACKET", "SOCK_DGRAM | socket.SOCK_NONBLOCK"])
def test_a_pair_of_sockets_leads_to_no_name(probe: Probe, kind: str) -> None:
    assert probe.error(f"socket.socketpair(socket.AF_UNIX, socket.{kind})") == "EPROTONOSUPPORT"
    for call in ("bind('\\0bot')", "connect('\\0bot')", "listen()", "accept()"):
        assert probe.error(f"socket.socketpair()[0].{call}") == "EPERM"
    assert probe.run("[one.close() for one in socket.socketpair()]") == [None, None]


def test_without_its_own_rules_a_datagram_leaves(start: StartProbe) -> None:
    name = f"thousand-letters-{os.getpid()}"  # the suite may run twice at once
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as box:
        box.bind(f"\0{name}")
        send = f"socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'x', '\\0{name}')"
        assert start(LandlockSandbox()).error(send) == "EPROTONOSUPPORT"
        open_to_all = start(LandlockSandbox(walls=LandlockWalls(lone=False)))
        if landlock_abi() >= 6:
            assert open_to_all.error(send) == "EPERM", "Landlock itself keeps it in"
        else:
            assert open_to_all.error(send) == ""


@pytest.mark.parametrize(
    ("walls", "seen"),
    [
        ({"landlock": False}, {"files of others"}),
        ({"seccomp": False}, {"processes", "tracing", "hidden memory", "waking itself", "sockets"}),
        ({"rlimits": False}, {"memory", "open files"}),
        ({"lone": False, "landlock": False}, {"datagrams", "host sockets"}),
    ],
)
def test_the_canary_misses_no_wall(walls: dict[str, bool], seen: set[str]) -> None:
    report = judge(LandlockSandbox(walls=LandlockWalls(**walls)))
    assert not report.usable
    assert seen <= {check.name for check in report.checks if not check.held}


def test_nothing_is_gained_from_root(probe: Probe) -> None:
    status = Path(f"/proc/{_pid(probe)}/status").read_text()
    fields = {line.split(":")[0]: line.split()[1:] for line in status.splitlines()}
    for name in ("CapInh", "CapPrm", "CapEff", "CapAmb"):
        assert fields[name] == ["0" * 16]
    assert fields["NoNewPrivs"] == ["1"]
    assert fields["Seccomp"] == ["2"]
    assert "0" not in fields["Uid"] + fields["Gid"]
    if os.geteuid() == 0:
        assert fields["CapBnd"] == ["0" * 16]
        assert fields["Groups"] == []


def test_it_dies_with_us_and_leaves_the_session(probe: Probe) -> None:
    assert os.getsid(_pid(probe)) == _pid(probe)
    assert probe.error("libc.prctl(1, 0, 0, 0, 0) and syscall(157, 1, 0, 0, 0, 0)") == "EPERM"


def test_too_many_threads_are_seen_where_no_limit_counts_them(start: StartProbe) -> None:
    probe = start(LandlockSandbox(), Limits(processes=8))
    probe.run("threading.stack_size(64 * 1024)")
    probe.run("waiting = [threading.Thread(target=time.sleep, args=(60,), daemon=True) for _ in range(20)]")
    refused = probe.error("[one.start() for one in waiting]")
    assert refused == "RuntimeError" or probe.process.memory_exceeded()
    assert (refused == "RuntimeError") == (os.geteuid() == 0)


def test_builds_are_not_for_this_tier(stage: Path) -> None:
    spec = LaunchSpec(("/bin/true",), stage, profile=Profile.BUILD)
    with pytest.raises(ArenaFault, match="builds need bubblewrap"):
        LandlockSandbox().start(spec)


def _run(stage: Path, argv: tuple[str, ...], source: str = "", **options: object) -> JobResult:
    bot_dir = stage_bot(stage / "bot", source)
    spec = LaunchSpec(argv, bot_dir, **options)  # type: ignore[arg-type]
    return run_job(LandlockSandbox(), spec, deadline_s=PATIENCE_S, stdout_bytes=10_000)


@pytest.mark.parametrize("command", ["/bot/missing", "/bot", "/bot/bot.py", "/etc/passwd"])
def test_a_command_that_cannot_be_run_is_the_bots_fault(stage: Path, command: str) -> None:
    result = _run(stage, (command,), "no program")
    assert (result.end, result.report.exit_code) == (JobEnd.EXITED, 127)
    assert command in result.log.head_text()


def test_a_bot_finds_its_world_by_the_names_it_knows(stage: Path) -> None:
    tool = stage_bot(stage / "tool", "", "answer.py")
    (tool / "answer.py").write_text("value = 42\n")
    bind = Bind(tool, "/runtime/tools")
    result = _run(
        stage,
        python_argv("bot.py"),
        "import os, sys\nsys.path.append(os.environ['MORE'].split(':')[1])\nimport answer, engine\n"
        "print(answer.value, os.listdir('.'))",
        binds=(bind,),
        env={"MORE": "/nowhere:/runtime/tools"},
    )
    assert result.stdout == b"42 ['bot.py']\n", result.log.head_text()


def test_names_of_places_are_translated_as_whole_paths() -> None:
    places = {
        "/bot": "/stage/bot",
        "/sdk": "/rt/sdk",
        "/toolchain/go": "/opt/go",
        "/toolchain/go-tools": "/opt/gopher",
    }
    for text, expected in (
        ("/bot", "/stage/bot"),
        ("/bot/main", "/stage/bot/main"),
        ("/bottle", "/bottle"),
        ("/bot.py", "/bot.py"),
        ("/toolchain/go/bin:/toolchain/go-tools:/usr/bin", "/opt/go/bin:/opt/gopher:/usr/bin"),
        ("--path=/sdk", "--path=/rt/sdk"),
        ("/usr/sdk", "/usr/sdk"),
        ("x/bot", "x/bot"),
    ):
        assert Places(places).on_host(text) == expected


def test_a_ruleset_passes_over_what_is_missing(tmp_path: Path) -> None:
    os.close(open_ruleset([tmp_path, tmp_path / "missing"]))


NO_LANDLOCK = """
import ctypes, os, struct, sys
class Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))
steps = [(0x20, 0, 0, 0), (0x15, 0, 1, 444), (0x06, 0, 0, 0x00050000 | 38), (0x06, 0, 0, 0x7FFF0000)]
code = b"".join(struct.pack("=HBBI", *step) for step in steps)
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(38, 1, 0, 0, 0) if os.geteuid() else None
assert libc.prctl(22, 2, ctypes.byref(Program(4, code)), 0, 0) == 0, ctypes.get_errno()
os.execv(sys.argv[1], sys.argv[1:])
"""


def test_a_kernel_without_landlock_and_no_bubblewrap_start_no_bot_at_all(tmp_path: Path) -> None:
    """Every program that is run is listed by strace: the interpreter of the test, and nothing else."""
    trace = tmp_path / "trace"
    command = [sys.executable, "-c", NO_LANDLOCK, sys.executable, "-m", "arena.selftest"]
    done = subprocess.run(
        ["/usr/bin/strace", "-f", "-qq", "-e", "trace=execve,execveat", "-o", str(trace), *command],
        env={**os.environ, "BWRAP": "/nonexistent"},
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 78, done.stderr
    assert done.stdout == ""
    for tier in ("bwrap-1a", "bwrap-1b", "landlock"):
        assert f"- {tier}: " in done.stderr
    assert "Landlock" in done.stderr
    assert done.stderr.count("What to do: ") == 3
    programs = {line.split('"')[1] for line in trace.read_text().splitlines() if " execve" in line}
    assert {Path(program).name for program in programs} <= {Path(sys.executable).name, "python3", "python"}


def test_a_bot_that_ends_is_reaped(stage: Path) -> None:
    process = LandlockSandbox().start(LaunchSpec(("/bin/true",), stage_bot(stage / "bot", "")))
    wait_for_end(process)
    process.close()
    assert Path(f"/proc/self/task/{os.getpid()}/children").read_text().split() == []
