"""Builds: compilers may fork and write to a scratch folder, and hostile sources get no more out of that."""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.orders import Limits
from arena.sandbox import Bind, JobEnd, JobResult, LaunchSpec, Profile, python_argv, run_job
from arena.sandbox.bubblewrap import BubblewrapSandbox
from arena.sandbox.memory import SCRATCH_FILES, descendants
from tests.arena.sandbox.probe import PATIENCE_S, comes, read_line, stage_bot

pytestmark = [pytest.mark.sandbox, pytest.mark.attacks]

MB = 1024 * 1024
LIMITS = Limits(memory_mb=256, processes=48)
RunBuild = Callable[..., JobResult]

FORK_BOMB = """
import os, time
while True:
    try:
        os.fork()
    except OSError:
        time.sleep(0.01)
"""

THREAD_BOMB = """
import threading, time
threading.stack_size(65536)
while True:
    try:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    except RuntimeError:
        time.sleep(0.01)
"""

FORK_CHAIN = """
import os
while True:
    if os.fork() == 0:
        os._exit(0)
    os.wait()
"""

MEMORY_IN_TWELVE = """
import os, time
for _ in range(12):
    if os.fork() == 0:
        kept = [b"x" * 1_000_000 for _ in range(30)]
        time.sleep(60)
time.sleep(60)
"""

DISK_FILL = """
import os
written = 0
try:
    with open("/tmp/big", "wb", buffering=0) as file:
        while True:
            written += file.write(bytes(1 << 20))
except OSError as error:
    print(error.strerror, written >> 20)
for folder in ("/", "/bot", "/sdk", "/dev", "/toolchain/x"):
    try:
        open(folder + "/left", "w")
    except OSError as error:
        print(error.strerror)
"""

INODE_BOMB = """
import os
number = 0
while True:
    os.close(os.open(f"/tmp/{number}", os.O_CREAT | os.O_WRONLY))
    number += 1
"""


@pytest.fixture(params=[True, False], ids=["bwrap-1a", "bwrap-1b"])
def build(request: pytest.FixtureRequest, stage: Path) -> RunBuild:
    def run(
        source: str,
        *,
        limits: Limits = LIMITS,
        scratch_mb: int = 16,
        deadline_s: float = PATIENCE_S,
        **options: int,
    ) -> JobResult:
        spec = LaunchSpec(
            python_argv("bot.py"),
            stage_bot(stage / "build", source),
            limits,
            profile=Profile.BUILD,
            scratch_mb=scratch_mb,
        )
        sandbox = BubblewrapSandbox(proc=request.param)
        return run_job(sandbox, spec, deadline_s=deadline_s, **{"stdout_bytes": 1 << 20, **options})

    return run


def test_a_build_may_fork_and_write_to_its_scratch_folder(build: RunBuild) -> None:
    result = build(
        "import subprocess, sys\n"
        "subprocess.run(['/bin/sh', '-c', 'echo made | tee /tmp/made; cat /tmp/made'], check=True)\n"
        "print('a warning', file=sys.stderr)"
    )
    assert result.succeeded, result
    assert result.stdout == b"made\nmade\n"
    assert result.log.head_text() == "a warning\n"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no C compiler here")
def test_a_compiler_works(build: RunBuild) -> None:
    result = build(
        "import subprocess\n"
        "open('/tmp/a.c', 'w').write('int main(void) { return 7; }')\n"
        "subprocess.run(['gcc', '-O2', '-o', '/tmp/a.out', '/tmp/a.c'], check=True)\n"
        "print(subprocess.run(['/tmp/a.out']).returncode)"
    )
    assert result.stdout == b"7\n", result.log.head_text()


def test_an_ordinary_bot_may_not(stage: Path) -> None:
    spec = LaunchSpec(python_argv("bot.py"), stage_bot(stage / "bot", "import os; os.fork()"), LIMITS)
    result = run_job(BubblewrapSandbox(), spec, deadline_s=PATIENCE_S, stdout_bytes=1000)
    assert "PermissionError" in result.log.head_text()
    with pytest.raises(ValueError, match="scratch_mb=4"):
        LaunchSpec(python_argv("bot.py"), stage, scratch_mb=4)


