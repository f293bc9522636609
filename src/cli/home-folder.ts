/** Paths that begin with `~/`, as shells write them: a shell leaves them alone in `--space=~/notes.sqlite`. */
import { homedir } from 'node:os'
import { join } from 'node:path'

export const expandHome = (path: string): string =>
  path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path
