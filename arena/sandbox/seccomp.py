"""The system calls a bot may not make, compiled to a seccomp filter in plain Python (no libseccomp).

Everything is allowed but a list, because bots come in many languages. The list closes what namespaces and
resource limits leave open: kernel features that reach past namespaces, memory no limit counts, channels
between bots over shared files, and every way to run on while frozen (`Why` below names them).
`bwrap --seccomp` loads the bytes; the filter also binds bubblewrap's own process inside the sandbox.
"""

import errno
import platform
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from arena.sandbox.syscalls import AUDIT_ARCH, LAST_KNOWN, NUMBERS, X32_BIT


class Why(StrEnum):
    """What a rule protects; the threat model lists the rules by it."""

    NAMESPACES = "namespaces, mounts and roots"
    OTHERS = "memory and files of other processes"
    KERNEL = "kernel features a bot has no use for"
    HIDDEN_MEMORY = "memory that no resource limit counts"
    COVERT = "channels between bots over shared read-only files"
    NETWORK = "sockets other than a local pair"
    TERMINAL = "typing into a terminal"
    FREEZE = "running on while it is not its turn"
    ONE_PROCESS = "a single process, so that CPU time and memory are exact"
    HOST = "settings of the host"


@dataclass(frozen=True, slots=True)
class Rule:
    """Refuse a call with an error, always or when one 32-bit argument matches."""

    call: str
    why: Why
    error: int = errno.EPERM
    argument: int | None = None
    """Index of the argument looked at; null refuses every use of the call."""
    refuse: tuple[int, ...] = ()
    """Refused values of the argument."""
    allow: tuple[int, ...] = ()
    """If not empty: the only allowed values of the argument (under `mask`)."""
    mask: int = 0xFFFF_FFFF
    """Bits of the argument that are compared."""
    any_bit: int = 0
    """Refused when the argument has one of these bits."""


# Values from the kernel's user-space headers.
SIGCONT = 18
SIGCHLD = 17
AF_UNIX, SOCK_STREAM, SOCK_TYPE_MASK = 1, 1, 0xF
CLONE_FILES, CLONE_THREAD = 0x400, 0x10000
CLONE_NEW_ANY = 0x7E020000 | 0x80  # all CLONE_NEW*; CLONE_NEWTIME shares its bit with the exit signal
MAP_SHARED, MAP_ANONYMOUS, MAP_GROWSDOWN, MAP_HUGETLB = 0x01, 0x20, 0x100, 0x40000
TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP = 0x5412, 0x541C, 0x8901, 0x8902
PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SCHED_CORE = 1, 22, 62
POSIX_FADV_DONTNEED = 4
# F_DUPFD F_GETFD F_SETFD F_GETFL F_SETFL F_GETOWN F_DUPFD_CLOEXEC F_GETPIPE_SZ F_GET_SEALS. The rest are
# locks, leases, signals of the bot's choice, hints kept on shared inodes, and pipe sizes.
FCNTL_ALLOWED = (0, 1, 2, 3, 4, 9, 1030, 1032, 1034)
FCNTL_LOCKS = (5, 6, 7, 36, 37, 38)  # F_GETLK F_SETLK F_SETLKW and their open-file-description kin
PERSONALITY_ALLOWED = (0, 0xFFFF_FFFF)  # Linux, and the question which it is


def _all(why: Why, calls: str, error: int = errno.EPERM) -> list[Rule]:
    return [Rule(call, why, error) for call in calls.split()]


