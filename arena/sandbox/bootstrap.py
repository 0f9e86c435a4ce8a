"""How a Python bot starts inside: none of the host's packages, run as `__main__`, plain tracebacks.

The interpreter itself is the gate (`arena.sandbox.gate`) and sets the limits, both before it opens the bot's
file: two programs less to load than with a shell and `prlimit`, and as far out of the bot's reach.
"""

from collections.abc import Mapping

from arena.sandbox.base import PYTHON_DIR

PYTHON = f"{PYTHON_DIR}/bin/python3"
"""The arena's own interpreter, as every sandbox shows it."""

MEMORY_EXIT_CODE = 251
"""A Python bot that ends by an uncaught MemoryError exits with it, as no signal tells that tale."""

LIBRARY_PATH = "/sdk:/runtime/python"
"""What a Python bot may import besides the standard library and its own files (colon-separated): the SDK,
and the libraries of `arena.libraries` where they are shown.
"""

# Arguments: limits (empty outside a sandbox), bot folder, library path, entry. Import order as everywhere in
# Python: the script's own folder, the standard library, installed packages. `exit` and `quit` come from
# `site`, which -S leaves out.
BOOTSTRAP = """\
def start():
    import builtins, io, os, sys
    limits, bot, libraries, entry = sys.argv[1:]
    from _sitebuiltins import Quitter
    builtins.exit, builtins.quit = Quitter("exit", "Ctrl-D"), Quitter("quit", "Ctrl-D")
    path = os.path.join(bot, entry)
    own = [os.path.dirname(path)] if os.path.dirname(path) != bot else []
    sys.path[:] = own + [bot] + [p for p in sys.path if p] + libraries.split(":")
    sys.argv[:] = [path]
    def report(kind, error, trace):
        sys.__excepthook__(kind, error.with_traceback(trace and trace.tb_next), trace and trace.tb_next)
        if issubclass(kind, MemoryError):
            os._exit(MEMORY_EXIT_CODE)
    sys.excepthook = report
    if limits:
        import resource
        while (byte := os.read(0, 1)) != b"\\n":
            byte or os._exit(1)
        for name, soft, hard in (limit.split(":") for limit in limits.split()[1:]):
            resource.setrlimit(getattr(resource, "RLIMIT_" + name.upper()), (int(soft), int(hard)))
    with io.open_code(path) as file:
        return path, file.read()
__file__, _source = start()
del start
exec(compile(_source, __file__, "exec"))
""".replace("MEMORY_EXIT_CODE", str(MEMORY_EXIT_CODE))


_INTERPRETER = (PYTHON, "-P", "-s", "-S", "-u", "-B", "-X", "utf8", "-c", BOOTSTRAP)


def python_argv(entry: str) -> tuple[str, ...]:
    """Command that starts the Python bot whose main file is `entry`, relative to its folder.

    Unbuffered, so that a bot that forgets to flush is still heard; `-P -s -S`: no user or host packages;
    never writes byte code. Not `-I`, which would leave the order of sets to chance: see
    `arena.sandbox.environment`.
    """
    return (*_INTERPRETER, "", "/bot", LIBRARY_PATH, entry)


def gated_python(argv: tuple[str, ...], limits: Mapping[str, tuple[int, int]]) -> tuple[str, ...] | None:
    """The same command that waits for a line on its standard input and limits itself before it turns to the
    bot; null for a command that is not `python_argv`'s.
    """
    place = len(_INTERPRETER)
    if argv[:place] != _INTERPRETER:
        return None
    words = ["gate", *(f"{name}:{soft}:{hard}" for name, (soft, hard) in limits.items())]
    return (*_INTERPRETER, " ".join(words), *argv[place + 1 :])
