#!/bin/sh
# Writes into today's daily note, reads it back, and searches. REST_URL is the REST address of a link:
#     scriptorium links add --space my-space.sqlite
set -eu

# Blocks are added from Markdown. Today's note is created if it does not exist yet.
curl -sS --fail-with-body "$REST_URL/blocks" -H 'Content-Type: application/json' -d '{
  "markdown": "## Standup\n\n- [x] Parser merged\n- [ ] Write release notes",
  "position": { "position": "end", "date": "today" }
}' > /dev/null

# With this Accept header, the answers are Markdown; otherwise they are JSON.
printf 'Note:\n'
curl -sS --fail-with-body "$REST_URL/blocks?date=today" -H 'Accept: text/markdown'
printf '\n\nTasks:\n'
curl -sS --fail-with-body "$REST_URL/tasks?scope=all" -H 'Accept: text/markdown'
printf '\n\nFound:\n'
curl -sS --fail-with-body -G "$REST_URL/documents/search" --data-urlencode 'include=release notes' \
  -H 'Accept: text/markdown'
printf '\n'
