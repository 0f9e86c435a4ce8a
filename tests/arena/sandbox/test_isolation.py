"""A bot reaches nothing: no network, no file, no process, no privilege, no place to write.

`outside` is the control: the same attack by the same code without a sandbox.
"""

import os
import platform
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.sandbox import open_sandbox
from arena.sandbox.choose import TIERS
from arena.sandbox.environment import ENVIRONMENT
from arena.sandbox.identity import FIRST_UID
from arena.sandbox.seccomp import Rule, rules
from arena.sandbox.syscalls import NUMBERS, X32_BIT
from tests.arena.sandbox.conftest import StartProbe
from tests.arena.sandbox.probe import Probe, wait_for_end

pytestmark = [pytest.mark.sandbox, pytest.mark.attacks]

MACHINE = platform.machine()
NOT_THERE = {"ENOENT", "EACCES"}
"""Another root shows nothing; Landlock shows that there is something, and does not open it."""
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can run bots as another user")


@pytest.fixture
def server() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


@pytest.fixture
def another_bots_file() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        path = Path(folder, "bot.py")
        path.write_text("a secret strategy")
        path.chmod(0o644)
        yield path


# Network


def test_no_connection_to_the_host(inside: Probe, outside: Probe, server: int) -> None:
    attack = f"socket.create_connection(('127.0.0.1', {server}), 1).close()"
    assert inside.error(attack) == "EAFNOSUPPORT"
    assert outside.error(attack) == ""


@pytest.mark.parametrize("family", ["AF_INET", "AF_INET6", "AF_NETLINK", "AF_PACKET", "AF_VSOCK", "AF_ALG"])
def test_no_socket_of_any_other_family(inside: Probe, family: str) -> None:
    assert inside.error(f"socket.socket(socket.{family}, socket.SOCK_RAW).close()") == "EAFNOSUPPORT"


def test_no_host_socket_by_name(inside: Probe, outside: Probe, stage: Path) -> None:
    with socket.socket(socket.AF_UNIX) as abstract, socket.socket(socket.AF_UNIX) as named:
        abstract.bind("\0thousand-test")
        abstract.listen()
        named.bind(str(stage / "door"))
        named.listen()
        (stage / "door").chmod(0o666)
        for address in ("\0thousand-test", str(stage / "door")):
            attack = f"socket.socket(socket.AF_UNIX).connect({address!r})"
            assert inside.error(attack) in {"ECONNREFUSED", "ENOENT", "EAFNOSUPPORT"}
            assert outside.error(attack) == ""


def test_without_the_filter_the_network_namespace_still_holds(
    breached: Callable[..., Probe], server: int
) -> None:
    attack = f"socket.create_connection(('127.0.0.1', {server}), 1).close()"
    assert breached(seccomp=False).error(attack) == "ECONNREFUSED"
    assert breached(seccomp=False, own_network=False).error(attack) == ""


def test_a_pair_of_local_sockets_works_as_asyncio_needs_it(inside: Probe) -> None:
    assert inside.run("[one.close() for one in socket.socketpair()]") == [None, None]


# Files


def test_no_file_of_another_bot(inside: Probe, outside: Probe, another_bots_file: Path) -> None:
    attack = f"grab({str(another_bots_file)!r})"
    assert inside.error(attack) in NOT_THERE
    assert outside.run(attack) == "b'a secret strategy'"


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "/etc/hostname", "/etc/ssl", "/root", "/home", "/var", "/run", "/sys", "/srv", "/opt"],
)
def test_no_file_of_the_host(inside: Probe, path: str) -> None:
    if os.path.exists(path):
        assert inside.error(f"open({path!r}).close()") in NOT_THERE
    if os.path.isdir(path):
        assert inside.error(f"os.listdir({path!r})") in NOT_THERE


def test_names_of_host_files_can_be_guessed_behind_landlock_only(inside: Probe, outside: Probe) -> None:
    """What leaks there: that a file is there and how long it is, never what is in it."""
    guess = "os.stat('/etc/passwd').st_size > 0"
    if inside.tier == "landlock":
        assert inside.run(guess)
        assert inside.error("grab('/etc/passwd')") == "EACCES"
        assert inside.error("os.listdir('/etc')") == "EACCES"
    else:
        assert inside.error(guess) == "ENOENT"
    assert outside.run(guess)


def test_no_file_of_the_site(inside: Probe) -> None:
    checkout = Path(__file__).parents[3]
    for folder in (checkout, sys.prefix):
        assert inside.error(f"os.listdir({str(folder)!r})") in NOT_THERE
    assert inside.error(f"grab({str(checkout / 'pyproject.toml')!r})") in NOT_THERE


def test_no_program_the_hosts_administrator_installed(inside: Probe) -> None:
    attack = "os.listdir('/usr/local') and 1 / 0"
    assert inside.error(attack) in {"", "EACCES"}


