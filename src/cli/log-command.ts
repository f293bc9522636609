/** `scriptorium log`: who wrote what, and when. */
import { setTimeout as delay } from 'node:timers/promises'
import { jsonForTerminal, terminalRow } from '../base/control-characters.ts'
import { type AuditEntry, listAuditEntries } from '../call/idempotency.ts'
import { OPERATOR_LINK } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'

const BATCH_SIZE = 500
/** Milliseconds between looks for what is new. */
const POLL_INTERVAL_MS = 250

interface LogOptions {
  json: boolean
  /** Whether to go on with what is written from now on. */
  follows: boolean
  /** Ends it between two lines. */
  signal: AbortSignal
}

export async function printLog(
  space: OpenSpace,
  { json, follows, signal }: LogOptions,
  print: (line: string) => void,
): Promise<void> {
  let after = 0
  while (!signal.aborted) {
    const { writes: entries, last } = await space.read(OPERATOR_LINK, (view) =>
      listAuditEntries(view, after, BATCH_SIZE),
    )
    for (const entry of entries) if (!signal.aborted) print(json ? jsonForTerminal(entry) : formatEntry(entry))
    after = last
    if (entries.length === BATCH_SIZE) continue
    if (!follows) return
    // Ended early it is no failure.
    await delay(POLL_INTERVAL_MS, undefined, { signal }).catch(() => {})
  }
}

const formatEntry = ({ at, link = 'here', author, client, endpoint, ids }: AuditEntry): string => {
  const [first = '', ...more] = ids
  const who = client === undefined ? author : `${author}, via ${client}`
  return terminalRow([at, link, who, endpoint, more.length > 0 ? `${first} and ${more.length} more` : first])
}