COMMON_RULES: tuple[Rule, ...] = (
    *_all(Why.NAMESPACES, "unshare setns mount umount2 pivot_root chroot"),
    *_all(Why.NAMESPACES, "open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr", errno.ENOSYS),
    # clone3 passes its flags in memory, where no filter sees them; C libraries fall back to clone.
    *_all(Why.NAMESPACES, "clone3", errno.ENOSYS),
    *_all(Why.OTHERS, "ptrace process_vm_readv process_vm_writev kcmp pidfd_getfd"),
    *_all(Why.OTHERS, "name_to_handle_at open_by_handle_at fanotify_init fanotify_mark"),
    *_all(Why.KERNEL, "bpf perf_event_open userfaultfd lookup_dcookie modify_ldt iopl ioperm"),
    *_all(Why.KERNEL, "io_uring_setup io_uring_enter io_uring_register", errno.ENOSYS),
    *_all(Why.KERNEL, "io_setup io_submit io_cancel io_destroy io_getevents io_pgetevents", errno.ENOSYS),
    *_all(Why.KERNEL, "init_module finit_module delete_module kexec_load kexec_file_load"),
    *_all(Why.KERNEL, "keyctl add_key request_key"),
    Rule("personality", Why.KERNEL, argument=0, allow=PERSONALITY_ALLOWED),
    *_all(
        Why.HOST, "reboot swapon swapoff acct quotactl quotactl_fd syslog sethostname setdomainname vhangup"
    ),
    *_all(Why.HOST, "settimeofday clock_settime adjtimex clock_adjtime"),
    # Pretended success: programs may ask for it, but the host's disks and caches are not theirs to empty.
    *_all(Why.HOST, "sync syncfs", 0),
    Rule("fadvise64", Why.HOST, 0, argument=3, refuse=(POSIX_FADV_DONTNEED,)),
    # Pretended success: libraries that pin threads work, and the worker alone decides where bots run.
    *_all(Why.HOST, "sched_setaffinity", 0),
    *_all(Why.HIDDEN_MEMORY, "memfd_create memfd_secret map_shadow_stack remap_file_pages", errno.ENOSYS),
    *_all(Why.HIDDEN_MEMORY, "shmget shmat shmctl shmdt semget semop semctl semtimedop"),
    *_all(Why.HIDDEN_MEMORY, "msgget msgsnd msgrcv msgctl"),
    *_all(Why.HIDDEN_MEMORY, "mq_open mq_unlink mq_timedsend mq_timedreceive mq_getsetattr"),
    # Rules and filters of a bot's own are kernel memory: 60 rulesets of 65 536 ports each hold some 300 MB.
    *_all(Why.HIDDEN_MEMORY, "landlock_create_ruleset landlock_add_rule landlock_restrict_self seccomp"),
    # A page lent to a pipe stays alive when its mapping is gone, and may pin 2 MiB with it.
    *_all(Why.HIDDEN_MEMORY, "vmsplice"),
    *_all(Why.COVERT, "inotify_init inotify_init1 inotify_add_watch"),
    *_all(Why.COVERT, "cachestat", errno.ENOSYS),
    Rule("socket", Why.NETWORK, errno.EAFNOSUPPORT, argument=0, allow=(AF_UNIX,)),
    Rule("socketpair", Why.NETWORK, errno.EAFNOSUPPORT, argument=0, allow=(AF_UNIX,)),
    Rule("ioctl", Why.TERMINAL, argument=1, refuse=(TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP)),
    # A frozen bot is one whose process group got SIGSTOP: nothing may leave the group, and nothing may send
    # SIGCONT: not a process, not a kernel timer, not a message queue, not the death of a parent.
    *_all(Why.FREEZE, "setsid setpgid timer_create mq_notify"),
    Rule("kill", Why.FREEZE, argument=1, refuse=(SIGCONT,)),
    Rule("tkill", Why.FREEZE, argument=1, refuse=(SIGCONT,)),
    Rule("tgkill", Why.FREEZE, argument=2, refuse=(SIGCONT,)),
    Rule("rt_sigqueueinfo", Why.FREEZE, argument=1, refuse=(SIGCONT,)),
    Rule("rt_tgsigqueueinfo", Why.FREEZE, argument=2, refuse=(SIGCONT,)),
    Rule("pidfd_send_signal", Why.FREEZE, argument=1, refuse=(SIGCONT,)),
    # Core scheduling would keep the neighbours off the sibling of the bot's core; filters: see above.
    Rule("prctl", Why.FREEZE, argument=0, refuse=(PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SCHED_CORE)),
    Rule("clone", Why.NAMESPACES, argument=0, any_bit=CLONE_NEW_ANY),
)

# RLIMIT_DATA counts private writable memory only, and the look at a tree's memory private pages only.
_MEMORY_RULES = (
    Rule(
        "mmap",
        Why.HIDDEN_MEMORY,
        argument=3,
        mask=MAP_SHARED | MAP_ANONYMOUS,
        allow=(0, MAP_SHARED, MAP_ANONYMOUS),
    ),
    Rule("mmap", Why.HIDDEN_MEMORY, errno.ENOMEM, argument=3, any_bit=MAP_GROWSDOWN | MAP_HUGETLB),
)

FORKING_RULES: tuple[Rule, ...] = (
    Rule("clone", Why.FREEZE, argument=0, mask=0xFF, allow=(0, SIGCHLD)),
    # Compilers lock files of their own; a build sits at no table where a lock could be a signal.
    Rule("fcntl", Why.FREEZE, argument=1, allow=FCNTL_ALLOWED + FCNTL_LOCKS),
    *_MEMORY_RULES,
)
"""For builds, which may start processes."""

THREADS_ONLY_RULES: tuple[Rule, ...] = (
    *_all(Why.ONE_PROCESS, "fork vfork"),
    # Threads share one table of open files, so that the limit on open files bounds what pipes hold.
    Rule(
        "clone",
        Why.ONE_PROCESS,
        argument=0,
        mask=CLONE_THREAD | CLONE_FILES | 0xFF,
        allow=(CLONE_THREAD | CLONE_FILES,),
    ),
    *_all(Why.COVERT, "flock"),
    Rule("fcntl", Why.FREEZE, argument=1, allow=FCNTL_ALLOWED),
    *_MEMORY_RULES,
)
"""For bots: one process with threads, bounded by RLIMIT_DATA."""


