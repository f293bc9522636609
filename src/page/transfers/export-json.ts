/**
 * Exports documents as JSON: each with its blocks as `GET /blocks` answers them, and beside them what those answers do not
 * hold: the elements of whiteboards, and the schemas and views of collections.
 */
import { type ExportChoice, listExported } from '../../space/export/list-documents.ts'
import type { JsonBlock } from '../../space/model/json-block.ts'
import { isSystemDocument } from '../../space/model/space.ts'
import type { PageCall } from '../page-call.ts'
import type { DocumentEntry } from '../page-tools.ts'
import type { PutText } from './page-transfers.ts'
import { withSnapshot } from './snapshot-call.ts'
import { readWholeDocument } from './whole-document.ts'

/** Documents whose places are read at once. */
const PER_READ = 100

/** What an export says of what is not in it. */
const NOT_INCLUDED = [
  'The bytes of files: the url of a block is the address of its file.',
  'Reminders, history, proposals, links and sign-ins, which scriptorium export --as json holds for the whole space.',
  'Documents in the trash.',
]

/**
 *     {"space":{"id":…,"name":…,"timezone":…},"exportedAt":…,"notIncluded":["…"],"documents":[
 *     {"id":…,"title":…,"location":…,"block":{…},"collections":[…],"whiteboards":[…]},…]}
 *
 * `collections` and `whiteboards` are what `schema_get`, `views_list` and `elements_list` answer for those in the document.
 *
 * @throws VALIDATION_ERROR if an ID is not that of a document or folder within reach
 */
export const writeBlockJson = (call: PageCall, choice: ExportChoice, put: PutText): Promise<void> =>
  withSnapshot(call, async (snapshot, view) => {
    const { id, name, timezone } = view.info
    const head = JSON.stringify({
      space: { id, name, timezone },
      exportedAt: new Date(view.now).toISOString(),
      notIncluded: NOT_INCLUDED,
    })
    await put(`${head.slice(0, -1)},"documents":[`)
    const records = await listExported(view, choice)
    for (let start = 0; start < records.length; start += PER_READ) {
      const part = records.slice(start, start + PER_READ)
      const listed = part.filter((record) => !isSystemDocument(record))
      const entries = await readEntries(
        snapshot,
        listed.map(({ id }) => view.spellId(id)),
      )
      for (const [index, record] of part.entries()) {
        const documentId = view.spellId(record.id)
        const about = JSON.stringify(entries.get(documentId) ?? { id: documentId })
        const block = await blockText(snapshot, documentId)
        const beside = JSON.stringify(await readBeside(snapshot, block))
        await put(`${start + index > 0 ? ',' : ''}\n${about.slice(0, -1)},"block":${block},${beside.slice(1)}`)
      }
    }
    await put('\n]}\n')
  })

/** Without parsing and writing it again, which takes long, unless the document is longer than one answer. */
async function blockText(snapshot: PageCall, id: string): Promise<string> {
  const text = await snapshot.readJson('blocks_get', { id, maxDepth: -1, fetchMetadata: true })
  // In a text, the second quote would be escaped.
  if (!text.includes('"pagination":{')) return text
  return JSON.stringify(await readWholeDocument(snapshot, { id, fetchMetadata: true }))
}

/** @param text  the blocks of a document */
async function readBeside(snapshot: PageCall, text: string) {
  const collections: object[] = []
  const whiteboards: object[] = []
  if (!/"type":"(?:collection|whiteboard)"/.test(text)) return { collections, whiteboards }
  const waiting: Pick<JsonBlock, 'id' | 'type' | 'content'>[] = [JSON.parse(text)]
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    const { id, type, content = [] } = block
    if (type === 'whiteboard') {
      whiteboards.push({ whiteboardBlockId: id, ...(await snapshot.run('elements_list', { whiteboardBlockId: id })) })
    }
    if (type === 'collection') {
      const schema = await snapshot.run('schema_get', { collectionId: id, format: 'schema' })
      collections.push({ schema, ...(await snapshot.run('views_list', { collectionId: id })) })
    }
    waiting.push(...content.toReversed())
  }
  return { collections, whiteboards }
}

/** The places of documents, where the reader can list them by ID. The inbox and the logbook are not listed. */
async function readEntries(snapshot: PageCall, documentIds: string[]): Promise<Map<string, DocumentEntry>> {
  if (snapshot.kind !== 'full' || documentIds.length === 0) return new Map()
  const { items } = await snapshot.run('documents_list', { documentIds, fetchMetadata: true, limit: PER_READ })
  return new Map(items.map((entry) => [entry.id, entry]))
}
