"""The terminal of embedded mode: troubles in one line and once a minute, and nothing of what visitors do."""

import logging

from thousand.operations.consolelog import NotAgain, NoVisitors, OneLine


def record(
    name: str = "thousand.pipeline", level: int = logging.ERROR, text: str = "a tick failed", line: int = 1
) -> logging.LogRecord:
    try:
        raise OSError(28, "No space left on device")
    except OSError as error:
        caught = (type(error), error, error.__traceback__)
    return logging.LogRecord(name, level, "threads.py", line, text, (), caught)


def test_a_trouble_is_one_line_with_its_cause() -> None:
    assert OneLine().format(record()) == "a tick failed: OSError: [Errno 28] No space left on device"


def test_the_same_trouble_is_told_once_in_a_minute_and_another_one_at_once() -> None:
    again = NotAgain()
    assert [again.filter(record()) for _time in range(5)] == [True, False, False, False, False]
    assert again.filter(record(line=2))


def test_what_visitors_do_wrong_is_not_told_and_what_we_do_wrong_is() -> None:
    visitors = NoVisitors()
    assert not visitors.filter(record("django.request", logging.WARNING, "Not Found: /wp-login.php"))
    assert visitors.filter(record("django.request", logging.ERROR, "Internal Server Error: /"))
    assert visitors.filter(record("thousand.pipeline", logging.WARNING, "an order was lost"))
