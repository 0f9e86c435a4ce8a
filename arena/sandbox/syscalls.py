"""System call numbers the seccomp policy speaks of, for x86-64 and 64-bit ARM.

Source: Linux `arch/x86/entry/syscalls/syscall_64.tbl` and `include/uapi/asm-generic/unistd.h`; `-` marks a
call the architecture does not have. A test compares the table with the headers of the machine it runs on.
"""

from collections.abc import Mapping
from types import MappingProxyType

AUDIT_ARCH: Mapping[str, int] = MappingProxyType({"x86_64": 0xC000003E, "aarch64": 0xC00000B7})
"""`AUDIT_ARCH_*` by `os.uname().machine`: the machines the policy can be written for."""

X32_BIT = 0x4000_0000
"""x86-64 only: a number with this bit asks for the x32 ABI, which would bypass a list of plain numbers."""

LAST_KNOWN = 462
"""`mseal`: numbers above it were unknown when the policy was written and answer ENOSYS."""

_TABLE = """
accept                    43  202
accept4                  288  242
acct                     163   89
add_key                  248  217
adjtimex                 159  171
bind                      49  200
bpf                      321  280
cachestat                451  451
chmod                     90    -
chown                     92    -
chroot                   161   51
clock_adjtime            305  266
clock_settime            227  112
clone                     56  220
clone3                   435  435
connect                   42  203
delete_module            176  106
fadvise64                221  223
fanotify_init            300  262
fanotify_mark            301  263
fchmod                    91   52
fchmodat                 268   53
fchmodat2                452  452
fchown                    93   55
fchownat                 260   54
fcntl                     72   25
finit_module             313  273
flock                     73   32
fork                      57    -
fremovexattr             199   16
fsconfig                 431  431
fsetxattr                190    7
fsmount                  432  432
fsopen                   430  430
fspick                   433  433
ftruncate                 77   46
futimesat                261    -
init_module              175  105
inotify_add_watch        254   27
inotify_init             253    -
inotify_init1            294   26
io_cancel                210    3
io_destroy               207    1
io_getevents             208    4
io_pgetevents            333  292
io_setup                 206    0
io_submit                209    2
io_uring_enter           426  426
io_uring_register        427  427
io_uring_setup           425  425
ioctl                     16   29
ioperm                   173    -
iopl                     172    -
ioprio_set               251   30
kcmp                     312  272
kexec_file_load          320  294
kexec_load               246  104
keyctl                   250  219
kill                      62  129
landlock_add_rule        445  445
landlock_create_ruleset  444  444
landlock_restrict_self   446  446
lchown                    94    -
listen                    50  201
lookup_dcookie           212   18
lremovexattr             198   15
lsetxattr                189    6
map_shadow_stack         453  453
memfd_create             319  279
memfd_secret             447  447
migrate_pages            256  238
mmap                       9  222
modify_ldt               154    -
mount                    165   40
mount_setattr            442  442
move_mount               429  429
move_pages               279  239
mq_getsetattr            245  185
mq_notify                244  184
mq_open                  240  180
mq_timedreceive          243  183
mq_timedsend             242  182
mq_unlink                241  181
msgctl                    71  187
msgget                    68  186
msgrcv                    70  188
msgsnd                    69  189
name_to_handle_at        303  264
open_by_handle_at        304  265
open_tree                428  428
perf_event_open          298  241
personality              135   92
pidfd_getfd              438  438
pidfd_open               434  434
pidfd_send_signal        424  424
pivot_root               155   41
prctl                    157  167
prlimit64                302  261
process_madvise          440  440
process_mrelease         448  448
process_vm_readv         310  270
process_vm_writev        311  271
ptrace                   101  117
quotactl                 179   60
quotactl_fd              443  443
reboot                   169  142
remap_file_pages         216  234
removexattr              197   14
request_key              249  218
rt_sigqueueinfo          129  138
rt_tgsigqueueinfo        297  240
sched_setaffinity        203  122
sched_setattr            314  274
sched_setparam           142  118
sched_setscheduler       144  119
seccomp                  317  277
semctl                    66  191
semget                    64  190
semop                     65  193
semtimedop               220  192
setdomainname            171  162
sethostname              170  161
setns                    308  268
setpgid                  109  154
setpriority              141  140
setsid                   112  157
settimeofday             164  170
setxattr                 188    5
shmat                     30  196
shmctl                    31  195
shmdt                     67  197
shmget                    29  194
socket                    41  198
socketpair                53  199
swapoff                  168  225
swapon                   167  224
sync                     162   81
syncfs                   306  267
syslog                   103  116
tgkill                   234  131
timer_create             222  107
tkill                    200  130
truncate                  76   45
umount2                  166   39
unshare                  272   97
userfaultfd              323  282
utime                    132    -
utimensat                280   88
utimes                   235    -
vfork                     58    -
vhangup                  153   58
vmsplice                 278   75
"""


def _column(index: int) -> Mapping[str, int]:
    rows = (line.split() for line in _TABLE.strip().splitlines())
    return MappingProxyType({row[0]: int(row[index]) for row in rows if row[index] != "-"})


NUMBERS: Mapping[str, Mapping[str, int]] = MappingProxyType({"x86_64": _column(1), "aarch64": _column(2)})
"""Name to number, by machine."""
