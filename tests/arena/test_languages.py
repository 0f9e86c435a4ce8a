"""Every language's starter bot, from source to a match against a house bot in the real sandbox."""

import hashlib
import io
import zipfile
from pathlib import Path

import pytest

from arena.artifacts import inspect_artifact
from arena.building import BuildError, build_artifact
from arena.commands.local import read_bot
from arena.languages import LANGUAGES, Language, language_named, refusal_of
from arena.libraries import installed_libraries
from arena.match import run_match
from arena.orders import SeatOrder, ValidationOrder, ValidationReport
from arena.sandbox import Sandbox
from arena.sandbox.unconfined import UnconfinedSandbox
from arena.starters import STARTERS, starter_files, starter_source
from arena.toolchains import toolchain
from arena.validation import validate
from bots_sdk.house import house_artifact
from engine import Ruleset, seed_from_int
from tests.arena.match_orders import AMPLE

QUICK = ("python", "javascript", "c")
"""Built and started within a second; the others take a compiler's time."""


def tools_or_skip(name: str) -> None:
    """Skip, by the language's name, where a machine has no tools for it."""
    language = LANGUAGES[name]
    if (language.built or name == "javascript") and toolchain(name) is None:
        pytest.skip(f"no tools for {language.title} on this machine")


def validated(folder: Path, filename: str, data: bytes, sandbox: Sandbox) -> ValidationReport:
    """Validate an upload by one short match."""

    def seat(version: str, name: str, content: bytes) -> SeatOrder:
        path = folder / version
        path.write_bytes(content)
        return SeatOrder(version, hashlib.sha256(content).hexdigest(), path.as_uri(), name)

    order = ValidationOrder(
        validation="version-0001",
        token="ab" * 16,
        seat=seat("candidate", filename, data),
        opponent=seat("easy", "bot.py", house_artifact("easy")),
        ruleset=Ruleset.from_preset("tournament_default", {"deal_limit": 2}).to_json(),
        seeds=(seed_from_int(3).hex(),),
        limits=AMPLE,
        runnable_url=(folder / "runnable").as_uri(),
    )
    return validate(order, sandbox, lambda match: run_match(match, sandbox).report)


def starter(language: Language, folder: Path) -> tuple[str, bytes]:
    """The folder that `thousand new` writes, as it would be uploaded."""
    bot = folder / f"my-{language.name}"
    bot.mkdir()
    for name, text in starter_files(language, bot.name).items():
        (bot / name).write_text(text)
    packed = read_bot(str(bot))
    return packed.filename, packed.data


def check_starter(name: str, folder: Path, sandbox: Sandbox) -> None:
    tools_or_skip(name)
    filename, data = starter(LANGUAGES[name], folder)
    assert inspect_artifact(filename, data).language == name
    report = validated(folder, filename, data, sandbox)
    assert report.accepted, (report.reason, report.stderr_head, report.arena_fault)
    built = LANGUAGES[name].built
    assert [step.name for step in report.steps] == ["archive", *["build"] * built, "handshake", "match"]
    if not built:
        assert not (folder / "runnable").exists()
        return
    runnable = (folder / "runnable").read_bytes()
    assert hashlib.sha256(runnable).hexdigest() == report.runnable_digest
    manifest = inspect_artifact("runnable.tar.gz", runnable)
    assert not manifest.needs_build
    assert manifest.name == f"my-{name}"
    assert "README.md" in manifest.files  # what is no source stays beside the program
    assert LANGUAGES[name].default_entry not in manifest.files


@pytest.mark.sandbox
@pytest.mark.parametrize("name", QUICK)
def test_a_starter_bot_is_built_and_plays(name: str, tmp_path: Path, proved_sandbox: Sandbox) -> None:
    check_starter(name, tmp_path, proved_sandbox)


@pytest.mark.sandbox
@pytest.mark.thorough
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", [one.name for one in STARTERS if one.name not in QUICK])
def test_a_starter_bot_of_a_slower_language_is_built_and_plays(
    name: str, tmp_path: Path, proved_sandbox: Sandbox
) -> None:
    check_starter(name, tmp_path, proved_sandbox)


@pytest.mark.thorough
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", [one.name for one in STARTERS])
def test_a_starter_bot_is_built_and_plays_without_a_sandbox_too(name: str, tmp_path: Path) -> None:
    check_starter(name, tmp_path, UnconfinedSandbox())


