#!/bin/sh
# Prints what changes in the space, a line of JSON per call, until it is stopped. REST_URL is the REST address of a link.
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
