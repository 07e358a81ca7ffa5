#!/bin/sh
# Runs workerd, the process behind local storage, so that it lives exactly as long as who started it.
#
# A terminal sends Ctrl-C to every process of the command: workerd ignores it, for the command needs
# its storage to tidy up. And it ends soon after the command was killed (-9), which cannot end it.
#
# STORE_DIRECTORY_WORKERD names the real program. The process id stays what the starter knows.
trap '' INT HUP
starter=$PPID
(
  while kill -0 "$starter" && kill -0 "$$"; do sleep 1; done
  kill -KILL "$$"
) </dev/null >/dev/null 2>&1 3>&- &
exec "$STORE_DIRECTORY_WORKERD" "$@"
