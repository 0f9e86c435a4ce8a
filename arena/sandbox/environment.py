"""What every bot sees besides its own files: environment, and the parts of the host that are shown."""

from collections.abc import Mapping
from types import MappingProxyType

from arena.sandbox.base import SCRATCH_DIR

ENVIRONMENT: Mapping[str, str] = MappingProxyType(
    {
        "PATH": "/python/bin:/usr/bin:/bin",
        "HOME": SCRATCH_DIR,
        "TMPDIR": SCRATCH_DIR,
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        # A set of texts keeps its order from one start to the next, so that a bot that goes through one
        # "makes equal choices in equal situations".
        "PYTHONHASHSEED": "0",
        # Where there is no /etc/ssl, Node.js must not look for it: behind Landlock it would give up.
        "OPENSSL_CONF": "/dev/null",
        "LD_LIBRARY_PATH": "/python/lib",
        "MALLOC_ARENA_MAX": "2",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "NUMEXPR_NUM_THREADS": "1",
    }
)

SYSTEM_FOLDERS = ("/bin", "/lib", "/lib32", "/lib64", "/sbin")
"""Besides `/usr`; on most distributions links into it."""

HIDDEN_FOLDERS = ("/usr/local", "/usr/src", "/usr/lib/python3/dist-packages")
"""Under /usr, but not the distribution's: what an administrator installed is not the bots' business."""

SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/alternatives")

DEVICES = ("/dev/null", "/dev/full", "/dev/random", "/dev/urandom")
"""No /dev/zero: a shared mapping of it is memory that no limit counts. No /dev/tty, no /dev/ptmx."""