@pytest.mark.parametrize("tier", TIERS)
def test_a_link_in_its_folder_leads_nowhere(
    start: StartProbe, stage: Path, another_bots_file: Path, tier: str
) -> None:
    (stage / "probe").mkdir()
    (stage / "probe" / "link").symlink_to(another_bots_file)
    assert start(open_sandbox(tier)).error("grab('link')") in NOT_THERE


@pytest.mark.parametrize("field", ["environ", "cmdline", "maps", "root", "cwd"])
def test_nothing_of_the_referee_through_proc(inside: Probe, outside: Probe, field: str) -> None:
    path = f"/proc/{os.getpid()}/{field}"
    attack = f"os.listdir('{path}')" if os.path.isdir(path) else f"grab('{path}')"
    assert inside.error(attack) in NOT_THERE
    assert outside.error(attack) == ""


def test_only_its_own_processes_show(start: StartProbe) -> None:
    assert start().run("sorted(int(pid) for pid in os.listdir('/proc') if pid.isdigit())") == [1, 2]


def test_the_sandboxs_own_process_is_hidden(start: StartProbe, breached: Callable[..., Probe]) -> None:
    attack = "open('/proc/1/mem', 'rb+').close()"
    assert start().error(attack) == "ENOENT"
    assert breached(hidden_init=False).error(attack) == ""


# Environment and open files


def test_no_variable_of_the_host(inside: Probe, outside: Probe) -> None:
    assert set(inside.run("list(os.environ)")) - {"PWD"} == {*ENVIRONMENT}
    assert not set(outside.run("list(os.environ)")) <= {*ENVIRONMENT, "PWD"}


def test_only_three_pipes_are_open(start: StartProbe) -> None:
    reader, writer = os.pipe()
    os.set_inheritable(reader, True)
    try:
        descriptors = start().run("[number for number in os.listdir('/proc/self/fd') if int(number) > 2]")
    finally:
        os.close(reader)
        os.close(writer)
    assert len(descriptors) == 1, "the folder being listed, and nothing else"


def test_no_terminal(inside: Probe) -> None:
    assert inside.error("os.open('/dev/tty', os.O_RDWR)") in NOT_THERE
    assert inside.error("fcntl.ioctl(0, 0x5412, b'x')") == "EPERM"


# Writing


@pytest.mark.parametrize(
    "folder",
    ["/", "/tmp", ".", "/sdk", "/python", "/dev", "/etc", "/usr", "/usr/local", "/usr/lib", "/var/tmp"],
)
def test_no_place_to_write(inside: Probe, folder: str) -> None:
    for attack in (f"open('{folder}/left', 'w').close()", f"os.mkdir('{folder}/left')"):
        assert inside.error(attack) in {"EROFS", *NOT_THERE}


def test_without_remounting_the_root_is_writable(breached: Callable[..., Probe]) -> None:
    assert breached(read_only=False).error("open('/left', 'w').close()") == ""


def test_its_own_files_cannot_be_changed(inside: Probe) -> None:
    for attack in ("os.unlink('bot.py')", "os.chmod('bot.py', 0o777)", "os.utime('bot.py')"):
        assert inside.error(attack) in {"EROFS", "EPERM", "EACCES"}


def test_no_device_can_be_made(inside: Probe) -> None:
    assert inside.error("os.mknod('/dev/sda', 0o60600, os.makedev(8, 0))") in {"EPERM", "EROFS", "EACCES"}


def test_kernel_switches_cannot_be_turned(start: StartProbe) -> None:
    probe = start()
    for path in ("/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/proc/self/uid_map"):
        assert probe.error(f"os.write(os.open('{path}', os.O_WRONLY), b'1')") in {
            "EROFS",
            "EACCES",
            "EPERM",
            "ENOENT",
        }


# Privileges


def _status(probe: Probe, field: str) -> list[str]:
    lines = probe.run("open('/proc/self/status').read()").splitlines()
    return next(line.split()[1:] for line in lines if line.startswith(field + ":"))


def test_no_privileges_inside(start: StartProbe) -> None:
    probe = start()
    for field in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert _status(probe, field) == ["0" * 16]
    assert _status(probe, "NoNewPrivs") == ["1"]
    assert _status(probe, "Seccomp") == ["2"]
    assert _status(probe, "Uid") == ["1000"] * 4


def _host_status(probe: Probe) -> dict[str, str]:
    info = Path(f"/proc/self/fdinfo/{probe.process.pidfd}").read_text()
    pid = next(line.split()[1] for line in info.splitlines() if line.startswith("Pid:"))
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def test_bubblewraps_own_process_inside_is_bound_by_the_same_walls(inside: Probe) -> None:
    status = _host_status(inside)
    assert status["Seccomp"] == "2"
    assert status["CapEff"] == status["CapPrm"] == "0" * 16
    if inside.tier != "landlock" or os.geteuid() == 0:
        assert status["CapBnd"] == "0" * 16
    assert status["NoNewPrivs"] == "1"


