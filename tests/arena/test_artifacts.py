"""Uploads from strangers: what is accepted, what is refused and with which words."""

import gzip
import io
import stat
import struct
import tarfile
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.artifacts import ArtifactError, Manifest, inspect_artifact, stage_artifact
from arena.unpacking import MAX_MEMBERS

BOT = b"print('bot')\n"
TOML = b'name = "Marta"\nlanguage = "python"\nentry = "src/main.py"\nprotocol = 1\n'


def zipped(*members: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


def tarred(*members: tuple[str | tarfile.TarInfo, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in members:
            info = tarfile.TarInfo(name) if isinstance(name, str) else name
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def moded(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, mode << 16
    return info


def refusal(filename: str, data: bytes) -> ArtifactError:
    with pytest.raises(ArtifactError) as caught:
        inspect_artifact(filename, data)
    return caught.value


def test_a_single_file_becomes_bot_py() -> None:
    manifest = inspect_artifact("Marta.PY", BOT)
    assert manifest == Manifest("Marta", "python", "bot.py", 1, (), ("bot.py",), ())


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_an_archive_speaks_through_bot_toml(pack: type[bytes]) -> None:
    data = pack(("bot.toml", TOML + b'rulesets = ["tournament_default"]\n'), ("src/main.py", BOT))
    manifest = inspect_artifact("x.zip" if pack is zipped else "x.tgz", data)
    assert (manifest.name, manifest.entry, manifest.rulesets) == (
        "Marta", "src/main.py", ("tournament_default",),
    )  # fmt: skip


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_the_only_folder_at_the_top_is_taken_off_and_leftovers_are_listed(
    pack: type[bytes], tmp_path: Path
) -> None:
    data = pack(
        ("mybot/bot.py", BOT),
        ("mybot/mybot/bot.py", b"inner"),
        ("mybot/__pycache__/bot.cpython-311.pyc", b"x"),
        ("mybot/.git/HEAD", b"x"),
        ("mybot/.DS_Store", b"x"),
        ("__MACOSX/mybot/._bot.py", b"x"),
    )
    manifest = stage_artifact("mybot.zip" if pack is zipped else "mybot.tar.gz", data, tmp_path / "stage")
    assert manifest.files == ("bot.py", "mybot/bot.py")
    assert manifest.ignored == ("__MACOSX/", "mybot/.DS_Store", "mybot/.git/", "mybot/__pycache__/")
    staged = {str(p.relative_to(tmp_path / "stage")) for p in (tmp_path / "stage").rglob("*") if p.is_file()}
    assert staged == {"bot.py", "mybot/bot.py"}
    assert (tmp_path / "stage/bot.py").read_bytes() == BOT


def test_staged_files_are_plain_with_one_of_two_modes(tmp_path: Path) -> None:
    data = zipped((moded("bot.py", 0o100600), BOT), (moded("tool", 0o104777), b"#!/bin/sh\n"))
    stage_artifact("x.zip", data, tmp_path)
    assert stat.S_IMODE((tmp_path / "bot.py").stat().st_mode) == 0o644
    assert stat.S_IMODE((tmp_path / "tool").stat().st_mode) == 0o755


REFUSED: list[tuple[str, bytes, str]] = [
    ("bot.rar", b"Rar!\x1a\x07", "it is a rar archive) is not accepted; a bot is one source file"),
    ("bot.png", b"\x89PNG\r\n", "it is a PNG picture"),
    ("bot.zip", b"\x89PNG\r\n", "bot.zip is no zip archive (it is a PNG picture)"),
    ("bot.tar.gz", zipped(("bot.py", BOT)), "it is a zip archive"),
    ("bot.py", zipped(("bot.py", BOT)), "it is a zip archive) is no Python source"),
    ("bot.py", "print()".encode("utf-16-le"), "NUL byte at offset 1"),
    ("bot.zip", b"", "bot.zip is empty (0 bytes)"),
    ("bot", BOT, "bot is not accepted"),
    ("bot.zip", zipped(), "holds no files"),
    ("bot.zip", zipped((".git/HEAD", b"")), "holds no files"),
    ("bot.zip", zipped(("bot.py", BOT))[:-10], "cut short"),
    ("bot.zip", zipped(("bot.py", BOT)).replace(b"PK\1\2", b"PK\1\3"), "damaged"),
    ("bot.tgz", tarred(("bot.py", BOT))[:-30], "damaged"),
    ("bot.tgz", gzip.compress(b"not a tar" * 200, mtime=0), "damaged"),
    ("bot.zip", zipped(("main.py", BOT)), 'Rename main.py to bot.py, or add'),
    ("bot.zip", zipped(("x/bot/bot.py", BOT), ("x/b", b"")), "bot/bot.py lies deeper: pack what is in bot/"),
    ("bot.zip", zipped(("a/bot.toml", TOML), ("b", b"")), "a/bot.toml lies deeper: pack what is in a/"),
    ("bot.zip", zipped(("bot.py", BOT), ("bot.js", b"")), 'holds bot.py, bot.js; say which one is the bot'),
    ("bot.js", b"\0", "is no JavaScript source: it holds a NUL byte at offset 0"),
    ("bot.zip", zipped(("con.py", b""), ("bot.py", BOT)), "con.py means something else on Windows"),
    ("bot.zip", zipped(("a./x", b""), ("bot.py", BOT)), "a. means something else on Windows"),
    ("bot.zip", zipped(("é", b""), ("e\u0301", b""), ("bot.py", BOT)), "differ in case or accents only"),
    ("bot.tgz", tarred(("bot.py", BOT)) + b"trailing", "damaged"),
    ("bot.tgz", tarred(("bot.py", BOT)) + gzip.compress(b"more", mtime=0), "more data follows its end"),
    ("bot.tgz", tarred((special("bot.py", tarfile.GNUTYPE_SPARSE), b"")), "no regular file"),
    ("bot.tgz", tarred((special("bot.py", tarfile.BLKTYPE), b"")), "no regular file"),
    ("bot.tgz", tarred(("a/" * 200 + "bot.py", BOT)), "longer than 240"),
    ("bot.tgz", tarred(("..\\x", b"")), "holds a backslash"),
    ("bot.zip", zipped(("a/x.py", BOT), ("b/y.py", BOT)), "at its top, which holds a/, b/."),
    ("bot.zip", zipped(("a.txt", b"")), "nor one of bot.py, bot.js, bot.c, bot.cpp, bot.go, bot.rs, "),
    ("bot.zip", zipped(("../../x", b""), ("bot.py", BOT)), "../../x leads out of its folder"),
    ("bot.zip", zipped(("/etc/x", b"")), "/etc/x is absolute"),
    ("bot.zip", zipped(("C:/x", b"")), "C:/x is absolute"),
    ("bot.zip", zipped(("C:\\x", b"")), "holds a backslash"),
    ("bot.zip", zipped(("a\u202eb.py", b"")), "control or invisible characters"),
    ("bot.zip", zipped(("x" * 300, b"")), "longer than 240"),
    ("bot.zip", zipped((moded("bot.py", stat.S_IFLNK | 0o777), b"/etc/passwd")), "bot.py is a symbolic link"),
    ("bot.zip", zipped((moded("bot.py", stat.S_IFCHR | 0o666), b"")), "no regular file"),
    ("bot.zip", zipped(("bot.py", BOT), method=zipfile.ZIP_LZMA), "unusual method"),
    ("bot.zip", zipped(("bot.py", BOT), ("BOT.PY", BOT)), "differ in case"),
    ("bot.zip", zipped(("bot.py", BOT), ("bot.py/x", BOT)), "cannot both exist"),
    ("bot.zip", zipped(("x/y", BOT), ("x", BOT)), "cannot both exist"),
    ("bot.tgz", tarred(("../x", b"")), "leads out"),
    ("bot.tgz", tarred((special("x", tarfile.SYMTYPE, "/etc/passwd"), b"")), "symbolic link to /etc/passwd"),
    ("bot.tgz", tarred((special("bot.py", tarfile.LNKTYPE, "x"), b"")), "hard link to x"),
    ("bot.tgz", tarred((special("bot.py", tarfile.CHRTYPE), b"")), "no regular file"),
    ("bot.tgz", tarred((special("bot.py", tarfile.FIFOTYPE), b"")), "no regular file"),
    ("bot.tgz", tarred(("bot.py", BOT), ("./bot.py", BOT)), "bot.py is there twice"),
    ("bot.zip", zipped(("bot.py", BOT), *((f"f{n}", b"") for n in range(MAX_MEMBERS))), "than 2000 files"),
    ("bot.zip", zipped(("bot.py", bytes(50 << 20))), "200 times its size"),
    ("bot.tgz", tarred(("bot.py", bytes(50 << 20))), "200 times its size"),
    ("bot.py", b" " * (21 << 20), "bot.py is 21 MiB; the limit is 20 MiB"),
]  # fmt: skip


@pytest.mark.parametrize(("filename", "data", "words"), REFUSED, ids=range(len(REFUSED)))
def test_a_bad_upload_is_refused_with_what_it_is_and_nothing_is_written(
    filename: str, data: bytes, words: str, tmp_path: Path
) -> None:
    error = refusal(filename, data)
    assert words in error.message
    assert error.field == "file"
    with pytest.raises(ArtifactError):
        stage_artifact(filename, data, tmp_path / "stage")
    assert not (tmp_path / "stage").exists()


def test_encrypted_members_are_refused() -> None:
    data = bytearray(zipped(("bot.py", BOT)))
    data[data.index(b"PK\1\2") + 8] |= 1
    assert "without a password" in refusal("bot.zip", bytes(data)).message


def test_a_forged_size_field_does_not_get_more_through() -> None:
    data = bytearray(zipped(("bot.py", bytes(1 << 16))))
    struct.pack_into("<L", data, data.index(b"PK\1\2") + 24, 100)
    assert "damaged" in refusal("bot.zip", bytes(data)).message


def test_a_central_directory_of_many_mebibytes_is_refused_before_it_is_read() -> None:
    data = bytearray(zipped(("bot.py", BOT)))
    struct.pack_into("<L", data, len(data) - 10, 3 << 20)
    assert "more than 2000 files" in refusal("bot.zip", bytes(data)).message


TOML_REFUSED = [
    (b'name = "x"\n', "entry", 'bot.toml: `entry` is missing. Expected for example `entry = "bot.py"`.'),
    (b'entry = "main.py"', "entry", 'bot.toml line 1: `entry` is "main.py", which is not in the archive'),
    (b'entry = "data.bin"', "entry", "whose ending tells no language; add `language"),
    (b'entry = "data.bin"\nlanguage = "python"', "entry", "in Python starts with a file that ends in `.py`"),
    (b"entry = 3", "entry", "`entry` is 3, not a string"),
    (b'entry = "bot.py"\n\nlanguage = "rest"', "language", '3: `language` is "rest". Did you mean "rust"? '),
    (b'entry = "bot.py"\nlanguage = "cobol"', "language", 'This arena offers "python", "javascript", "c", '),
    (b'entry = "bot.py"\nlanguage = "rust"', "entry", "in Rust starts with a file that ends in `.rs`"),
    (b'entry = "bot.rs"\nlanguage = "rust"', "entry", "not in the archive; it has no .rs file"),
    (b'entry = "bot.py"\nprotocol = 2', "protocol", "`protocol` is 2. The arena speaks 1"),
    (b'entry = "bot.py"\nprotocol = true', "protocol", "`protocol` is True"),
    (b'entry = "bot.py"\nname = ""', "name", "1 to 40 visible characters"),
    (b'entry = "bot.py"\nrulesets = "x"', "rulesets", "not a list of names"),
    (b'entry = "bot.py"\nrulesets = ["skill_game"]', "rulesets", 'Did you mean "skill_games"?'),
    (b'entyr = "bot.py"', "file", "bot.toml line 1: `entyr` is not known. Did you mean `entry`?"),
    (b'[bot]\nentry = "bot.py"', "file", "`bot` is not known. Known keys are name"),
    (b'name = "x"\nentry = \n', "file", "line 2: `entry =` is not valid TOML: Invalid value (column 9). Exp"),
    (b'entry = "bot.py', "file", "bot.toml is not valid TOML: Unterminated string (at end of document)."),
    (b"entry = bot.py", "file", "line 1: `entry = bot.py` is not valid TOML: Invalid value (column 9)."),
    (b'entry = "\xff"', "file", "bot.toml is not UTF-8"),
    (b"# " + b"x" * (65 << 10), "file", "longer than 64 kB"),
]  # fmt: skip


@pytest.mark.parametrize(("toml", "field", "words"), TOML_REFUSED, ids=range(len(TOML_REFUSED)))
def test_a_wrong_bot_toml_is_refused_with_line_value_and_remedy(toml: bytes, field: str, words: str) -> None:
    data = zipped(("bot.toml", toml), ("bot.py", BOT), ("data.bin", b""), method=zipfile.ZIP_STORED)
    error = refusal("bot.zip", data)
    assert words in error.message
    assert error.field == field


@given(st.binary(max_size=300), st.sampled_from(["x.py", "x.zip", "x.tar.gz", "x.tgz", "x"]), st.booleans())
def test_no_bytes_raise_anything_but_an_artifact_error(noise: bytes, filename: str, damaged: bool) -> None:
    data = noise
    if damaged:  # a real archive with a piece overwritten reaches the deeper readers
        whole = zipped(("bot.py", BOT * 20)) if filename == "x.zip" else tarred(("bot.py", BOT * 20))
        at = len(noise) * 7 % len(whole)
        data = whole[:at] + noise[:9] + whole[at + len(noise[:9]) :]
    with suppress(ArtifactError):
        inspect_artifact(filename, data)
