# shellcheck shell=sh disable=SC2154
# What scripts/demo, scripts/test and scripts/install-packages share. POSIX shell; sourced, after
# `root` is set to the top of the source tree.

# Each argument on a line of its own.
say() { printf '%s\n' "$@"; }
die() {
  printf '%s: ' "${0##*/}" >&2
  printf '%s\n' "$@" >&2
  exit 1
}

# Runs a command as root: directly where we are root, by sudo otherwise.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

# Prints the packages of scripts/packages.txt that are not installed, one a line, with their use.
missing_packages() {
  grep -v '^#' "$root/scripts/packages.txt" | while read -r package purpose; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || status=absent
    [ "$status" = installed ] || printf '%-23s %s\n' "$package" "$purpose"
  done
}

# install_packages yes|no: installs what is missing, or with `no` only names it and stops.
install_packages() {
  if ! command -v dpkg-query >/dev/null 2>&1; then
    [ "$1" = no ] || die "this is not a Debian system, so nothing can be installed for you." \
      "Install what scripts/packages.txt lists, then use --no-install."
    return 0
  fi
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  names=$(printf '%s\n' "$missing" | awk '{printf "%s%s", sep, $1; sep = " "}')
  say "Debian packages that scree needs and that are not installed:"
  printf '%s\n' "$missing" | sed 's/^/  /'
  install="apt-get install --no-install-recommends $names"
  [ "$1" = yes ] || die "--no-install was given; to install them (as root):" "$install"
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
    die "installing needs root, and there is no sudo here; as root, run:" \
      "apt-get update && $install"
  fi
  say "Installing them with apt-get$([ "$(id -u)" -eq 0 ] || say " (sudo may ask for your password)")."
  as_root apt-get update -q || die "apt-get update failed: see its message above"
  # The names hold no blanks: they are meant to be split.
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $names ||
    die "apt-get install failed: see its message above"
}

# Compilers to run at once: one a core, but no more than memory holds (1.5 GB each).
build_jobs() {
  cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null) || cores=1
  memory=$(awk '/^MemAvailable:/ {print int($2 / 1572864)}' /proc/meminfo 2>/dev/null)
  jobs=$cores
  [ -z "$memory" ] || [ "$memory" -ge "$jobs" ] || jobs=$memory
  [ "$jobs" -ge 1 ] || jobs=1
  say "$jobs"
}

# build FOLDER TARGET [cmake options]: configures (when needed) and builds.
build() {
  folder=$1
  target=$2
  shift 2
  say "Configuring and building in $folder"
  cmake -S "$root" -B "$folder" -G Ninja "$@" || die "cmake failed: see its message above"
  cmake --build "$folder" --target "$target" --parallel "$(build_jobs)" ||
    die "the build failed: see the compiler's message above"
}

# Open MPI starts neither for root nor with more ranks than cores unless told to: a container or a
# small machine needs both. Only scripts that drive scree for you set this.
permit_small_machines() {
  if [ "$(id -u)" -eq 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    say "Running as root: Open MPI is told to accept it (OMPI_ALLOW_RUN_AS_ROOT)."
  fi
  cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null) || cores=1
  if [ "$cores" -lt "$1" ]; then
    export OMPI_MCA_rmaps_base_oversubscribe=1
    say "$cores core for $1 ranks: Open MPI is told to share it (rmaps_base_oversubscribe); slow."
  fi
}
