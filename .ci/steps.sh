# What .ci/run and .ci/full share: how a step runs, and how the results are counted. Sourced by both.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
logs=build/ci
rm -rf "$logs"
mkdir -p "$logs"
steps=0

# step NAME COMMAND…: runs the command; its output goes to a log, whose end is shown if the command fails.
step() {
  steps=$((steps + 1))
  run_step "$steps" "$@"
}

# together NAME COMMAND…: as `step`, in the background once fewer than $LANES such commands run.
LANES=${LANES:-$(($(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) / 2))}
together() {
  steps=$((steps + 1))
  while [ "$(jobs -rp | wc -l)" -ge $((LANES < 1 ? 1 : LANES)) ]; do sleep 1; done
  run_step "$steps" "$@" &
}

run_step() {
  local log="$logs/$1.log" base="$logs/$1" name=$2 status took
  local TIMEFORMAT="%0R s, processor %0U s and %0S s of the system's"
  shift 2
  { time "$@" >"$log" 2>&1 </dev/null; } 2>"$base.time"
  status=$?
  took=$(cat "$base.time")
  echo "$status" >"$base.status"
  if [ "$status" -eq 0 ]; then
    echo "ok      $name ($took)"
  else
    echo "FAILED  $name ($took), $log ends:"
    tail -n 60 "$log"
  fi
}

# Every step counts once, and every test that a step reports counts too. The last line is alone on its line.
finish() {
  wait
  local passed=0 failed=0 number
  for ((number = 1; number <= steps; number++)); do
    if [ "$(cat "$logs/$number.status" 2>/dev/null)" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  done
  passed=$((passed + $(tests_that passed)))
  failed=$((failed + $(tests_that failed)))
  echo "$SECONDS s in all"
  echo
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}

# The sum of what the test runner's last lines say: "Tests  2 failed | 40 passed".
tests_that() {
  cat "$logs"/*.log 2>/dev/null | sed $'s/\x1b\\[[0-9;]*m//g' | grep -E '^ +Tests  ' |
    grep -oE "[0-9]+ $1" | awk '{ sum += $1 } END { print sum + 0 }'
}

tree_is_clean() { [ -z "$(git status --porcelain)" ] || { git status --porcelain; false; }; }

# The packed package, installed by somebody else.
packed() {
  rm -rf "$logs/consumer" && mkdir -p "$logs/consumer" && npm pack --pack-destination "$logs" || return 1
  npm install --prefix "$logs/consumer" --no-audit --no-fund "$logs"/veilgrid-*.tgz &&
    "$logs/consumer/node_modules/.bin/veilgrid" --version
}

# What a change must pass before it is merged: under fifteen minutes on a new machine.
quick_steps() {
  step "install and build" npm ci
  step "the command is there" npx veilgrid --help
  step "lint" npm run lint
  step "types" npm run types
  step "tests" npm "${TESTS[@]}"
  step "the package, packed and installed" packed
  step "demo" node scripts/demo.mjs
  step "releases killed in every step" node lab/kill-test.mjs
}
