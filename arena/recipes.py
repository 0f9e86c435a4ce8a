"""How the sources of each language become one program: the commands, in order, and their environment.

Every command runs in a copy of the upload, inside a sandbox without network. Programs come out static, so
that they play on every worker, also one without the tools that made them.
"""

import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from arena.artifacts import Manifest
from arena.languages import LANGUAGES
from arena.sandbox.base import SCRATCH_DIR
from arena.toolchains import Toolchain
from arena.unpacking import ArtifactError, shown

OUT = f"{SCRATCH_DIR}/out"
"""Empty when the first command runs; the last one leaves one file in it, the program."""
WORK = f"{SCRATCH_DIR}/work"
"""The copy of the upload that is built."""

JAVA_RELEASE = "17"
"""Version of the Java platform that bots are compiled for: the oldest that a worker may have."""
CPP_STANDARD, C_STANDARD, RUST_EDITION = "c++20", "gnu17", "2021"

_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Recipe:
    """What to run to build one upload."""

    commands: tuple[tuple[str, ...], ...]
    language: str = "executable"
    """Of the program that comes out."""
    suffix: str = ""
    """Ending of its name."""
    env: Mapping[str, str] = field(default_factory=dict)


def recipe_for(manifest: Manifest, folder: Path, tools: Toolchain) -> Recipe:
    """Return how to build the upload staged in `folder`. ArtifactError for one that cannot be meant."""
    match manifest.language:
        case "c" | "cpp":
            return _compiled(manifest, tools)
        case "go":
            return _go(manifest, tools)
        case "rust":
            return _rust(manifest, tools)
        case "java":
            return _java(manifest, folder, tools)
    raise ValueError(f"{manifest.language} is not built")


def sources_of(manifest: Manifest) -> list[str]:
    """Return the upload's files in its own language."""
    suffixes = LANGUAGES[manifest.language].suffixes
    return [path for path in manifest.files if path.lower().endswith(suffixes)]


def _compiled(manifest: Manifest, tools: Toolchain) -> Recipe:
    """Every source of the archive is compiled and linked together."""
    compiler, standard = ("g++", CPP_STANDARD) if manifest.language == "cpp" else ("gcc", C_STANDARD)
    command = (
        *(tools.program(compiler), f"-std={standard}", "-O2", "-static", "-s", "-pipe", "-pthread"),
        *("-fdiagnostics-color=never", "-I.", "-o", f"{OUT}/bot"),
        *(f"./{path}" for path in sources_of(manifest)),
        "-lm",
    )
    return Recipe((command,), env={"LC_ALL": "C"})  # complaints in ASCII


def _go(manifest: Manifest, tools: Toolchain) -> Recipe:
    """The package the entry belongs to; modules from outside have to be in `vendor/`."""
    folder = PurePosixPath(manifest.entry).parent
    in_module = any(str(parent / "go.mod") in manifest.files for parent in (folder, *folder.parents))
    beside = [
        f"./{path}"
        for path in sources_of(manifest)
        if PurePosixPath(path).parent == folder and not path.endswith("_test.go")
    ]
    what = [f"./{folder}"] if in_module else beside
    build = (tools.program("go"), "build", "-buildvcs=false", "-ldflags=-s -w", "-p=2")
    env = {
        "CGO_ENABLED": "0",
        "GOROOT": tools.inside if tools.bind else "",
        "GOCACHE": f"{SCRATCH_DIR}/go-cache",
        "GOPATH": f"{SCRATCH_DIR}/go",
        "GOPROXY": "off",
        "GOTOOLCHAIN": "local",
        "GOTELEMETRY": "off",
    }
    return Recipe(
        ((*build, "-o", f"{OUT}/bot", *what),), env={name: text for name, text in env.items() if text}
    )


def _rust(manifest: Manifest, tools: Toolchain) -> Recipe:
    """A package when there is a Cargo.toml (its dependencies vendored), else the entry with its modules."""
    target = f"{platform.machine()}-unknown-linux-gnu"
    if "Cargo.toml" not in manifest.files:
        flags = ("-C", "opt-level=2", "-C", "target-feature=+crt-static", "-C", "strip=symbols")
        rustc = (tools.program("rustc"), "--edition", RUST_EDITION, *flags, "--color", "never")
        return Recipe(((*rustc, "-o", f"{OUT}/bot", f"./{manifest.entry}"),), env=_rust_env(tools))
    install = (
        *(tools.program("cargo"), "install", "--offline", "--no-track", "--path", ".", "--target", target),
        *("--target-dir", f"{SCRATCH_DIR}/target", "--root", f"{SCRATCH_DIR}/installed", "--color", "never"),
    )
    env = _rust_env(tools) | {
        "CARGO_HOME": f"{SCRATCH_DIR}/cargo",
        "RUSTC": tools.program("rustc"),
        "RUSTFLAGS": "-C target-feature=+crt-static -C strip=symbols",
    }
    return Recipe((install, ("/bin/cp", "-r", f"{SCRATCH_DIR}/installed/bin/.", OUT)), env=env)


def _rust_env(tools: Toolchain) -> dict[str, str]:
    return {"LD_LIBRARY_PATH": f"{tools.inside}/lib"} if tools.bind else {}


def _java(manifest: Manifest, folder: Path, tools: Toolchain) -> Recipe:
    """Every source of the archive, and a jar that starts the entry's class."""
    stem = PurePosixPath(manifest.entry).stem
    if not stem.isidentifier():
        raise ArtifactError(
            f"{shown(manifest.entry)} cannot be the file of a Java class. Name it after its public class, "
            f"for example {LANGUAGES['java'].default_entry}.",
            "entry",
        )
    text = (folder / manifest.entry).read_text(encoding="utf-8", errors="replace")
    package = _PACKAGE.search(text)
    main = f"{package[1]}.{stem}" if package else stem
    classes = f"{SCRATCH_DIR}/classes"
    quiet = ("-J-Xmx512m", "-J-XX:+UseSerialGC", "-J-XX:-UsePerfData")
    compiler = (tools.program("javac"), *quiet, "-encoding", "UTF-8", "--release", JAVA_RELEASE)
    jar = (tools.program("jar"), *quiet, "--create", "--file", f"{OUT}/bot.jar", "--main-class", main)
    commands = (
        (*compiler, "-d", classes, *(f"./{path}" for path in sources_of(manifest))),
        (*jar, "-C", classes, "."),
    )
    return Recipe(commands, language="java", suffix=".jar")
