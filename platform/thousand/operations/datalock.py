"""One `up` on one data folder."""

import fcntl
import os
from pathlib import Path


class DataFolderInUseError(RuntimeError):
    """Another process runs the arena on this folder; `pid` says which, 0 if it did not say."""

    def __init__(self, folder: Path, pid: int) -> None:
        self.pid = pid
        who = f"process {pid}" if pid else "another process"
        super().__init__(
            f"The arena is running on {folder} already ({who}). Stop it first, or give this one a folder of "
            f"its own with --data."
        )


class DataLock:
    """Holds a data folder for this process, as long as it lives; however it dies, the lock goes with it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._descriptor: int | None = None

    def take(self) -> None:
        """Take the folder, created as 0700 if missing. Raises DataFolderInUseError."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder.chmod(0o700)
        descriptor = os.open(self._folder / "up.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            said = os.read(descriptor, 20).strip()
            os.close(descriptor)
            raise DataFolderInUseError(self._folder, int(said) if said.isdigit() else 0) from None
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        self._descriptor = descriptor

    def release(self) -> None:
        """Give the folder back; idempotent."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
