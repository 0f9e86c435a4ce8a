"""Turns the sources of an upload into something that plays, in a sandbox, before its first match.

What comes out is an artifact like any other: the program, the upload's other files, and a `bot.toml`. The
program leaves the sandbox through its standard output and is unpacked by the rules that uploads are.
Whatever sources or compilers do wrong is a `BuildError` for the author; only our own failures are faults.
"""

import io
import json
import tarfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from arena.artifacts import RUNNABLE_FILENAME, Manifest, stage_artifact
from arena.languages import LANGUAGES
from arena.launching import required_toolchain
from arena.manifest import FILENAME as MANIFEST
from arena.orders import Limits
from arena.programs import HEAD_BYTES, check_program
from arena.protocol import quote
from arena.recipes import OUT, WORK, Recipe, recipe_for, sources_of
from arena.sandbox import JobEnd, JobResult, LaunchSpec, Profile, Sandbox, new_stage, run_job
from arena.sandbox.base import BOT_DIR
from arena.sandbox.bootstrap import PYTHON
from arena.sandbox.forks import MOST_STARTED
from arena.sizes import MIB, size_text
from arena.unpacking import MAX_PACKED_BYTES, ArtifactError, tar_members

LIMITS = Limits(memory_mb=1024, processes=128, start_ms=0, bank_ms=120_000)
"""What a build may use; `bank_ms` of CPU for each of its processes."""
SCRATCH_MB = 512
DEADLINE_S = 180.0
"""Wall time of a build."""
LOG_BYTES = 4 * MIB
"""A compiler that writes more is stopped; head and tail of what it wrote are kept."""

# Runs inside: copies the upload to where it can be written, runs the commands one by one, and writes the one
# file they leave as a tar.gz. What the commands print goes to the log.
_DRIVER = """\
import json, os, shutil, subprocess, sys, tarfile
commands, source, work, out, name = json.loads(sys.argv[1]), *sys.argv[2:]
shutil.copytree(source, work)
os.mkdir(out)
os.chdir(work)
for command in commands:
    code = subprocess.call(command, stdin=subprocess.DEVNULL, stdout=2)
    if code:
        what = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        sys.exit(f"{os.path.basename(command[0])} {what}")
made = os.listdir(out)
if len(made) != 1:
    sys.exit(f"the build made {len(made)} programs, expected one: {', '.join(sorted(made))[:200]}")
with tarfile.open(fileobj=sys.stdout.buffer, mode="w|gz") as archive:
    archive.add(os.path.join(out, made[0]), arcname=name, recursive=False)
"""