@pytest.mark.sandbox
def test_a_finished_program_plays_as_it_is(tmp_path: Path, proved_sandbox: Sandbox) -> None:
    tools_or_skip("c")
    source = starter_files(LANGUAGES["c"], "x")["bot.c"]
    built = build_artifact("bot.c", source.encode(), proved_sandbox)
    assert built.manifest.language == "executable"
    report = validated(tmp_path, "runnable.tar.gz", built.data, proved_sandbox)
    assert report.accepted, report.reason
    assert report.runnable_digest == ""


@pytest.mark.sandbox
def test_the_same_sources_make_the_same_runnable(proved_sandbox: Sandbox) -> None:
    tools_or_skip("c")
    source = starter_files(LANGUAGES["c"], "x")["bot.c"].encode()
    first, second = (build_artifact("bot.c", source, proved_sandbox) for _ in range(2))
    assert first.data == second.data


NUMPY_BOT = b"""
import sys
import numpy
from bots_sdk import Bot, run
class MyBot(Bot):
    def choose(self, request):
        table = numpy.ones((200, 200))
        assert (table @ table)[0, 0] == 200
        return request.legal[0]
print("numpy", numpy.__version__, "from", numpy.__file__, file=sys.stderr)
for module in ("django", "msgspec", "pytest", "arena"):
    try:
        __import__(module)
    except ImportError:
        continue
    sys.exit(f"{module} can be imported")
run(MyBot())
"""


@pytest.mark.sandbox
def test_python_bots_have_the_locked_libraries_and_nothing_of_the_host(
    tmp_path: Path, proved_sandbox: Sandbox
) -> None:
    libraries = installed_libraries()
    assert libraries is not None, "run `make install`"
    report = validated(tmp_path, "bot.py", NUMPY_BOT, proved_sandbox)
    assert report.accepted, (report.reason, report.stderr_head)
    version = next(one for one in libraries.distributions if one.startswith("numpy "))
    assert f"{version} from /runtime/python/numpy/" in report.stderr_head


HUNGRY = """
const lines = require("node:readline").createInterface({ input: process.stdin });
const kept = [];
lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") console.log('{"type":"ready"}');
  while (message.type === "act") kept.push(new Array(1000000).fill(message.id));
});
"""


@pytest.mark.sandbox
def test_a_runtime_that_runs_out_of_memory_is_told_so(tmp_path: Path, proved_sandbox: Sandbox) -> None:
    tools_or_skip("javascript")
    report = validated(tmp_path, "bot.js", HUNGRY.encode(), proved_sandbox)
    assert report.verdict == "memory_limit", report.reason


def packed(files: dict[str, str]) -> bytes:
    """An upload of several files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return buffer.getvalue()


PROJECTS = {
    "c": {
        "bot.toml": 'entry = "src/bot.c"\n',
        "src/bot.c": '#include "weights.h"\n' + starter_source(LANGUAGES["c"]),
        "src/weights.h": "extern const int weight;\n",
        "src/weights.c": '#include "weights.h"\nconst int weight = 3;\n',
    },
    "go": {
        "bot.toml": 'entry = "bot.go"\n',
        "go.mod": "module example/bot\n\ngo 1.19\n",
        "bot.go": starter_source(LANGUAGES["go"])
        .replace('"strings"', '"strings"\n\n\t"example/bot/mild"')
        .replace("return request.Legal[0]", "return mild.Choice(request.Legal)"),
        "mild/mild.go": "package mild\n\nfunc Choice(legal []string) string { return legal[0] }\n",
    },
    "rust": {
        "bot.toml": 'entry = "src/main.rs"\n',
        "Cargo.toml": '[package]\nname = "my-bot"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/main.rs": starter_source(LANGUAGES["rust"]),
    },
    "java": {
        "bot.toml": 'entry = "arena/Bot.java"\n',
        "arena/Bot.java": "package arena;\n"
        + starter_source(LANGUAGES["java"]).replace("orElse(legal.get(0))", "orElse(Mild.of(legal))"),
        "arena/Mild.java": "package arena;\nimport java.util.List;\nclass Mild {"
        " static String of(List<String> legal) { return legal.get(0); } }\n",
    },
}
"""Uploads in several files, as each language's own tools lay them out."""


