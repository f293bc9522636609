/**
 * Nightly summary: writes into today's daily note what has changed since the last run, document by document.
 *
 *     0 22 * * *  REST_URL=… node nightly-summary.ts
 */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { call, today } from './rest.ts'

const { CURSOR_FILE = 'summary-cursor.txt' } = process.env

interface Change {
  type: string
  callId: string
  author: string
  summary: string
  documents: { documentId: string; title: string }[]
}

/** What has changed in documents since the cursor, without what this program wrote, and the cursor after it. */
async function changesSince(start: string): Promise<{ changes: Change[]; cursor: string }> {
  const changes: Change[] = []
  for (let cursor = start; ; ) {
    const path = `/changes?mine=false&limit=200&cursor=${cursor}`
    const page = await call<{ items: Change[]; cursor: string; hasMore: boolean }>(`GET ${path}`)
    changes.push(...page.items.filter(({ type, documents }) => type === 'call.committed' && documents.length > 0))
    cursor = page.cursor
    if (!page.hasMore) return { changes, cursor }
  }
}

/** A line per document, with links. Here a model would read the documents and write what matters in them. */
function summarize(changes: readonly Change[]): string {
  const byDocument = Map.groupBy(
    changes.flatMap((change) => change.documents.map((document) => ({ ...document, author: change.author }))),
    ({ documentId }) => documentId,
  )
  const lines = [...byDocument].map(([id, edits]) => {
    const authors = [...new Set(edits.map(({ author }) => author))].join(', ')
    const count = edits.length === 1 ? '1 change' : `${edits.length} changes`
    const title = edits.at(-1)?.title.replaceAll(/[[\]\\*_`]/g, '\\$&')
    return `- [${title}](block://${id}): ${count} by ${authors}`
  })
  return ['## What changed today', '', ...lines].join('\n')
}

const start = await readFile(CURSOR_FILE, 'utf8').catch(() => 'start')
const { changes, cursor } = await changesSince(start)
if (changes.length > 0) {
  const date = await today()
  // The key names the last change, so that a run that was cut off after this call, and is repeated, writes once.
  const key = `nightly ${changes.at(-1)?.callId}`
  await call('POST /blocks', { markdown: summarize(changes), position: { position: 'end', date } }, key)
}
// Beside the file first, so that it is never cut off.
await writeFile(`${CURSOR_FILE}.new`, cursor)
await rename(`${CURSOR_FILE}.new`, CURSOR_FILE)
console.log(`changes: ${changes.length}`)
