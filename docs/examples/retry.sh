#!/usr/bin/env bash
# Runs a command up to three times while it fails for a reason that may pass:
#
#     docs/examples/retry.sh npm run snapshot -- publish --snapshot dist/snapshot --env production --remote
#
# Exit codes of the commands, and what is worth another try:
#
#     0    done                 nothing to do
#     1    refused or failed    if the code at the end of its error line is one of the list below
#     2    wrong usage          never: it would be wrong again
#     130  interrupted          never: whoever interrupted it meant it
#
# The last exit code is passed on; whoever interrupts a pause gets 130, and what is live is what the last
# try said. RETRY_WAIT is the number of seconds before the second try (60), of which the third
# waits twice as many.
set -u

is_worth_it() {
  case "$1" in
    # The network, or Cloudflare's API, for a while.
    api_unreachable | api_failed | api_rate_limited | bulk_incomplete) return 0 ;;
    # Storage showed something else than what was written: what is missing is uploaded again.
    read_back_failed | object_deleted) return 0 ;;
    # Somebody else published or pruned meanwhile: the next try compares anew.
    publish_conflict | publication_unsettled) return 0 ;;
    # The release is live by the log: the next try tells readers.
    pointer_behind) return 0 ;;
    *) return 1 ;;
  esac
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# What runs now, the command or the pause, and how many signals there were.
child=
signals=0
on_signal() {
  signals=$((signals + 1))
  [ -z "$child" ] || kill -TERM "$child" 2>/dev/null
}
trap on_signal INT TERM

# Runs a command to its end, and leaves its exit code in `status`. In the background, for bash heeds no
# signal before a command in the foreground has ended.
run() {
  "$@" &
  child=$!
  # One that came before the command was known.
  [ "$signals" -eq 0 ] || kill -TERM "$child" 2>/dev/null
  # A signal ends the wait and not the command, which is told to end and says what is live.
  local before
  while :; do
    before=$signals
    wait "$child"
    status=$?
    [ "$signals" -gt "$before" ] || break
  done
  child=
}

for try in 1 2 3; do
  # What it prints is seen at once, and kept until it is known how it ended.
  exec 3> >(
    trap '' INT TERM
    exec tee "$log" >&2
  )
  tee=$!
  run "$@" 2>&3
  ended=$status
  exec 3>&-
  while kill -0 "$tee" 2>/dev/null; do wait "$tee"; done

  [ "$ended" -eq 1 ] || exit "$ended"
  code=$(grep -oE '\[[a-z_]+\]$' "$log" | tail -n 1 | tr -d '[]')
  if [ "$try" -eq 3 ] || [ "$signals" -gt 0 ] || ! is_worth_it "$code"; then exit "$ended"; fi
  pause=$((${RETRY_WAIT:-60} * try))
  echo "$code may pass: trying again in $pause s" >&2
  run sleep "$pause"
  if [ "$signals" -gt 0 ]; then exit 130; fi
done
