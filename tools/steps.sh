# shellcheck shell=bash
# Sourced by ./dev: runs the steps of a test run and sums them up. Needs $logs, a folder, and $jobs, how
# many cores there are.

# Tests wait for other processes, clocks and disks a good part of their time: with one more at once than
# there are cores, none of these stands idle.
lanes=$((jobs + 1))

verbose=
step_names=()
declare -A step_result step_seconds

# ended NAME STATUS: remembers how a step ended, and says so if it failed.
ended() {
  if [[ $2 -eq 0 ]]; then
    step_result[$1]=ok
  else
    step_result[$1]=FAILED
    printf -- '--- %s FAILED\n' "$1"
  fi
}

# step NAME COMMAND...: runs the command and remembers how it ended. What it says goes to build/logs
# and is shown when it fails, or always with --verbose or when the name ends in "tests". Its lines that
# begin with "... " say how far it is and are always shown.
step() {
  local name=$1 log=$logs/${1// /-}.log start=$SECONDS status
  shift
  mkdir -p "$logs"
  step_names+=("$name")
  printf -- '--- %s\n' "$name"
  set +e # Inside, -e must hold; in a condition bash would switch it off.
  if [[ -n $verbose || $name == *tests ]]; then
    (set -e; "$@") 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
  else
    (set -e; "$@") 2>&1 | tee "$log" | sed -un '/^\.\.\. /p'
    status=${PIPESTATUS[0]}
    [[ $status -eq 0 ]] || cat "$log"
  fi
  set -e
  step_seconds[$name]=$((SECONDS - start))
  ended "$name" "$status"
}

# begin NAME COMMAND...: a step that runs beside those that follow, until `join NAME` waits for its end.
# What it says is shown when it fails.
declare -A beside_pid beside_begun
begin() {
  local name=$1
  shift
  mkdir -p "$logs"
  printf -- '--- %s (beside others)\n' "$name"
  step_names+=("$name")
  beside_begun[$name]=$SECONDS
  (set -e; "$@") >"$logs/${name// /-}.log" 2>&1 &
  beside_pid[$name]=$!
}

join() {
  local name=$1 status=0
  wait "${beside_pid[$name]}" || status=$?
  step_seconds[$name]=$((SECONDS - beside_begun[$name]))
  [[ $status -eq 0 ]] || cat "$logs/${name// /-}.log"
  ended "$name" "$status"
}

# together NAME COMMAND [NAME COMMAND...]: steps that do not need each other, as many at a time as there
# are lanes and in this order; each COMMAND is one word. What one says is shown when it has ended.
together() {
  local -A begun=()
  local running=0 name status endings
  mkdir -p "$logs"
  # Each tells its end here: bash forgets children that end while it looks elsewhere.
  rm -f "$logs/endings"
  mkfifo "$logs/endings"
  exec {endings}<>"$logs/endings"
  rm "$logs/endings"
  while [[ $# -gt 0 || $running -gt 0 ]]; do
    while [[ $# -gt 0 && $running -lt $lanes ]]; do
      step_names+=("$1")
      begun[$1]=$SECONDS
      running=$((running + 1))
      printf -- '--- %s (beside others)\n' "$1"
      {
        set +e # As in step.
        (exec {endings}>&-; set -e; "$2") >"$logs/${1// /-}.log" 2>&1
        printf '%s %s\n' "$?" "$1" >&"$endings"
      } &
      shift 2
    done
    read -r -u "$endings" status name
    running=$((running - 1))
    step_seconds[$name]=$((SECONDS - begun[$name]))
    printf -- '--- %s\n' "$name"
    if [[ -n $verbose || $name == *tests || $status -ne 0 ]]; then
      cat "$logs/${name// /-}.log"
    fi
    ended "$name" "$status"
  done
  exec {endings}>&-
}

passed() { [[ ${step_result[$1]:-} == ok ]]; }

# Prints how the steps ended, with ctest's own last words and the tests that were skipped, and fails
# when one of them failed.
summary() {
  local name failed=() log ran=()
  printf '\n'
  for name in "${step_names[@]}"; do
    printf '  %-7s %-18s %4d s\n' "${step_result[$name]}" "$name" "${step_seconds[$name]}"
    passed "$name" || failed+=("$name")
  done
  for name in "${step_names[@]}"; do
    log=$logs/${name// /-}.log
    [[ $name == *tests ]] || continue
    grep -h 'tests passed' "$log" | sed "s/^/$name: /" || true
    ran+=("$log" "build/${name% tests}/Testing/Temporary/LastTest.log")
  done
  python3 tools/skipped_tests.py "${ran[@]}"
  if [[ ${#failed[@]} -gt 0 ]]; then
    (IFS=, && printf 'FAILED: %s\n' "${failed[*]}")
    return 1
  fi
  say "All steps passed in $SECONDS s."
}
