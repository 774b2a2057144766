# Sourced by ./run, ./check and .ci/run from the repository root: installs what is missing, configures, builds.

# install_packages [build]: installs the packages of .ci/packages.txt that are missing (as root, else with sudo): all, or what
# a build needs, which is a third of a gigabyte less.
install_packages() {
  local wanted missing=()
  wanted=$(awk -v only="${1:-}" '/^# to / { section = $3 } !/^#/ && (only == "" || section == only)' .ci/packages.txt)
  for package in $wanted; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "error: missing packages (${missing[*]}) need root or sudo to install" >&2; return 2; }
    as_root=(sudo)
  fi
  echo "installing: ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# configure PRESET: build/PRESET, with Ninja where it is found.
configure() {
  local generator=()
  if [ ! -f "build/$1/CMakeCache.txt" ] && command -v ninja >/dev/null; then generator=(-G Ninja); fi
  cmake --preset "$1" "${generator[@]}" "${@:2}" >"build-$1.log" 2>&1 || { cat "build-$1.log"; rm -f "build-$1.log"; return 1; }
  rm -f "build-$1.log"
}

# build PRESET [TARGET...]
build() {
  local targets=()
  [ $# -gt 1 ] && targets=(--target "${@:2}")
  cmake --build "build/$1" --parallel "$(nproc)" "${targets[@]}"
}

# section NAME: a heading; and what the section before took, which `took` prints again for all.
section() {
  end_section
  printf '\n== %s\n' "$1"
  section_name=$1
  section_start=$SECONDS
}
section_name=
section_start=0
section_times=()
end_section() {
  [ -n "$section_name" ] || return 0
  section_times+=("$(printf '%6d s  %s' $((SECONDS - section_start)) "$section_name")")
  printf -- '-- %d s\n' $((SECONDS - section_start))
  section_name=
}
took() {
  end_section
  printf '\n== took\n'
  printf '%s\n' "${section_times[@]}" "$(printf '%6d s  all' "$SECONDS")"
}
