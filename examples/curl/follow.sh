#!/bin/sh
# Prints what changes in the space until you stop it: a line of JSON for each answer, whose items are the changes. REST_URL
# is the REST address of a link.
#     scriptorium links add --space my-space.sqlite
set -eu

# Without a cursor, the answer holds the position to begin with.
cursor=$(curl -sS --fail-with-body "$REST_URL/changes" | sed -n 's/.*"cursor":"\([^"]*\)".*/\1/p')
echo listening
while :; do
  # The request waits up to 25 seconds for something to happen.
  page=$(curl -sS --fail-with-body "$REST_URL/changes?cursor=$cursor&wait=25")
  case $page in *'"items":[]'*) ;; *) echo "$page" ;; esac
  cursor=$(echo "$page" | sed -n 's/.*"cursor":"\([^"]*\)"[^{}]*}$/\1/p')
done
