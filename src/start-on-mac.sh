#!/bin/sh
# Starts the program of the MCP bundle on macOS with a Node of this machine. The one inside a host loads only native
# code that the host's own maker has signed, and the database binding is none of it. A host that starts from the Dock
# has a short PATH, so Node is also looked for where its installers put it.
is_enough='process.exit(parseInt(process.versions.node) >= 22 && process.versions.napi >= 10 ? 0 : 1)'
for node in "$(command -v node)" /opt/homebrew/bin/node /usr/local/bin/node /opt/local/bin/node \
  "$HOME"/.volta/bin/node "$HOME"/.local/share/mise/shims/node "$HOME"/.nvm/versions/node/*/bin/node \
  "$HOME"/.local/share/fnm/aliases/default/bin/node; do
  if [ -x "$node" ] && output=$("$node" -e "$is_enough" 2>&1); then
    exec "$node" "$(dirname "$0")/dist/start.js" "$@"
  fi
done
echo 'Expected Node 22.14 or newer on this Mac, found none; install it from https://nodejs.org, then start the host again.' >&2
exit 2
