"""What is kept of a bot's standard error, and how it is made harmless."""

from arena.output import KEPT_BYTES, OutputLog, harmless_text


def test_a_short_log_is_kept_whole() -> None:
    log = _log(b"one\n", b"two\n")
    assert (log.head_text(), log.tail_text(), log.truncated) == ("one\ntwo\n", "", False)


def test_head_and_tail_join_without_a_gap_up_to_their_size() -> None:
    data = bytes(65 + number % 26 for number in range(2 * KEPT_BYTES))
    log = _log(data)
    assert not log.truncated
    assert log.head_text() + log.tail_text() == data.decode()


def test_beyond_it_the_middle_is_dropped_and_marked() -> None:
    log = _log(b"first" + b"." * KEPT_BYTES, *[b"-" * 10_000] * 40, b"last")
    assert log.truncated
    assert log.head_text().startswith("first")
    assert log.tail_text().endswith("last")
    dropped = log.total - 2 * KEPT_BYTES
    assert log.tail_text().startswith(f"[… {dropped} bytes truncated …]\n")
    assert len(log.tail_text()) < KEPT_BYTES + 60


def test_last_lines_are_found_across_head_and_tail() -> None:
    assert _log(b"one\n\ntwo\n  \n").last_lines(1) == "two"
    assert _log(b"x" * KEPT_BYTES, b"\nlast\n").last_lines(1) == "last"
    assert _log().last_lines(3) == ""


def test_bytes_that_are_no_text_become_replacement_characters() -> None:
    assert (
        harmless_text(b"\xff\x00\x1b[31m\xe2\x80\xaeok\tfine\r\n")
        == "\ufffd\ufffd\ufffd[31m\ufffdok\tfine\r\n"
    )


def _log(*parts: bytes) -> OutputLog:
    log = OutputLog()
    for part in parts:
        log.add(part)
    return log
