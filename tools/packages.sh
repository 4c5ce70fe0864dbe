# shellcheck shell=bash
# Sourced by ./dev: installing what is missing, by package name. Nothing here knows a registry; the
# machine does.

# need PACKAGE...: installs those that are missing, and does not even ask the network otherwise.
need() {
  if ! command -v dpkg-query >/dev/null; then
    say "This is not Debian; the tools and libraries of these packages must be there: $*"
    return
  fi
  local installed missing=() package
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for package in "$@"; do
    grep -qxF "installed $package" <<<"$installed" || missing+=("$package")
  done
  [[ ${#missing[@]} -gt 0 ]] || return 0
  local as_root=()
  if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null || die "these packages are missing, and there is no sudo: ${missing[*]}"
    as_root=(sudo)
  fi
  say "Installing ${missing[*]}"
  mkdir -p "$logs"
  # An update that fails for one source may still have brought what is needed.
  {
    "${as_root[@]}" apt-get update -qq || true
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=120 "${missing[@]}"
  } >"$logs/apt.log" 2>&1 || {
    cat "$logs/apt.log" >&2
    die "apt-get could not install ${missing[*]}"
  }
}

# need_command COMMAND PACKAGE...: installs the packages unless the command is there, whoever put it.
need_command() {
  command -v "$1" >/dev/null || need "${@:2}"
}

# need_npm FOLDER: installs what FOLDER/package-lock.json says, once for each state of it.
need_npm() {
  need_command node nodejs
  need_command npm npm
  [[ $1/node_modules/.package-lock.json -nt $1/package-lock.json ]] && return
  say "Installing the npm packages of $1"
  (cd "$1" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
}

# need_npm_package NAME@VERSION: installs it in build/npm, for what is no part of a suite.
need_npm_package() {
  need_command node nodejs
  need_command npm npm
  local mark=build/npm/.${1//\//-}
  [[ ! -f $mark ]] || return 0
  say "Installing $1"
  mkdir -p build/npm
  npm install --prefix build/npm --ignore-scripts --no-audit --no-fund --no-package-lock \
    --loglevel=error "$1" && touch "$mark"
}

# Sets `python` to an interpreter that knows boto3 and pytest.
need_boto3() {
  need_command python3 python3
  python=python3
  if ! python3 -c 'import boto3, pytest' 2>/dev/null; then
    need python3-boto3 python3-pytest
    python=/usr/bin/python3
  fi
}
