# shellcheck shell=bash
# Sourced by ./dev: runs the steps of a test run and sums them up. Needs $logs, a folder.

verbose=
step_names=()
declare -A step_result step_seconds

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
  if [[ $status -eq 0 ]]; then
    step_result[$name]=ok
  else
    step_result[$name]=FAILED
    printf -- '--- %s FAILED\n' "$name"
  fi
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