@pytest.mark.sandbox
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[] if one in QUICK else [pytest.mark.thorough]) for one in PROJECTS]
)
def test_a_project_of_several_files_is_built(name: str, tmp_path: Path, proved_sandbox: Sandbox) -> None:
    tools_or_skip(name)
    report = validated(tmp_path, "bot.zip", packed(PROJECTS[name]), proved_sandbox)
    assert report.accepted, (report.reason, report.stderr_head)


FAILING = {
    "a syntax error": ("bot.c", "int main(void) { return 1 }", "error: expected ';' before '}' token"),
    "a secret of the host": ("bot.c", "#include </etc/shadow>", "/etc/shadow: No such file"),
    "a device without end": ("bot.c", '#include "/dev/random"', ""),
    "no main": ("bot.c", "int x;", "undefined reference to `main'"),
    "an abyss of templates": (
        "bot.cpp",
        "template<int N> struct A { static const int v = A<N + 1>::v + A<2 * N + 1>::v; };"
        "int main() { return A<1>::v; }",
        "template instantiation depth exceeds maximum",
    ),
}


SLOW_TO_FAIL = ("a device without end", "an abyss of templates")


@pytest.mark.sandbox
@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=[pytest.mark.thorough] if case in SLOW_TO_FAIL else []) for case in FAILING],
)
def test_a_build_that_fails_is_a_rejection_with_the_compilers_words(
    case: str, tmp_path: Path, proved_sandbox: Sandbox
) -> None:
    filename, source, words = FAILING[case]
    tools_or_skip("cpp" if filename.endswith("pp") else "c")
    report = validated(tmp_path, filename, source.encode(), proved_sandbox)
    assert not report.accepted
    assert not report.arena_fault
    assert (report.steps[-1].name, report.steps[-1].state) == ("build", "failed")
    assert report.reason.startswith("The build in C")
    assert words in report.stderr_head + report.stderr_tail
    assert not (tmp_path / "runnable").exists()


def cargo_package(build_script: str) -> bytes:
    """A package whose build script does something else than building."""
    script = f"use std::{{fs, io::Write, net, process}};\nfn main() {{ {build_script} }}"
    return packed({**PROJECTS["rust"], "src/main.rs": "fn main() {}", "build.rs": script})


HOSTILE_SCRIPTS = {
    "the network": 'net::TcpStream::connect("1.1.1.1:53").expect("no network here");',
    "a fork bomb": 'loop { let _ = process::Command::new("/proc/self/exe").spawn(); }',
    "output without end": 'let text = "x".repeat(1 << 16); loop { eprintln!("{text}"); }',
    "memory without end": "let mut kept = Vec::new(); loop { kept.push(vec![1u8; 1 << 24]); }",
    "a disk without end": (
        'let mut f = fs::File::create("/tmp/big").unwrap(); loop { f.write_all(&[1; 65536]).unwrap(); }'
    ),
    "a file of the host": 'fs::read("/etc/shadow").expect("no such file here");',
    "a program that is none": 'fs::write(std::env::temp_dir().join("installed"), "x").unwrap();',
}


@pytest.mark.sandbox
@pytest.mark.thorough
@pytest.mark.timeout(400)
@pytest.mark.parametrize("what", HOSTILE_SCRIPTS)
def test_a_build_script_that_reaches_for_more_ends_as_a_rejection(
    what: str, tmp_path: Path, proved_sandbox: Sandbox
) -> None:
    tools_or_skip("rust")
    with pytest.raises(BuildError) as caught:
        build_artifact("bot.zip", cargo_package(HOSTILE_SCRIPTS[what]), proved_sandbox)
    assert caught.value.message.startswith("The build in Rust")
    assert ("kept starting processes" in caught.value.message) is (what == "a fork bomb")


def test_a_language_is_known_by_its_aliases_and_refused_with_what_there_is() -> None:
    assert language_named("C++") is LANGUAGES["cpp"]
    assert language_named("node") is LANGUAGES["javascript"]
    assert language_named("brainfuck") is None
    assert refusal_of("rust", ("python", "c")) == 'This arena has no tools for Rust. It offers "python", "c".'
    assert refusal_of("pyhton", ("python",)) == 'Did you mean "python"? This arena offers "python".'