def lone_process_rules(pid: int) -> tuple[Rule, ...]:
    """What a bot without namespaces must not do on top: reach anything by a number, a socket or an owner.

    It shares numbers of processes with the host, and perhaps its user with the arena; Landlock keeps it from
    files but not from their attributes.
    """
    own = (pid,)
    return (
        Rule("socket", Why.NETWORK, errno.EAFNOSUPPORT),
        *_all(Why.NETWORK, "bind connect listen accept accept4"),
        # A pair of datagram sockets could send to any name.
        Rule(
            "socketpair",
            Why.NETWORK,
            errno.EPROTONOSUPPORT,
            argument=1,
            mask=SOCK_TYPE_MASK,
            allow=(SOCK_STREAM,),
        ),
        *(Rule(call, Why.OTHERS, argument=0, allow=own) for call in ("kill", "tgkill", "pidfd_open")),
        *(Rule(call, Why.OTHERS, argument=0, allow=own) for call in ("rt_sigqueueinfo", "rt_tgsigqueueinfo")),
        *_all(
            Why.OTHERS, "tkill pidfd_send_signal migrate_pages move_pages process_madvise process_mrelease"
        ),
        Rule("prlimit64", Why.OTHERS, argument=0, allow=(0, pid)),
        *_all(Why.OTHERS, "setpriority sched_setparam sched_setscheduler sched_setattr ioprio_set"),
        *_all(Why.OTHERS, "chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat"),
        *_all(Why.OTHERS, "utime utimes futimesat utimensat truncate ftruncate"),
        *_all(Why.OTHERS, "setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr"),
    )


_KILL_PROCESS = 0x8000_0000
_ALLOW = 0x7FFF_0000
_ERRNO = 0x0005_0000
_LOAD, _AND, _JEQ, _JGT, _JGE, _JSET, _RETURN = 0x20, 0x54, 0x15, 0x25, 0x35, 0x45, 0x06
_NUMBER_OFFSET, _ARCH_OFFSET, _ARGUMENT_OFFSET = 0, 4, 16

Instruction = tuple[int, int, int, int]
"""`struct sock_filter`: code, jump if true, jump if false, k."""


def _statement(code: int, k: int) -> Instruction:
    return (code, 0, 0, k)


def _condition(rule: Rule) -> Iterator[Instruction]:
    """Return the rule's error if its argument matches, else fall through. Clobbers the accumulator."""
    refusal = _statement(_RETURN, _ERRNO | rule.error)
    if rule.argument is None:
        yield refusal
        return
    # The kernel reads these arguments as 32-bit integers, so the low word is the whole truth.
    yield _statement(_LOAD, _ARGUMENT_OFFSET + 8 * rule.argument)
    if rule.any_bit:
        yield (_JSET, 0, 1, rule.any_bit)
        yield refusal
        return
    if rule.mask != 0xFFFF_FFFF:
        yield _statement(_AND, rule.mask)
    if rule.allow:
        for index, value in enumerate(rule.allow):
            yield (_JEQ, len(rule.allow) - index, 0, value)
        yield refusal
        return
    for value in rule.refuse:
        yield (_JEQ, 0, 1, value)
        yield refusal


def _program(machine: str, rules: Iterable[Rule]) -> Iterator[Instruction]:
    yield _statement(_LOAD, _ARCH_OFFSET)
    yield (_JEQ, 1, 0, AUDIT_ARCH[machine])
    yield _statement(_RETURN, _KILL_PROCESS)
    yield _statement(_LOAD, _NUMBER_OFFSET)
    if machine == "x86_64":
        yield (_JGE, 0, 1, X32_BIT)
        yield _statement(_RETURN, _KILL_PROCESS)
    yield (_JGT, 0, 1, LAST_KNOWN)
    yield _statement(_RETURN, _ERRNO | errno.ENOSYS)
    by_call: dict[str, list[Rule]] = {}
    for rule in rules:
        by_call.setdefault(rule.call, []).append(rule)
    for call, call_rules in by_call.items():
        number = NUMBERS[machine].get(call)
        if number is None:
            continue
        body = [instruction for rule in call_rules for instruction in _condition(rule)]
        if call_rules[-1].argument is not None:
            body.append(_statement(_RETURN, _ALLOW))
        yield (_JEQ, 0, len(body), number)
        yield from body
    yield _statement(_RETURN, _ALLOW)


def rules(*, forking: bool, lone_pid: int | None = None) -> tuple[Rule, ...]:
    """Every rule of the policy: for builds, which may fork; for bots; for a bot with this pid and no
    namespaces.
    """
    chosen = COMMON_RULES + (FORKING_RULES if forking else THREADS_ONLY_RULES)
    return chosen if lone_pid is None else chosen + lone_process_rules(lone_pid)


def filter_program(
    *, forking: bool = False, lone_pid: int | None = None, machine: str | None = None
) -> bytes:
    """The policy as an array of `struct sock_filter`, ready for `bwrap --seccomp`.

    Raises ValueError for a machine whose system call numbers are not known.
    """
    machine = machine or platform.machine()
    if machine not in NUMBERS:
        known = ", ".join(sorted(NUMBERS))
        raise ValueError(f"no system call table for {machine!r}; known are {known}")
    steps = _program(machine, rules(forking=forking, lone_pid=lone_pid))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
