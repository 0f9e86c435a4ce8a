#!/usr/bin/env bash
# Makes a bare Debian or Ubuntu machine ready: system packages, then .venv from a hash-locked file.
#
#   tools/bootstrap.sh up     what `make up` needs: the sandbox and the site
#   tools/bootstrap.sh dev    the same and every tool of the test suite, PostgreSQL, Redis and Chromium
#
# Installs system packages as root or through sudo; where it may do neither it says what to install.
# Does nothing, in well under a second, when everything is there already.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=${1:-up}
case $mode in
  up) lock=requirements/server.lock ;;
  dev) lock=requirements/dev.lock ;;
  *) echo "bootstrap: unknown mode '$mode'; it is 'up' or 'dev'" >&2; exit 2 ;;
esac

say() { printf 'bootstrap: %s\n' "$*"; }
fail() { printf 'bootstrap: %s\n' "$*" >&2; exit 1; }

find_python() {
  local candidate
  for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11; do
    if command -v "$candidate" >/dev/null 2>&1 &&
       "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
}

missing_packages() {
  command -v bwrap >/dev/null 2>&1 || echo bubblewrap
  command -v prlimit >/dev/null 2>&1 || echo util-linux
  if [ -z "$(find_python)" ]; then
    echo python3 python3-venv
  elif ! "$(find_python)" -c 'import venv, ensurepip' >/dev/null 2>&1; then
    echo python3-venv
  fi
  if [ "$mode" = dev ]; then
    command -v git >/dev/null 2>&1 || echo git
    command -v curl >/dev/null 2>&1 || echo curl
    compgen -G '/usr/include/*/asm/unistd_64.h' >/dev/null || echo linux-libc-dev
    command -v redis-server >/dev/null 2>&1 || echo redis-server
    compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || echo postgresql
    command -v chromium >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1 || echo chromium
    command -v node >/dev/null 2>&1 || echo nodejs
    command -v msgfmt >/dev/null 2>&1 || echo gettext
    command -v valgrind >/dev/null 2>&1 || echo valgrind
    command -v "${CC:-cc}" >/dev/null 2>&1 || echo gcc libc6-dev
  fi
}

install_packages() {
  local packages=("$@") runner=()
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
      runner=(sudo -n)
    else
      fail "these system packages are missing and I may not install them: ${packages[*]}
  Ask an administrator to run:  apt-get install ${packages[*]}
  (or run this command again as root)"
    fi
  fi
  command -v apt-get >/dev/null 2>&1 || fail "these packages are missing and there is no apt-get here: ${packages[*]}"
  say "installing system packages: ${packages[*]}"
  "${runner[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
  "${runner[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
}

mapfile -t packages < <(missing_packages | tr ' ' '\n' | sort -u)
[ "${#packages[@]}" -eq 0 ] || install_packages "${packages[@]}"

python=$(find_python)
[ -n "$python" ] || fail "no Python >= 3.11 found (set PYTHON=/path/to/python3.11 to name one)"

# The dev environment holds everything that `up` needs, so it also satisfies `up`.
want=$(sha256sum "$lock" requirements/build.lock requirements/runtime.lock pyproject.toml | sha256sum | cut -d' ' -f1)
stamp=.venv/.installed-$mode
install_libraries() { # what Python bots may import, beside the sandbox's other runtime folders
  .venv/bin/python -m arena.libraries list >/dev/null 2>&1 && [ "${1:-}" != again ] ||
    .venv/bin/python -m arena.libraries install requirements/runtime.lock >/dev/null
}

if [ -x .venv/bin/python ] && [ "$(cat "$stamp" 2>/dev/null)" = "$want" ]; then
  install_libraries
  # The engine is compiled again when its sources changed; otherwise this takes a tenth of a second.
  exec .venv/bin/python hatch_build.py
fi
if [ "$mode" = up ] && [ -x .venv/bin/python ] && [ -f .venv/.installed-dev ]; then
  exec "$0" dev
fi

if [ "$mode" = dev ] && ! command -v chromium-headless-shell >/dev/null 2>&1; then # Ubuntu has none
  (install_packages chromium-headless-shell) 2>/dev/null ||
    say "without chromium-headless-shell: tests with a browser take three times the CPU time"
fi

say "making .venv from $lock with $("$python" --version)"
[ -x .venv/bin/python ] || "$python" -m venv .venv
export PIP_DISABLE_PIP_VERSION_CHECK=1
.venv/bin/python -m pip install -q --require-hashes -r requirements/build.lock -r "$lock"
.venv/bin/python hatch_build.py
.venv/bin/python -m pip install -q --no-deps --no-build-isolation -e .
install_libraries again
printf '%s\n' "$want" > "$stamp"
say "ready"
