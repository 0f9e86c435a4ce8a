"""Machine integers where the engine is compiled, Python's own where it is interpreted.

Values stay below 2^62, so that both reckon alike. The annotation is for the compiler alone: nothing needs to
be installed to run.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mypy_extensions import i64 as i64
else:
    i64 = int
