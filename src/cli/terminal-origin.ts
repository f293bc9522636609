/** Who runs the program, and on which machine: where administration on the command line comes from. */
import { hostname, userInfo } from 'node:os'

export function terminalOrigin(): string {
  return `${userName()}@${hostname()}`
}

/** A user of a container may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? '?'}`
  }
}