class BuildError(Exception):
    """The sources do not become a program; the message says why, `log` is what the tools printed."""

    def __init__(self, message: str, result: JobResult | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.log_head = result.log.head_text() if result else ""
        self.log_tail = result.log.tail_text() if result else ""


@dataclass(frozen=True, slots=True)
class Built:
    """A finished build."""

    data: bytes
    """The runnable artifact, a tar.gz."""
    manifest: Manifest
    """Of the runnable artifact."""
    tools: str
    """What made it, for example `gcc 12.2.0`."""
    program_bytes: int
    result: JobResult


def build_artifact(filename: str, data: bytes, sandbox: Sandbox) -> Built:
    """Build an upload that `needs_build`. Call it from a thread that outlives it, as for every sandbox.

    BuildError for whatever the sources do, ArtifactError for an upload that is none, ArenaFault where this
    machine lacks the tools or its sandbox fails.
    """
    with new_stage() as stage:
        folder = stage / "upload"
        manifest = stage_artifact(filename, data, folder)
        tools = required_toolchain(manifest.language)
        try:
            recipe = recipe_for(manifest, folder, tools)
        except ArtifactError as error:
            raise BuildError(error.message) from error
        name = _free_name(manifest, recipe)
        spec = LaunchSpec(
            argv=_argv(recipe, name),
            bot_dir=folder,
            limits=LIMITS,
            env=recipe.env,
            profile=Profile.BUILD,
            binds=tools.binds,
            scratch_mb=SCRATCH_MB,
        )
        result = run_job(
            sandbox, spec, deadline_s=DEADLINE_S, stdout_bytes=MAX_PACKED_BYTES, stderr_bytes=LOG_BYTES
        )
        program = _program(manifest, result, recipe, name)
        runnable = _runnable(manifest, recipe, name, program, folder)
    if len(runnable) > MAX_PACKED_BYTES:
        raise BuildError(
            f"The program is larger than {size_text(MAX_PACKED_BYTES)}, which is the limit.", result
        )
    with new_stage() as stage:
        checked = stage_artifact(RUNNABLE_FILENAME, runnable, stage / "runnable")
    return Built(runnable, checked, tools.version(), len(program), result)


def _argv(recipe: Recipe, name: str) -> tuple[str, ...]:
    commands = json.dumps(recipe.commands)
    return (PYTHON, "-I", "-S", "-B", "-X", "utf8", "-c", _DRIVER, commands, BOT_DIR, WORK, OUT, name)


def _free_name(manifest: Manifest, recipe: Recipe) -> str:
    """Return a name for the program that no file or folder of the upload has."""
    taken = {part.casefold() for path in manifest.files for part in [path.partition("/")[0]]}
    name = "bot"
    while f"{name}{recipe.suffix}" in taken:
        name += "_"
    return f"{name}{recipe.suffix}"


def _program(manifest: Manifest, result: JobResult, recipe: Recipe, name: str) -> bytes:
    """Return the one file that came out of the sandbox, or say why there is none."""
    if not result.succeeded:
        raise BuildError(_failure(manifest, result), result)
    try:
        members = {member.path: b"".join(member.chunks) for member in tar_members(result.stdout, set())}
        program = members.pop(name)
        if members:
            raise ArtifactError(f"it holds {len(members)} files too many")
        if recipe.language == "executable":
            check_program(name, program[:HEAD_BYTES])
    except (ArtifactError, KeyError) as error:
        raise BuildError(f"The build did not end with a usable program: {error}", result) from error
    return program


def _failure(manifest: Manifest, result: JobResult) -> str:
    """Say in a sentence why a build failed; the log holds the tools' own words."""
    title = LANGUAGES[manifest.language].title
    match result.end:
        case JobEnd.TIMEOUT:
            return f"The build in {title} did not end within {DEADLINE_S:.0f} s."
        case JobEnd.MEMORY:
            return (
                f"The build in {title} used more than {LIMITS.memory_mb} MiB of memory, or too many files "
                f"beside its {SCRATCH_MB} MiB of scratch space."
            )
        case JobEnd.FORKS:
            return (
                f"The build in {title} kept starting processes: it may have {LIMITS.processes} of them and "
                f"threads at once, and {MOST_STARTED} altogether."
            )
        case JobEnd.OUTPUT:
            return (
                f"The build in {title} printed more than {size_text(LOG_BYTES)}, or made a program of more "
                f"than {size_text(MAX_PACKED_BYTES)}."
            )
    error = _first_error(result)
    if result.report.signal is not None:
        why = f"was ended by signal {result.report.signal}"
    else:
        why = result.log.last_lines(1) or f"ended with exit code {result.report.exit_code}"
    return f"The build in {title} failed: {quote(why.encode())}." + (f" {error}" if error else "")


def _first_error(result: JobResult) -> str:
    """Return the first line of the log that looks like a compiler's complaint, safe to show."""
    for line in result.log.head_text().splitlines():
        if "error" in line.lower():
            return f"First error: {quote(line.strip().encode())}"
    return ""


def _runnable(manifest: Manifest, recipe: Recipe, name: str, program: bytes, folder: Path) -> bytes:
    """Pack the program with the upload's other files; the same input gives the same bytes."""
    sources = {MANIFEST, *sources_of(manifest)}
    toml = (
        f"name = {json.dumps(manifest.name, ensure_ascii=False)}\n"
        f"language = {json.dumps(recipe.language)}\n"
        f"entry = {json.dumps(name)}\n"
        f"protocol = {manifest.protocol}\n"
        f"rulesets = {json.dumps(manifest.rulesets)}\n"
    )
    others = ((path, folder / path) for path in manifest.files if path not in sources)
    return _packed([(MANIFEST, toml.encode()), (name, program)], others)


def _packed(made: Iterable[tuple[str, bytes]], others: Iterable[tuple[str, Path]]) -> bytes:
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, content in made:
            _add(archive, path, content, 0o755 if path != MANIFEST else 0o644)
        for path, file in others:
            _add(archive, path, file.read_bytes(), file.stat().st_mode & 0o777)
    packer = zlib.compressobj(6, wbits=31)  # a gzip file without the time it was made
    return packer.compress(tar.getvalue()) + packer.flush()


def _add(archive: tarfile.TarFile, path: str, content: bytes, mode: int) -> None:
    info = tarfile.TarInfo(path)
    info.size, info.mode = len(content), mode
    archive.addfile(info, io.BytesIO(content))
