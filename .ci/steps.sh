# What run and full share: the environment, a clean checkout to work in, and steps that are timed. To be sourced.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0
# A folder of its own: cargo takes units of a checkout and of the repository for each other's.
CARGO_TARGET_DIR=$(realpath -m "${CARGO_TARGET_DIR:-target/ci}")
export CARGO_TARGET_DIR
# Without line tables a test program takes a third of the disk.
export CARGO_PROFILE_DEV_DEBUG=0
[ -d ../shared ] && export SKELOBJ_SHARED="${SKELOBJ_SHARED:-$(cd ../shared && pwd)}"

# All steps work in one checkout at one path, so that none compiles what another has compiled.
checkout="$CARGO_TARGET_DIR/checkout/skelobj"
took=() failed=() left_out=()

# Prints the seconds of the processor that all finished steps of a shell have taken.
processor() {
    local stat
    read -ra stat <"/proc/$1/stat"
    echo $(((stat[15] + stat[16]) / $(getconf CLK_TCK)))
}

# Runs a command and notes what it takes. With LOG, its output goes to that file, and to the screen only on failure.
step() {
    local start=$SECONDS shell=$BASHPID before status=0
    before=$(processor "$shell")
    echo "== $* ($(date +%T))"
    if [ -n "${LOG:-}" ]; then
        "$@" >>"$LOG" 2>&1 || { status=$?; cat "$LOG"; }
    else
        "$@" || status=$?
    fi
    took+=("$(printf '%6d %10d  %s' $((SECONDS - start)) $(($(processor "$shell") - before)) "$*")")
    [ $status -eq 0 ] || failed+=("$*")
    return $status
}

# Runs a command, or a function of steps, in the background: many steps keep only one core busy. Its files must not be
# those of the steps that follow. `join` waits for it.
beside() {
    lane=$(mktemp -d)
    # In a process group of its own, which can be ended as a whole.
    set -m
    (
        took=() failed=()
        trap 'printf "%s\n" "${took[@]}" >"$lane/took"; printf "%s\n" "${failed[@]:-$*}" >"$lane/failed"' EXIT
        "$@"
    ) >"$lane/out" 2>&1 &
    set +m
    lane_shell=$!
}

# Waits for what runs in the background, prints what it has printed, and adds its steps to the table.
join() {
    local status=0 steps broken
    wait "$lane_shell" || status=$?
    lane_shell=
    cat "$lane/out"
    mapfile -t steps <"$lane/took"
    took+=("${steps[@]}")
    mapfile -t broken <"$lane/failed"
    [ $status -eq 0 ] || failed+=("${broken[@]}")
    rm -r "$lane"
    return $status
}

# Ends what runs in the background, and prints what it has printed.
abandon() {
    [ -n "${lane_shell:-}" ] || return 0
    kill -- -"$lane_shell" 2>/dev/null || true
    wait "$lane_shell" 2>/dev/null || true
    cat "$lane/out"
    rm -rf "$lane"
}

# Installs a toolchain or target with rustup, or notes the check that is left out because the machine cannot have it.
obtain() {
    local check=$1
    shift
    echo "== $*"
    "$@" && return
    left_out+=("$check: \`$*\` failed")
    return 1
}

# Installs what the steps call, where it is missing.
install() {
    local missing=()
    command -v cc >/dev/null || missing+=(build-essential)
    command -v git >/dev/null || missing+=(git)
    command -v fteqcc >/dev/null || missing+=(fteqcc)
    command -v make >/dev/null || missing+=(make)
    command -v valgrind >/dev/null || missing+=(valgrind)
    command -v cmake >/dev/null || missing+=(cmake)
    command -v pkg-config >/dev/null || missing+=(pkg-config)
    command -v node >/dev/null || missing+=(nodejs)
    command -v npm >/dev/null || missing+=(npm)
    command -v python3 >/dev/null || missing+=(python3)
    command -v chromium >/dev/null || missing+=(chromium)
    if [ ${#missing[@]} -gt 0 ]; then
        step apt-get update -qq
        step apt-get install -y -qq "${missing[@]}"
    fi
    rustup component list --installed 2>/dev/null | grep -q clippy || rustup component add clippy rustfmt || true
}

# Makes the checkout equal to the commit at hand with the uncommitted changes of its files, and nothing else.
check_out() {
    local commit added
    added=$(git ls-files --others --exclude-standard)
    [ -z "$added" ] || printf 'not checked, as git does not know it: %s\n' $added
    commit=$(git stash create) && commit=${commit:-$(git rev-parse HEAD)} &&
        git init -q "$checkout" &&
        git -C "$checkout" fetch -q --depth 1 "$root" "$commit" &&
        git -C "$checkout" checkout -qf FETCH_HEAD &&
        git -C "$checkout" clean -ffdxq
}

# Prints what the steps took, which checks were left out, and which failed. For a trap on EXIT.
report() {
    abandon
    echo "== seconds, and seconds of the processor"
    printf '%s\n' "${took[@]}" | sort -rn
    echo "== $SECONDS s in all, $(processor $$) s of the processor"
    echo "== left out"
    printf '%s\n' "${left_out[@]:-nothing}"
    [ ${#failed[@]} -eq 0 ] || printf 'FAILED: %s\n' "${failed[@]}"
}
