/** Everything in a space: every reading tool over all of its content, and what the command line lists. */

import { createHash } from 'node:crypto'
import { listAccessLinkInfos } from '../../src/auth/access-links/access-links.ts'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { runCall } from '../../src/call/run.ts'
import { listAuditEntries } from '../../src/space/model/audit-log.ts'
import { type ConnectionKind, OPERATOR_LINK } from '../../src/space/model/space.ts'
import type { OpenSpace } from '../../src/space/open-space.ts'
import { listParticipants } from '../../src/space/participants/participants.ts'
import { readFileResource } from '../../src/space/resources/resource-content.ts'
import {
  listDocumentResources,
  listFileResources,
  listWhiteboardResources,
} from '../../src/space/resources/resource-list.ts'
import { endpoints } from '../../tools/index.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a tool answers is kept as it is
type Answer = any

/** One request and its response. */
export interface Reading {
  asked: string
  answer: Answer
}

/** Opaque values that callers only return: they may change without a change of meaning. */
const OPAQUE = new Set(['revision', 'nextCursor', 'cursor'])

const withoutOpaque = (answer: Answer): Answer =>
  JSON.parse(JSON.stringify(answer, (key, value) => (OPAQUE.has(key) && value !== null ? 'opaque' : value)))

/** @param calledTools  the names of called tools are added to it */
export async function readings(space: OpenSpace, calledTools = new Set<string>()): Promise<Reading[]> {
  const found: Reading[] = []
  const note = (what: string, answer: Answer): void => void found.push({ asked: what, answer: withoutOpaque(answer) })
  const asker = (kind: ConnectionKind): Ask => {
    const tools = toolCatalogFor(endpoints, kind)
    const opening = space.createAccessLink(kind, [], 'reader')
    return async (name, args = {}) => {
      calledTools.add(name)
      const response = await runCall(tools.find(name) ?? tools.get(name), args, { space, link: await opening }).then(
        (answer) => ('object' in answer ? answer.object : answer.text.body),
        (error) => {
          // A day may have no note.
          if (error instanceof ScriptoriumError && error.code === 'NOT_FOUND_ERROR') return error.message
          throw error
        },
      )
      note(`${kind} ${name} ${JSON.stringify(args)}`, response)
      return response
    }
  }
  const ask = asker('full')
  await ask('connection_get')
  await ask('folders_list')
  const documents = await askDocuments(ask)
  for (const id of documents) {
    await ask('blocks_get', { id, fetchMetadata: true })
    await ask('blocks_get', { id, format: 'markdown', fetchMetadata: true })
    await ask('blocks_search', { blockId: id, pattern: 'o(?=r)', fetchBlocks: true })
    await ask('tasks_list', { scope: 'document', documentId: id })
  }
  await askCollections(ask)
  for (const scope of ['active', 'upcoming', 'inbox', 'logbook', 'all']) await ask('tasks_list', { scope })
  await ask('comments_list')
  for (const status of ['incomplete', 'completed', 'upcoming', 'all']) await ask('reminders_list', { status })
  for (const include of ['block', 'deep', 'ada', 'remark', 'Won', 'task']) await ask('documents_search', { include })
  await ask('documents_search', { regexps: ['^m'], fetchBlocks: true })
  const askOfDays = asker('daily')
  await askOfDays('blocks_get', { date: '2026-11-20', format: 'markdown' })
  await askOfDays('daily_notes_search', { include: ['day'] })

  const read = <T>(work: Parameters<typeof space.read<T>>[1]) => space.read(OPERATOR_LINK, work)
  await ask('history_list', { format: 'json' })
  await ask('proposals_list', { state: 'all' })
  note('documents', await read((view) => listDocumentResources(view, 0, MOST)))
  for (const { id, ...file } of await read((view) => listFileResources(view, 0, MOST))) {
    const content = await read((view) => readFileResource(view, id))
    const bytes = 'text' in content ? Buffer.from(content.text) : Buffer.from(content.blob, 'base64')
    note(`file ${id}`, { ...file, sha256: createHash('sha256').update(bytes).digest('hex') })
  }
  for (const { id, ...board } of await read((view) => listWhiteboardResources(view, 0, MOST))) {
    note(`whiteboard ${id}`, board)
    await ask('elements_list', { whiteboardBlockId: id })
  }
  note('links', await read(listAccessLinkInfos))
  note('participants', await read(listParticipants))
  note('log', await read((view) => listAuditEntries(view, 0, MOST)))
  await ask('changes_list', { cursor: 'start' })
  await ask('for_me_list')
  await ask('proposals_parts')
  return found
}

/** More than there are of anything. */
const MOST = 10_000

type Ask = (name: string, args?: object) => Promise<Answer>

/** The IDs of all documents. */
async function askDocuments(ask: Ask): Promise<string[]> {
  for (const location of ['unsorted', 'templates', 'daily_notes']) await ask('documents_list', { location })
  const { items: trash } = await ask('documents_list', { location: 'trash' })
  const { items } = await ask('documents_list', { fetchMetadata: true })
  return [...new Set<string>([...items, ...trash].map(({ rootBlockId }: Answer) => rootBlockId))]
}

async function askCollections(ask: Ask): Promise<void> {
  const { items: collections } = await ask('collections_list')
  for (const { id: collectionId } of collections) {
    await ask('schema_get', { collectionId })
    await ask('schema_get', { collectionId, format: 'schema' })
    await ask('items_list', { collectionId })
    const { views } = await ask('views_list', { collectionId })
    for (const { id: viewId } of views) await ask('items_list', { collectionId, viewId })
  }
}
