"""Run a command with PostgreSQL and Redis at hand.

Uses servers that answer on 127.0.0.1 already (PGHOST, PGPORT, THOUSAND_TEST_REDIS override where); starts
private ones on free ports in a temporary folder for what is missing, and stops those afterwards.

    python tools/with_services.py COMMAND [ARG ...]
"""

import contextlib
import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

START_SECONDS = 30


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(ready: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not ready():
        if time.monotonic() > deadline:
            sys.exit(f"with_services: {what} did not answer within {START_SECONDS} s")
        time.sleep(0.1)


def postgresql_answers(host: str, port: str, user: str) -> bool:
    import psycopg

    try:
        address = f"host={host} port={port} user={user} dbname=postgres connect_timeout=3"
        with psycopg.connect(address) as session:
            rights = "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = user"
            row = session.execute(rights).fetchone()
            return bool(row and row[0])
    except psycopg.Error:
        return False


def redis_answers(url: str) -> bool:
    import redis

    try:
        return bool(redis.Redis.from_url(url, socket_connect_timeout=3).ping())
    except redis.RedisError:
        return False


@contextlib.contextmanager
def postgresql(folder: Path) -> Iterator[dict[str, str]]:
    """Yield PG* variables of a server that lets us create databases."""
    given = (
        os.environ.get("PGHOST", "127.0.0.1"),
        os.environ.get("PGPORT", "5432"),
        os.environ.get("PGUSER", "postgres"),
    )
    if postgresql_answers(*given):
        yield dict(zip(("PGHOST", "PGPORT", "PGUSER"), given, strict=True))
        return
    binaries = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    if not binaries:
        sys.exit("with_services: PostgreSQL neither runs nor is installed; run: apt-get install postgresql")
    bin_dir = Path(binaries[-1])
    data, port = folder / "postgresql", str(free_port())
    data.mkdir()
    user: str | None = None
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        user = "postgres"
        account = pwd.getpwnam(user)
        os.chown(data, account.pw_uid, account.pw_gid)
        folder.chmod(0o711)

    def run(*argv: str | Path) -> None:
        subprocess.run(argv, check=True, stdout=subprocess.DEVNULL, user=user, cwd="/")

    run(bin_dir / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
    control = [bin_dir / "pg_ctl", "-D", data, "-w", "-l", data / "log"]
    run(*control, "-o", options, "start")
    try:
        wait_until(lambda: postgresql_answers("127.0.0.1", port, "postgres"), "PostgreSQL")
        yield {"PGHOST": "127.0.0.1", "PGPORT": port, "PGUSER": "postgres", "PGDATABASE": "postgres"}
    finally:
        run(*control, "-m", "fast", "stop")


@contextlib.contextmanager
def redis_server() -> Iterator[dict[str, str]]:
    """Yield the address of a Redis that answers."""
    given = os.environ.get("THOUSAND_TEST_REDIS", "redis://127.0.0.1:6379")
    if redis_answers(given):
        yield {"THOUSAND_TEST_REDIS": given}
        return
    program = shutil.which("redis-server")
    if program is None:
        sys.exit("with_services: Redis neither runs nor is installed; run: apt-get install redis-server")
    port = free_port()
    argv = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    server = subprocess.Popen(argv, stdout=subprocess.DEVNULL, cwd="/")
    try:
        url = f"redis://127.0.0.1:{port}"
        wait_until(lambda: redis_answers(url), "Redis")
        yield {"THOUSAND_TEST_REDIS": url}
    finally:
        server.terminate()
        server.wait(10)


def main() -> int:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with (
        tempfile.TemporaryDirectory(prefix="thousand-services-") as folder,
        postgresql(Path(folder)) as pg_environment,
        redis_server() as redis_environment,
    ):
        command = subprocess.Popen(sys.argv[1:], env={**os.environ, **pg_environment, **redis_environment})
        signal.signal(signal.SIGTERM, lambda *_: command.terminate())
        try:
            return command.wait()
        except KeyboardInterrupt:
            return command.wait()


if __name__ == "__main__":
    sys.exit(main())