@as_root
def test_the_kernel_sees_the_slots_user_and_never_root(start: StartProbe) -> None:
    uids = {int(uid) for uid in _host_status(start())["Uid"].split()}
    assert uids == {FIRST_UID}


def test_no_signal_reaches_the_host(inside: Probe) -> None:
    with subprocess.Popen(["/usr/bin/sleep", "60"]) as bystander:
        assert inside.error(f"os.kill({bystander.pid}, 9)") in {"ESRCH", "EPERM"}
        assert inside.error("os.kill(-1, 9)") in {"ESRCH", "EPERM"}
        assert bystander.poll() is None
        bystander.kill()


# System calls

ALWAYS_REFUSED = [rule for rule in rules(forking=False) if rule.argument is None and rule.error]


@pytest.mark.parametrize("rule", ALWAYS_REFUSED, ids=lambda rule: rule.call)
def test_the_call_is_refused(inside: Probe, rule: Rule) -> None:
    number = NUMBERS[MACHINE].get(rule.call)
    if number is None:
        pytest.skip(f"{MACHINE} has no {rule.call}")
    expected = {1: "EPERM", 12: "ENOMEM", 38: "ENOSYS", 97: "EAFNOSUPPORT"}[rule.error]
    assert inside.error(f"syscall({number}, 0, 0, 0, 0, 0)") == expected


@pytest.mark.parametrize(
    ("attack", "error"),
    [
        ("libc.unshare(0x10000000) and syscall(272, 0x10000000)", "EPERM"),
        ("fcntl.flock(os.open('bot.py', os.O_RDONLY), fcntl.LOCK_SH)", "EPERM"),
        ("fcntl.lockf(os.open('bot.py', os.O_RDONLY), fcntl.LOCK_SH)", "EPERM"),
        ("fcntl.fcntl(os.open('.', os.O_RDONLY), fcntl.F_NOTIFY, 1)", "EPERM"),
        ("fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 1 << 20)", "EPERM"),
        ("mmap.mmap(-1, 4096, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)", "EPERM"),
        ("mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x100)", "ENOMEM"),
        ("os.open('/dev/zero', os.O_RDWR)", "ENOENT EACCES"),
        ("os.memfd_create('x')", "ENOSYS"),
        ("os.pidfd_open(1) and signal.pidfd_send_signal(os.pidfd_open(2), 18)", "EPERM"),
        ("syscall(500)", "ENOSYS"),
        ("os.open('/tmp', os.O_TMPFILE | os.O_RDWR)", "EROFS EACCES"),
        ("os.open('.', os.O_TMPFILE | os.O_RDWR)", "EROFS EACCES"),
        ("os.open('/dev/shm', os.O_TMPFILE | os.O_RDWR)", "ENOENT EROFS EACCES"),
        ("libc.prctl(22, 2, 0, 0, 0) and syscall(157, 22, 2, 0, 0, 0)", "EPERM"),
        ("socket.socketpair(30, socket.SOCK_STREAM)", "EAFNOSUPPORT"),
        ("os.execve(os.open('/tmp', os.O_PATH), ['x'], {})", "EACCES"),
        ("os.open('/dev/userfaultfd', os.O_RDWR)", "ENOENT EACCES"),
        ("os.open('/dev/kmsg', os.O_RDWR)", "ENOENT EACCES"),
    ],
)
def test_the_attack_is_refused(inside: Probe, attack: str, error: str) -> None:
    assert inside.error(attack) in error.split()


@pytest.mark.skipif(MACHINE != "x86_64", reason="other machines have no x32 calls")
def test_an_x32_call_ends_the_bot(start_in_tier: StartProbe) -> None:
    probe = start_in_tier()
    probe.send(f"syscall({X32_BIT | 39})")
    wait_for_end(probe.process)
    report = probe.process.exit_report()
    assert report is not None
    assert report.signal == 31, "SIGSYS"


@pytest.mark.skipif(MACHINE != "x86_64", reason="other machines have no 32-bit gate")
def test_a_32_bit_call_ends_the_bot(start_in_tier: StartProbe, outside: Probe) -> None:
    # mov eax, 20 (getpid); int 0x80; ret
    code = (
        "gate = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)\n"
        "gate.write(bytes([0xB8, 20, 0, 0, 0, 0xCD, 0x80, 0xC3]))\n"
        "pid = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(gate)))()\n"
    )
    probe = start_in_tier()
    probe.send(code)
    wait_for_end(probe.process)
    report = probe.process.exit_report()
    assert report is not None
    assert report.signal == 31, "SIGSYS"
    outside.run(code)
    assert outside.run("pid == os.getpid()")
