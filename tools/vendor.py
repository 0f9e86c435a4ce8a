#!/usr/bin/env python3
"""Fetch the vendored front end: every file pinned by hash in `vendor.lock.json`, no CDN, no build step.

    python tools/vendor.py            fetch each package with `npm pack`, verify it, write its files
    python tools/vendor.py --check    compare the files in the tree with the lock; touches no network
    python tools/vendor.py --pin      accept what the registry has for the versions in the lock: writes
                                      new hashes (edit `version` first, then read the diff)

Exit codes: 0 all is as the lock says, 1 something differs (named on standard error), 2 npm is missing.
"""

import argparse
import base64
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LOCK = Path(__file__).with_name("vendor.lock.json")


class VendorError(Exception):
    """A package or file that is not what the lock says."""


@dataclass(frozen=True)
class VendoredFile:
    """One file of a package and where it goes."""

    member: str
    """Path inside the npm tarball, without the leading `package/`."""
    path: str
    """Path in this repository."""
    sha256: str
    """Hex digest of the file's bytes."""


@dataclass(frozen=True)
class Package:
    """One pinned npm package."""

    name: str
    version: str
    licence: str
    """SPDX identifier; the text itself is one of `files`."""
    integrity: str
    """Subresource integrity of the tarball as npm prints it: `sha512-` and base 64."""
    files: tuple[VendoredFile, ...]


def read_lock() -> list[Package]:
    """Return the packages of the lock file in its order."""
    document = json.loads(LOCK.read_text(encoding="utf-8"))
    return [
        Package(
            name=entry["name"],
            version=entry["version"],
            licence=entry["licence"],
            integrity=entry["integrity"],
            files=tuple(VendoredFile(**file) for file in entry["files"]),
        )
        for entry in document["packages"]
    ]


def write_lock(packages: list[Package]) -> None:
    """Write the lock file."""
    document: dict[str, Any] = {
        "packages": [
            {
                "name": package.name,
                "version": package.version,
                "licence": package.licence,
                "integrity": package.integrity,
                "files": [
                    {"member": file.member, "path": file.path, "sha256": file.sha256}
                    for file in package.files
                ],
            }
            for package in packages
        ]
    }
    LOCK.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def pack(package: Package, directory: Path) -> bytes:
    """Return the tarball's bytes as the registry serves them; `npm pack` runs no script of the package."""
    npm = shutil.which("npm")
    if npm is None:
        print("npm was not found. Install Node.js (apt-get install npm) and run this again.", file=sys.stderr)
        raise SystemExit(2)
    spec = f"{package.name}@{package.version}"
    result = subprocess.run(
        [npm, "pack", spec, "--json", "--ignore-scripts", "--pack-destination", str(directory)],
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode != 0:
        raise VendorError(f"npm pack {spec} failed: {result.stderr.strip()[-400:]}")
    [tarball] = directory.glob("*.tgz")
    return tarball.read_bytes()


def integrity_of(data: bytes) -> str:
    """Return npm's integrity string of a tarball."""
    return "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()


def read_members(tarball: Path) -> dict[str, bytes]:
    """Return every regular file of an npm tarball by its path without the leading `package/`."""
    members: dict[str, bytes] = {}
    with tarfile.open(tarball) as archive:
        for info in archive:
            stream = archive.extractfile(info) if info.isfile() else None
            if stream is not None:
                members[info.name.removeprefix("package/")] = stream.read()
    return members


def fetch(package: Package, *, pin: bool) -> Package:
    """Fetch, verify and write one package; with `pin` return it with the hashes the registry has now."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        found = integrity_of(pack(package, directory))
        if found != package.integrity and not pin:
            raise VendorError(
                f"{package.name}@{package.version}: tarball is {found}, the lock says {package.integrity}"
            )
        members = read_members(next(directory.glob("*.tgz")))
    files = []
    for file in package.files:
        if file.member not in members:
            raise VendorError(f"{package.name}@{package.version} has no file {file.member}")
        data = members[file.member]
        digest = hashlib.sha256(data).hexdigest()
        if digest != file.sha256 and not pin:
            raise VendorError(f"{file.member} of {package.name} is {digest}, the lock says {file.sha256}")
        target = ROOT / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        files.append(replace(file, sha256=digest))
        print(f"{package.name} {package.version}  {file.path}  {len(data)} bytes")
    return replace(package, integrity=found, files=tuple(files))


def differences() -> list[str]:
    """Return what in the tree is not as the lock says, in words; touches no network."""
    problems = []
    for package in read_lock():
        for file in package.files:
            path = ROOT / file.path
            if not path.is_file():
                problems.append(f"{file.path} is missing; run: python tools/vendor.py")
            elif hashlib.sha256(path.read_bytes()).hexdigest() != file.sha256:
                problems.append(f"{file.path} differs from {package.name} {package.version} as pinned")
    return problems


def main(arguments: list[str]) -> int:
    """Run the command; the exit code is described at the top of this file."""
    parser = argparse.ArgumentParser(description="Fetch the pinned front end.")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="only compare the tree with the lock")
    mode.add_argument("--pin", action="store_true", help="write new hashes for the versions in the lock")
    options = parser.parse_args(arguments)
    if options.check:
        problems = differences()
        for problem in problems:
            print(problem, file=sys.stderr)
        return 1 if problems else 0
    try:
        packages = [fetch(package, pin=options.pin) for package in read_lock()]
    except VendorError as error:
        print(error, file=sys.stderr)
        return 1
    if options.pin:
        write_lock(packages)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
