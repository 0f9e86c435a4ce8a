"""Compile the engine's hot modules with mypyc: for wheels, for the editable install, and by itself.

    python hatch_build.py          compile in place, unless that was done for these very sources

The same files run interpreted where they are not compiled, and play the same. `THOUSAND_COMPILE` decides:
`0` never compile, `1` a failure is an error, unset: compile if there is a C compiler, and say so if not.
The libraries lie beside the sources in `engine/`; one of them, `engine.native_sources`, holds the SHA-256 of
every source, which `engine.compiled` compares at import.
"""

import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
ENGINE = ROOT / "engine"
WORK = ROOT / "build" / "native"
STAMP = WORK / "stamp"
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")

MODULES = (
    *("actions", "codes", "cards", "dealing", "events", "moves", "match", "outcome"),
    *("deal_rules", "deal", "opening", "auction", "redeal", "exchange", "choices", "turns", "whole_deal"),
    *("play", "tables", "trickplay", "play_rules", "leads", "marriages", "tricks"),
    *("bits", "playouts", "policy", "keen_policy", "position", "solver"),
    *("sight", "course", "live"),
    *("rank_masks", "usual_search", "table_search"),
    *("worlds", "deals", "lookahead", "worth"),
    *("finish", "scoring", "ledger", "barrel", "bolts"),
)
"""What is compiled: everything between action and next state, and what searches or plays out deals."""

SETUP = """\
from mypyc.build import mypycify
from setuptools import setup

paths = {paths!r}
setup(
    name="engine-native",
    packages=[],
    ext_modules=mypycify(
        ["--config-file=", *paths], opt_level="3", debug_level="0", group_name="engine.native"
    ),
)
"""


class CompileError(Exception):
    """Compiling did not work; the text says why."""


class CustomBuildHook(BuildHookInterface[Any]):
    """Adds the compiled modules to a wheel, or puts them beside the sources of an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile; called by hatchling before it collects files."""
        if version == "editable":
            compile_in_place()
            return
        with _alone():
            libraries = compiled()
        if libraries:
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
            build_data["force_include"].update({str(path): f"engine/{path.name}" for path in libraries})


def compile_in_place() -> None:
    """Bring the libraries beside the sources up to date, or take them away where none can be made."""
    with _alone():
        _compile_in_place()


@contextmanager
def _alone() -> Iterator[None]:
    """Wait until no other process compiles in this checkout."""
    WORK.mkdir(parents=True, exist_ok=True)
    with (WORK / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _compile_in_place() -> None:
    wanted = f"{_wish()} {_digest()} {_compiler_found()}"
    there = {path.name for path in ENGINE.glob(f"*{SUFFIX}")}
    if STAMP.is_file() and STAMP.read_text() == f"{wanted} {sorted(there)}":
        return
    libraries = compiled()
    for name in there - {path.name for path in libraries}:
        (ENGINE / name).unlink()
    for path in libraries:
        aside = ENGINE / f".{path.name}.new"
        shutil.copy2(path, aside)
        aside.rename(ENGINE / path.name)
    STAMP.write_text(f"{wanted} {sorted(path.name for path in libraries)}")


def compiled() -> list[Path]:
    """Compile aside and return the libraries; none where nothing is to be compiled, or it failed."""
    wish = _wish()
    if wish == "0":
        return []
    try:
        if not _compiler_found():
            raise CompileError("there is no C compiler (gcc) or no Python.h (python3-dev)")
        return _compile()
    except CompileError as error:
        if wish == "1":
            raise
        print(f"engine: not compiled, {error}. It plays the same in pure Python, many times slower.")
        print("engine: once that is mended, `make compile` compiles it.")
        return []


def _compile() -> list[Path]:
    """Run mypyc on a copy of the engine, so that nothing half done is ever seen."""
    source, target = WORK / "source", WORK / "target"
    for folder in (source, target):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ENGINE, source / "engine", ignore=shutil.ignore_patterns("*.so", "*.new", "__pycache__"))
    names = [*MODULES, "native_sources"]
    (source / "engine" / "native_sources.py").write_text(_native_sources())
    (source / "setup.py").write_text(SETUP.format(paths=[f"engine/{name}.py" for name in names]))
    how_long = "half a minute on an idle machine, some minutes on a busy one"
    print(f"engine: compiling {len(MODULES)} modules, {how_long}", flush=True)
    # Without the last flag no function of a shared library is inlined into another.
    usual = os.environ.get("CFLAGS") or sysconfig.get_config_var("CFLAGS") or "-O3 -DNDEBUG -fwrapv"
    flags = f"{usual} -fno-semantic-interposition"
    run = subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--build-lib", str(target)],
        cwd=source,
        env={**os.environ, "CFLAGS": flags, "MYPY_CACHE_DIR": str(WORK / "mypy_cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        raise CompileError(f"mypyc or the C compiler failed:\n{(run.stdout + run.stderr)[-4000:]}")
    return sorted((target / "engine").glob(f"*{SUFFIX}"))


def _native_sources() -> str:
    sources = {name: _sha256(ENGINE / f"{name}.py") for name in MODULES}
    return f'"""Made by hatch_build.py."""\n\nSOURCES: dict[str, str] = {sources!r}\n'


def _digest() -> str:
    """Everything that decides what the libraries are: sources, recipe, interpreter, mypy."""
    from importlib.metadata import version

    facts = [version("mypy"), platform.python_version(), str(SUFFIX), _sha256(Path(__file__))]
    facts += [_sha256(path) for path in sorted(ENGINE.rglob("*.py"))]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _wish() -> str:
    wish = os.environ.get("THOUSAND_COMPILE", "")
    if wish not in ("", "0", "1"):
        raise SystemExit(f"THOUSAND_COMPILE={wish!r} is not possible; expected 0, 1 or unset")
    return wish


def _compiler_found() -> bool:
    compiler = os.environ.get("CC") or str(sysconfig.get_config_var("CC") or "cc")
    header = Path(sysconfig.get_paths()["include"]) / "Python.h"
    return shutil.which(compiler.split()[0]) is not None and header.is_file()


if __name__ == "__main__":
    compile_in_place()
