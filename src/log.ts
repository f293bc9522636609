/** `scriptorium log`: who wrote what, and when. */
import { setTimeout as delay } from 'node:timers/promises'
import { jsonForTerminal, terminalRow } from './control-characters.ts'
import { readWrites, type Write } from './server/writes.ts'
import type { OpenSpace } from './space/open.ts'
import { OWN_LINK } from './space/space.ts'

const AT_ONCE = 500
/** Milliseconds between looks for what is new. */
const PAUSE = 250

interface Printing {
  json: boolean
  /** Whether to go on with what is written from now on. */
  follows: boolean
  /** Ends it between two lines. */
  signal: AbortSignal
}

export async function printLog(
  space: OpenSpace,
  { json, follows, signal }: Printing,
  print: (line: string) => void,
): Promise<void> {
  let after = 0
  while (!signal.aborted) {
    const { writes, last } = await space.read(OWN_LINK, (view) => readWrites(view, after, AT_ONCE))
    for (const write of writes) if (!signal.aborted) print(json ? jsonForTerminal(write) : line(write))
    after = last
    if (writes.length === AT_ONCE) continue
    if (!follows) return
    // Ended early it is no failure.
    await delay(PAUSE, undefined, { signal }).catch(() => {})
  }
}

const line = ({ at, link = 'here', author, client, endpoint, ids }: Write): string => {
  const [first = '', ...more] = ids
  const who = client === undefined ? author : `${author}, via ${client}`
  return terminalRow([at, link, who, endpoint, more.length > 0 ? `${first} and ${more.length} more` : first])
}
