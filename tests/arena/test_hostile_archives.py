"""Archives made to do harm, or by tools that do it unasked: each is refused in words, at little cost."""

import io
import platform
import stat
import struct
import tarfile
import zipfile
from pathlib import Path

import pytest

from arena.artifacts import ArtifactError, inspect_artifact, stage_artifact
from arena.unpacking import MAX_UNPACKED_BYTES

BOT = b"print('bot')\n"
UTF8_NAMES = 0x800


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytearray:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return bytearray(buffer.getvalue())


def tarred(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", format=tarfile.PAX_FORMAT) as archive:
        for info, content in members:
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def refusal(filename: str, data: bytes | bytearray) -> str:
    with pytest.raises(ArtifactError) as caught:
        inspect_artifact(filename, bytes(data))
    return caught.value.message


def overlapping(count: int) -> bytes:
    """A bomb: one compressed piece that `count` entries of the directory all point to."""
    whole = zipped({"bot.py": BOT, "a000": bytes(1 << 20)})
    directory = whole.index(b"PK\1\2", whole.index(b"PK\1\2") + 4)
    end = whole.index(b"PK\5\6")
    entry = whole[directory:end]
    first = whole[whole.index(b"PK\1\2") : directory]
    at = entry.index(b"a000")
    entries = [entry[:at] + b"a%03d" % number + entry[at + 4 :] for number in range(count)]
    body = first + b"".join(entries)
    tail = whole[end:]
    struct.pack_into("<HH", tail, 8, count + 1, count + 1)
    struct.pack_into("<L", tail, 12, len(body))
    return bytes(whole[: whole.index(b"PK\1\2")] + body + tail)


def test_members_that_share_their_bytes_are_refused_before_any_is_unpacked() -> None:
    bomb = overlapping(900)
    assert len(bomb) < 100_000
    assert "overlaps" in refusal("bot.zip", bomb)


def test_a_name_in_an_unnamed_character_set_is_refused_instead_of_guessed_at() -> None:
    data = zipped({"bot.py": BOT, "daté.txt": b""}, zipfile.ZIP_STORED)
    for signature, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = data.index(signature, data.index(signature) + 4)
        flags = struct.unpack_from("<H", data, at + offset)[0]
        struct.pack_into("<H", data, at + offset, flags & ~UTF8_NAMES)
    message = refusal("bot.zip", data)
    assert "is stored in an old, unnamed character set" in message
    assert "├" in message  # what a guess by the zip standard would have shown


@pytest.mark.parametrize(
    "name", ["=?utf-8?q?bot=2Epy?=", "a%2e%2e/b", "-rf", "~", "$HOME", "a b", "näme.txt"]
)
def test_names_that_are_merely_odd_are_taken_as_they_are(name: str, tmp_path: Path) -> None:
    manifest = stage_artifact("bot.zip", bytes(zipped({"bot.py": BOT, name: b"x"})), tmp_path / "stage")
    assert set(manifest.files) == {"bot.py", name}
    assert (tmp_path / "stage" / name).read_bytes() == b"x"


def test_a_wrong_checksum_is_damage() -> None:
    data = zipped({"bot.py": BOT}, zipfile.ZIP_STORED)
    data[data.index(BOT)] ^= 1
    assert "damaged" in refusal("bot.zip", data)


def test_a_name_that_differs_between_directory_and_member_is_damage() -> None:
    data = zipped({"bot.py": BOT}, zipfile.ZIP_STORED)
    data[data.index(b"bot.py")] = ord("B")
    assert "damaged" in refusal("bot.zip", data)


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ({"path": "bo\0t.py"}, "control or invisible"),
        ({"path": "/bot.py"}, "is absolute"),
        ({"path": "../bot.py"}, "leads out"),
        ({"path": "x/" * 5000 + "bot.py"}, "longer than 240"),
        ({"size": "99999999999"}, "damaged"),
        ({"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": "1"}, ""),
        ({"comment": "x" * (MAX_UNPACKED_BYTES + 1)}, "times its size"),
    ],
)
def test_pax_headers_say_nothing_that_is_not_checked(header: dict[str, str], words: str) -> None:
    info = tarfile.TarInfo("bot.py")
    info.pax_headers = header
    message = refusal("bot.tgz", tarred((info, BOT)))
    assert words in message


def test_a_tree_as_deep_as_paths_go_is_staged_and_counted(tmp_path: Path) -> None:
    deep = "/".join("d" * 110) + "/x"
    manifest = stage_artifact("bot.zip", bytes(zipped({"bot.py": BOT, deep: b"x"})), tmp_path / "stage")
    assert deep in manifest.files


def elf(machine: int = 62, *, bits: int = 2, kind: int = 2, interpreter: bool = False) -> bytes:
    """The beginning of a program: an ELF header and one program header."""
    head = struct.pack("<4sBBBx8x", b"\x7fELF", bits, 1, 1)
    head += struct.pack("<HHLQQQLHHHHHH", kind, machine, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    return head + struct.pack("<L", 3 if interpreter else 1) + bytes(60)


NATIVE = {"x86_64": 62, "aarch64": 183}.get(platform.machine(), 62)
FOREIGN = 183 if NATIVE == 62 else 62


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (elf(NATIVE, interpreter=True), "is dynamically linked"),
        (elf(FOREIGN), "is a program for"),
        (elf(3, bits=1), "is a program for 32-bit x86"),
        (elf(NATIVE, kind=1), "linking, not for running"),
        (elf(NATIVE)[:40], "cut short"),
        (b"MZ\x90\0", "is a program for Windows"),
        (b"hello", "neither a program for Linux nor a script"),
        (b"", "neither a program for Linux nor a script"),
    ],
)
def test_a_program_that_could_not_run_everywhere_is_refused_at_the_upload(program: bytes, words: str) -> None:
    toml = b'entry = "run"\nlanguage = "executable"\n'
    assert words in refusal("bot.zip", zipped({"bot.toml": toml, "run": program}, zipfile.ZIP_STORED))


def test_a_static_program_is_taken_alone_whatever_its_name() -> None:
    manifest = inspect_artifact("my-engine", elf(NATIVE))
    assert (manifest.name, manifest.language, manifest.entry) == ("my-engine", "executable", "bot")


def test_a_script_gets_its_line_ends_and_its_executable_bit_back(tmp_path: Path) -> None:
    toml = b'entry = "run.sh"\nlanguage = "executable"\n'
    data = zipped({"bot.toml": toml, "run.sh": b"#!/bin/sh\r\necho ready\r\n", "data.txt": b"a\r\n"})
    stage_artifact("bot.zip", bytes(data), tmp_path)
    assert (tmp_path / "run.sh").read_bytes() == b"#!/bin/sh\necho ready\n"
    assert (tmp_path / "data.txt").read_bytes() == b"a\r\n"
    assert stat.S_IMODE((tmp_path / "run.sh").stat().st_mode) == 0o755
