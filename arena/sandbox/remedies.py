"""What an operator can do when a tier does not work: from its words to a remedy."""

import os
from pathlib import Path

_CONTAINER = (
    "In Docker start the worker as an ordinary user with --security-opt seccomp=<a profile that allows "
    "clone, mount, umount2, pivot_root and sethostname> --security-opt systempaths=unconfined "
    "--security-opt no-new-privileges --cap-drop ALL."
)
_APPARMOR = (
    "AppArmor keeps user namespaces from bubblewrap here. Put `abi <abi/4.0>, include <tunables/global> "
    "profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }` into /etc/apparmor.d/bwrap and reload it."
)
_INSTALL = "Install it: apt-get install bubblewrap (or dnf, pacman, apk)."
_LANDLOCK = (
    "Use a kernel of 5.13 or newer with Landlock built in and switched on (`lsm=landlock,…` on its command "
    "line), in a container whose seccomp profile lets landlock_create_ruleset through."
)
_UNKNOWN = (
    "Run `thousand doctor` as the worker's user and read the reason; without a sandbox no match is played."
)

_BY_WORDS: tuple[tuple[str, str], ...] = (
    ("Landlock refused", _LANDLOCK),
    ("is not installed", _INSTALL),
    ("setting up uid map", _APPARMOR),
    ("RTM_NEWADDR", _APPARMOR),
    (
        "Can't mount proc",
        "Masked by a container: add --security-opt systempaths=unconfined, or use tier bwrap-1b.",
    ),
    ("pivot_root", _CONTAINER),
    ("Can't find source path", "TMPDIR and THOUSAND_RUNTIME must be folders that every user can enter."),
    ("thousand-stage", "Set TMPDIR to a folder that every user can enter."),
    ("THOUSAND_RUNTIME", "Set THOUSAND_RUNTIME to a folder outside any home that this user may write to."),
    ("Unknown option", "Install bubblewrap 0.5 or newer."),
    ("no system call table", "Use a machine with an x86-64 or 64-bit ARM processor."),
)


def remedy_for(reason: str) -> str:
    """Give the advice that fits what went wrong."""
    if "new namespace" in reason or "namespace failed" in reason:
        return _namespaces_remedy()
    for words, remedy in _BY_WORDS:
        if words in reason:
            return remedy
    if os.geteuid() == 0 and "Operation not permitted" in reason:
        return "Root without CAP_SETUID cannot run bots as another user: run the worker as an ordinary user."
    return _UNKNOWN


def _namespaces_remedy() -> str:
    for setting, wanted in (("kernel/unprivileged_userns_clone", "1"), ("user/max_user_namespaces", "15000")):
        path = Path("/proc/sys") / setting
        if path.exists() and path.read_text().strip() == "0":
            return f"User namespaces are switched off: sysctl -w {setting.replace('/', '.')}={wanted}"
    return _CONTAINER if in_container() else _APPARMOR


def in_container() -> bool:
    """Does this look like the inside of a container?"""
    if Path("/.dockerenv").exists() or Path("/run/.containerenv").exists():
        return True
    return "container" in os.environ
