#!/usr/bin/env bash
# Installs what the package index cannot give: a C++ compiler, Python with its headers and venv and,
# for the tests, a terminal and a browser to drive and a cache of what was compiled; for the long ones a proxy and
# what checks units of systemd. Only what is missing, only with apt-get, only where allowed. Who wants to play is
# asked first, and told the command where nobody can answer.
#
#   tools/system_packages.sh play|test|soak
set -euo pipefail

python=${PYTHON:-python3}
missing=()

command -v c++ >/dev/null || missing+=(g++)
if command -v "$python" >/dev/null; then
    "$python" -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
    "$python" -c 'import os, sysconfig
raise SystemExit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' ||
        missing+=(python3-dev)
else
    missing+=(python3 python3-venv python3-dev)
fi
if [[ ${1:-play} == test ]]; then
    command -v ccache >/dev/null || missing+=(ccache)
    command -v tmux >/dev/null || missing+=(tmux)
    command -v chromium-headless-shell >/dev/null || missing+=(chromium-headless-shell)
    command -v node >/dev/null || missing+=(nodejs)
    command -v npm >/dev/null || missing+=(npm)
fi

if [[ ${1:-play} == soak ]]; then
    command -v nginx >/dev/null || missing+=(nginx-light)
    command -v systemd-analyze >/dev/null || missing+=(systemd)
fi

((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
    as_root=(sudo -n)
fi
if ! command -v apt-get >/dev/null || ! "${as_root[@]}" true 2>/dev/null; then
    echo "Please install: ${missing[*]} (or what your system calls them), then try again." >&2
    exit 1
fi
if [[ ${1:-play} == play ]]; then
    command="${as_root[*]:+sudo }apt-get install --no-install-recommends ${missing[*]}"
    if [[ -t 0 ]]; then
        read -r -p "Sheshbesh needs system packages: ${missing[*]}. Install them? (y or n) " answer
        [[ $answer == [yY]* ]] || { echo "Then install them yourself: $command" >&2; exit 1; }
    else
        echo "Sheshbesh needs system packages. Please install them, then try again: $command" >&2
        exit 1
    fi
fi
echo "Installing system packages: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq </dev/null
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null >/dev/null