def test_a_fork_bomb_ends_at_the_cap_and_at_once_when_killed(stage: Path) -> None:
    spec = LaunchSpec(
        python_argv("bot.py"), stage_bot(stage / "bomb", FORK_BOMB), LIMITS, profile=Profile.BUILD
    )
    process = BubblewrapSandbox().start(spec)
    init = int(Path(f"/proc/self/fdinfo/{process.pidfd}").read_text().partition("Pid:")[2].split()[0])
    try:
        assert comes(lambda: len(list(descendants(init))) >= LIMITS.processes - 1)
        time.sleep(0.1)  # it goes on trying
        assert len(list(descendants(init))) <= LIMITS.processes
        process.kill()
        assert not Path(f"/proc/{init}").exists()
        assert list(descendants(init)) == []
    finally:
        process.close()


def test_memory_in_twelve_processes_is_added_up(build: RunBuild) -> None:
    result = build(MEMORY_IN_TWELVE)
    assert result.end is JobEnd.MEMORY
    assert result.report.memory_limit_hit


def test_the_same_memory_under_a_limit_that_holds_it_is_allowed(build: RunBuild) -> None:
    source = MEMORY_IN_TWELVE.replace("        time.sleep(60)", "        os._exit(0)")
    result = build(source.replace("\ntime.sleep(60)", ""), limits=Limits(memory_mb=1000, processes=48))
    assert result.succeeded, result


def test_pages_shared_after_a_fork_count_once(build: RunBuild) -> None:
    result = build(
        "import os, time\n"
        "kept = [b'x' * 1_000_000 for _ in range(120)]\n"
        "for _ in range(5):\n"
        "    if os.fork() == 0:\n"
        "        time.sleep(0.5)\n"
        "        os._exit(0)\n"
        "time.sleep(0.6)"
    )
    assert result.end is JobEnd.EXITED, result


def test_the_scratch_folder_ends_at_its_size_and_nothing_else_is_writable(build: RunBuild) -> None:
    result = build(DISK_FILL)
    assert result.succeeded, result
    first, *others = result.stdout.decode().splitlines()
    assert first == "No space left on device 16"
    assert set(others) <= {"Read-only file system", "No such file or directory", "Permission denied"}


def test_files_without_end_are_seen(build: RunBuild) -> None:
    result = build(INODE_BOMB)
    assert result.end is JobEnd.MEMORY


def test_as_many_files_as_a_build_makes_are_allowed(build: RunBuild) -> None:
    result = build(INODE_BOMB.replace("while True", f"while number < {SCRATCH_FILES // 2}"))
    assert result.succeeded, result


@pytest.mark.parametrize("source", [FORK_BOMB, THREAD_BOMB], ids=["processes", "threads"])
def test_a_bomb_at_its_cap_is_ended_long_before_the_deadline(build: RunBuild, source: str) -> None:
    result = build(source, deadline_s=30)
    assert result.end is JobEnd.FORKS
    assert 2000 <= result.wall_ms < 15_000


