#!/bin/sh
# Writes into today's daily note, reads it back, and searches. REST_URL is the REST address of a link:
#     scriptorium links add --space my-space.sqlite
set -eu

# Blocks are added from Markdown. The note is made if there is none.
curl -sS --fail-with-body "$REST_URL/blocks" -H 'Content-Type: application/json' -d '{
  "markdown": "## Standup\n\n- [x] Parser merged\n- [ ] Write release notes",
  "position": { "position": "end", "date": "today" }
}' > /dev/null

# Text comes back as Markdown if that is what is accepted, and as JSON otherwise.
curl -sS --fail-with-body "$REST_URL/blocks?date=today" -H 'Accept: text/markdown'
curl -sS --fail-with-body "$REST_URL/tasks?scope=all" -H 'Accept: text/markdown'
curl -sS --fail-with-body -G "$REST_URL/documents/search" --data-urlencode 'include=release notes' \
  -H 'Accept: text/markdown'
