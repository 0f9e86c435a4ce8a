"""How a staged artifact is started: its command, its runtime's options, what its sandbox shows."""

from functools import cache
from pathlib import Path, PurePosixPath

from arena.artifacts import Manifest
from arena.languages import LANGUAGES
from arena.libraries import installed_libraries
from arena.orders import Limits
from arena.sandbox import Bind, LaunchSpec, python_argv
from arena.sandbox.base import BOT_DIR
from arena.toolchains import Toolchain, ToolchainError, toolchain
from arena.verdicts import ArenaFault

NODE_RESERVE_MB = 96
"""Memory of Node.js beside the old generation of its heap."""
JAVA_RESERVE_MB = 112
"""Memory of a Java program beside its heap: the runtime, its compiled code, classes and thread stacks."""
ROOMY_ADDRESS_SPACE_MB = 4096
"""Node.js, Go and Java reserve far more address space than they ever use."""


def launch_spec(manifest: Manifest, folder: Path, limits: Limits) -> LaunchSpec:
    """Return how to start the artifact that is staged in `folder`.

    ArenaFault for one that was not built, and where this machine lacks its language's tools: what plays was
    validated, so neither is the bot's doing.
    """
    if manifest.needs_build:
        raise ArenaFault(f"{manifest.entry} is a source that was not built")
    inside = str(PurePosixPath(BOT_DIR, manifest.entry))
    match manifest.language:
        case "python":
            return LaunchSpec(python_argv(manifest.entry), folder, limits, binds=_python_binds())
        case "javascript":
            tools = required_toolchain("javascript")
            argv = (tools.program("node"), *_node_options(limits), inside)
        case "java":
            tools = required_toolchain("java")
            argv = (tools.program("java"), *_java_options(limits), "-jar", inside)
        case _:
            # A finished program may be a Go one.
            return LaunchSpec((inside,), folder, limits, address_space_mb=_roomy_mb(limits))
    return LaunchSpec(argv, folder, limits, binds=tools.binds, address_space_mb=_roomy_mb(limits))


def required_toolchain(language: str) -> Toolchain:
    """Return the tools of a language; ArenaFault where this machine has none."""
    try:
        tools = toolchain(language)
    except ToolchainError as error:
        raise ArenaFault(str(error)) from error
    if tools is None:
        title = LANGUAGES[language].title
        raise ArenaFault(f"this machine has no tools for {title} (`thousand doctor` lists what it has)")
    return tools


@cache
def _python_binds() -> tuple[Bind, ...]:
    libraries = installed_libraries()
    return () if libraries is None else (libraries.bind,)


def _node_options(limits: Limits) -> tuple[str, ...]:
    old_space_mb = max(32, limits.memory_mb - NODE_RESERVE_MB)
    return (f"--max-old-space-size={old_space_mb}", "--max-semi-space-size=4")


def _java_options(limits: Limits) -> tuple[str, ...]:
    heap_mb = max(16, limits.memory_mb - JAVA_RESERVE_MB)
    return (
        *(f"-Xmx{heap_mb}m", "-Xms8m", "-Xss512k", "-XX:+UseSerialGC", "-XX:CICompilerCount=2"),
        *("-XX:ReservedCodeCacheSize=24m", "-XX:MaxMetaspaceSize=48m", "-XX:CompressedClassSpaceSize=16m"),
        *(
            "-XX:-UsePerfData",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:+DisplayVMOutputToStderr",
            "-Dfile.encoding=UTF-8",
        ),
    )


def _roomy_mb(limits: Limits) -> int:
    return max(ROOMY_ADDRESS_SPACE_MB, 2 * limits.memory_mb)