def test_processes_that_end_and_start_without_end_are_counted(
    build: RunBuild, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.sandbox.forks.MOST_STARTED", 300)
    result = build(FORK_CHAIN)
    assert result.end is JobEnd.FORKS


def test_a_build_that_is_crowded_for_a_moment_goes_on(build: RunBuild) -> None:
    result = build(
        "import os, time\n"
        "for _ in range(45):\n"
        "    if os.fork() == 0:\n"
        "        time.sleep(0.8)\n"
        "        os._exit(0)\n"
        "for _ in range(45): os.wait()\n"
        "print('built')"
    )
    assert result.stdout == b"built\n"


@pytest.mark.parametrize("source", ["while True: pass", "import time; time.sleep(60)", FORK_BOMB])
def test_a_build_ends_at_its_deadline(build: RunBuild, source: str) -> None:
    result = build(source, deadline_s=0.5)
    assert result.end is JobEnd.TIMEOUT
    assert result.wall_ms >= 500


@pytest.mark.parametrize("descriptor", [1, 2])
def test_output_ends_at_its_cap(build: RunBuild, descriptor: int) -> None:
    source = f"import os\nwhile True: os.write({descriptor}, bytes(65536))"
    result = build(source, stdout_bytes=100_000, stderr_bytes=100_000)
    assert result.end is JobEnd.OUTPUT
    assert len(result.stdout) < 300_000
    assert build(f"import os; os.write({descriptor}, bytes(100_000))", stdout_bytes=100_000).succeeded


def test_a_build_reaches_no_network_and_stays_in_its_group(build: RunBuild) -> None:
    source = "import os, socket\nfor attack in (socket.socket, os.setsid, lambda: os.setpgid(0, 0)):\n"
    source += "    try: attack(); print('done')\n    except OSError as error: print(error.errno)"
    assert build(source).stdout.split() == [b"97", b"1", b"1"]


def test_a_failing_compiler_is_no_fault_of_ours(build: RunBuild) -> None:
    result = build("import sys; sys.exit('bot.c:3: error: expected expression')")
    assert (result.end, result.report.exit_code) == (JobEnd.EXITED, 1)
    assert "expected expression" in result.log.head_text()


def test_the_processor_time_of_all_processes_is_told(build: RunBuild) -> None:
    burn = "import os, time\nif os.fork(): os.wait()\nwhile time.process_time() < 0.2: pass"
    assert 350 <= build(burn).cpu_ms <= 1500


def test_folders_of_the_host_are_shown_read_only(stage: Path) -> None:
    tools = stage_bot(stage / "tools", "#!/bin/sh\necho compiled\n", "compiler")
    (tools / "compiler").chmod(0o755)
    bind = Bind(tools, "/toolchain/test")
    for profile in Profile:
        bot = stage_bot(stage / "bot", "import os; os.execv('/toolchain/test/compiler', ['compiler'])")
        spec = LaunchSpec(python_argv("bot.py"), bot, LIMITS, binds=(bind,), profile=profile)
        result = run_job(BubblewrapSandbox(), spec, deadline_s=PATIENCE_S, stdout_bytes=1000)
        assert result.stdout == b"compiled\n", result
        bot = stage_bot(stage / "bot", "open('/toolchain/test/left', 'w')")
        assert not run_job(BubblewrapSandbox(), spec, deadline_s=PATIENCE_S, stdout_bytes=1000).succeeded


@pytest.mark.parametrize("target", ["/usr/bin", "/bot", "/toolchain/../etc", "toolchain", "/toolchain/x/"])
def test_a_bind_hides_nothing_of_the_sandbox(target: str) -> None:
    with pytest.raises(ValueError, match="below /runtime or /toolchain"):
        Bind(Path("/usr"), target)


def test_address_space_for_runtimes_that_reserve_it(stage: Path) -> None:
    """Node.js, Go and Java reserve GiBs; what is used of it still ends at the memory limit."""
    reserve = (
        "import mmap\nroom = mmap.mmap(-1, 3 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=1)\n"
        "print('reserved', flush=True)\ninput()"
    )
    bot = stage_bot(stage / "bot", reserve)
    narrow = LaunchSpec(python_argv("bot.py"), bot, Limits(memory_mb=64))
    wide = LaunchSpec(python_argv("bot.py"), bot, Limits(memory_mb=64), address_space_mb=4096)
    assert run_job(BubblewrapSandbox(), narrow, deadline_s=PATIENCE_S, stdout_bytes=1000).stdout == b""
    process = BubblewrapSandbox().start(wide)
    assert read_line(process) == b"reserved\n"
    process.close()


def test_nothing_is_left_of_a_build(build: RunBuild) -> None:
    before = os.listdir("/proc/self/fd"), Path("/proc/self/mountinfo").read_text()
    build(FORK_BOMB, deadline_s=0.3)
    assert (os.listdir("/proc/self/fd"), Path("/proc/self/mountinfo").read_text()) == before
