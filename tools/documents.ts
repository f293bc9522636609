import { z } from 'zod'
import { DOCUMENTS_PER_ANSWER, DOCUMENTS_PER_ANSWER_MAX, ITEMS_PER_CALL } from '../src/base/limits.ts'
import { byKind, endpoint, type ShortAnswer } from '../src/endpoint.ts'
import { countBlocks } from '../src/markdown/block-count.ts'
import { DOCUMENT_ORDERS, listDocuments } from '../src/space/documents/document-list.ts'
import {
  addDocuments,
  type DocumentDestination,
  deleteDocuments,
  destinationOf,
  moveDocuments,
  prepareDocuments,
} from '../src/space/documents/documents.ts'
import { documentsToMarkdown } from '../src/space/documents/documents-markdown.ts'
import type { GivenId } from '../src/space/model/ids.ts'
import { searchDocuments } from '../src/space/search/search-documents.ts'
import { prepareSearch } from '../src/space/search/search-input.ts'
import { documentMatchesToMarkdown } from '../src/space/search/search-markdown.ts'
import { pagination } from './shapes/block-output.ts'
import { cursor, date, format, id, ids, limit, title } from './shapes/block-shapes.ts'
import { entryParts } from './shapes/call-parts.ts'
import { conflicts, expected, partial } from './shapes/conditions.ts'
import {
  byTitle,
  destinationAliases,
  idAliases,
  named,
  placeAliases,
  searchAliases,
  soleEntry,
  tagAliases,
} from './shapes/input-aliases.ts'
import { rare } from './shapes/published.ts'
import { documentMatch, limitByFormat, requireSearchTerms, searchResults, searchTerms } from './shapes/search-shapes.ts'
import { answer, changedItems, changedOutput, idsAlone } from './shapes/short-answers.ts'
import { tags } from './shapes/tags.ts'

const fullOnly = ['full'] as const
const day = date.optional()
const dates = {
  createdDateGte: day,
  createdDateLte: day,
  lastModifiedDateGte: day,
  lastModifiedDateLte: day,
  dailyNoteDateGte: day,
  dailyNoteDateLte: day,
}
const location = z.enum(['unsorted', 'trash', 'templates', 'daily_notes']).optional()
/** The default, by creation, is not listed. */
const orderBy = z
  .enum(DOCUMENT_ORDERS)
  .default('created')
  .meta({ published: { type: 'string', enum: ['modified', 'day'] } })
const page = {
  fetchMetadata: z.boolean().default(false),
  format,
  limit: limit(DOCUMENTS_PER_ANSWER_MAX, DOCUMENTS_PER_ANSWER_MAX),
  cursor,
}
const exclusiveMessage =
  'Expected one of location, folderId and documentIds, found several; they cannot be combined, give one.'

const listInput = {
  full: z
    .strictObject({
      location,
      folderId: id.optional().describe('With its subfolders'),
      ...rare({ documentIds: ids.optional(), orderBy, ...dates }),
      tags,
      ...page,
    })
    .refine(
      ({ location, folderId, documentIds }) =>
        [location, folderId, documentIds].filter((one) => one !== undefined).length < 2,
      { error: exclusiveMessage },
    ),
  selected: z.strictObject({ orderBy, tags, ...page }),
}

const document = z
  .strictObject({
    id: z.string(),
    rootBlockId: z.string(),
    title: z.string(),
    isDeleted: z.boolean(),
    location: z.enum(['unsorted', 'templates', 'trash', 'daily_notes']).optional(),
    folderId: z.string().optional(),
    dailyNoteDate: z.string().optional(),
    lockedBy: z.string().optional(),
    lastModifiedAt: z.string().optional(),
    createdAt: z.string().optional(),
    clickableLink: z.string().optional(),
    webLink: z.string().optional(),
  })
  .meta({ component: 'Document' })

const list = endpoint({
  name: 'documents_list',
  title: 'List documents',
  description: 'List documents by place and dates (inclusive).',
  route: 'GET /documents',
  effect: 'read',
  isEssential: true,
  aliases: [...placeAliases('folderId'), ...tagAliases],
  alsoKnownAs: ['notes_list', 'pages_list', 'daily_notes_list', 'documents_find'],
  input: listInput,
  output: z.strictObject({ items: z.array(document).max(DOCUMENTS_PER_ANSWER_MAX), pagination }),
  renderMarkdown: documentsToMarkdown,
  mcpDefaults: { limit: DOCUMENTS_PER_ANSWER },
  handle: ({ space }, listing) => listDocuments(space, listing),
})

/** `{ destination: "unsorted" | "templates" }` or `{ folderId }`. */
const destination = z
  .strictObject({ destination: z.string().optional(), folderId: id.optional() })
  .transform((input, context): DocumentDestination => {
    const { destination, folderId } = input
    if (destination === undefined && folderId !== undefined) return { folderId }
    if (folderId === undefined && (destination === 'unsorted' || destination === 'templates')) return { destination }
    context.addIssue({ code: 'custom', message: wrongDestination(destination, folderId), input })
    return z.NEVER
  })
  .meta({
    component: 'DocumentDestination',
    published: {
      type: 'object',
      properties: { destination: { type: 'string', enum: ['unsorted', 'templates'] }, folderId: { type: 'string' } },
    },
  })

function wrongDestination(destination?: string, folderId?: GivenId): string {
  const expected = 'Expected { destination: "unsorted" or "templates" } or { folderId }'
  if (destination === 'trash') return `${expected}, found the trash; put documents there with documents_delete.`
  if (destination !== undefined && folderId !== undefined) return `${expected}, found both; give one of them.`
  return `${expected}, found ${destination ?? 'neither'}; give one of them.`
}

const readOnly = z.unknown().optional().meta({ hidden: true })

const add = endpoint({
  name: 'documents_add',
  title: 'Add documents',
  description:
    'Make documents, empty, with content in Markdown, or from a template; in Unsorted without a destination.',
  route: 'POST /documents',
  effect: 'add',
  isEssential: true,
  aliases: [
    ...named('documents', 'document items pages notes'),
    ...soleEntry('documents', 'title name markdown content text body templateId'),
    ...named('title', 'name', 'documents[].'),
    ...named('markdown', 'content text body', 'documents[].'),
    ...['folderId', 'folder', 'parentFolderId', 'parentId'].map((word) => ({
      from: `documents[].${word}`,
      to: 'destination.folderId',
    })),
    ...destinationAliases,
  ],
  alsoKnownAs: ['documents_create', 'notes_add', 'notes_create', 'pages_new', 'document_add', 'document_create'],
  input: byKind(
    () =>
      z.strictObject({
        documents: z
          .array(
            z
              .strictObject({
                title,
                markdown: z.string().optional(),
                templateId: id.optional(),
                // As returned by documents_list; validated by the rules of the space.
                location: location.meta({ hidden: true }),
                folderId: id.optional().meta({ hidden: true }),
                isDeleted: readOnly,
                dailyNoteDate: readOnly,
                lastModifiedAt: readOnly,
                createdAt: readOnly,
                clickableLink: readOnly,
                webLink: readOnly,
              })
              .meta({ component: 'NewDocument' }),
          )
          .min(1)
          .max(ITEMS_PER_CALL),
        destination: destination.optional(),
        answer,
      }),
    fullOnly,
  ),
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        id: z.string(),
        rootBlockId: z.string().optional(),
        title: z.string().optional(),
        clickableLink: z.string().optional(),
        webLink: z.string().optional(),
      }),
    ),
  }),
  shorten: idsAlone,
  prepare: async ({ documents, destination, answer }) => ({
    destination: destinationOf(documents, destination),
    documents: await prepareDocuments(documents),
    answer,
  }),
  blocks: { write: ({ documents }) => documents.reduce((sum, { content }) => sum + 1 + countBlocks(content), 0) },
  parts: entryParts('documents', { kind: 'document' }),
  handle: ({ space }, { documents, destination, answer }) => addDocuments(space, documents, destination, answer),
})

/** The new place is known to the caller, unless the document became a daily note again. */
const movedDocuments: ShortAnswer<
  {
    items: { id: string; destination: { dailyNoteDate?: string | undefined } }[]
    conflicts?: object[] | undefined
  },
  { documentIds: readonly unknown[] }
> = {
  output: changedOutput,
  make: ({ items, conflicts }, { documentIds }) =>
    changedItems(
      items.map(({ id, destination }) => (destination.dailyNoteDate === undefined ? { id } : { id, destination })),
      documentIds.length,
      conflicts,
    ),
}

const move = endpoint({
  name: 'documents_move',
  title: 'Move documents',
  description:
    'Move documents to a folder, to Unsorted or to the templates; out of the trash, too (a daily note to its day).',
  route: 'PUT /documents/move',
  effect: 'change',
  hints: { destructive: false },
  aliases: [...idAliases('documentIds', 'documentId documents'), ...destinationAliases, ...byTitle],
  alsoKnownAs: ['documents_restore'],
  input: byKind(() => z.strictObject({ documentIds: ids, destination, expected, partial, answer }), fullOnly),
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        id: z.string(),
        destination: z.strictObject({
          destination: z.string().optional(),
          folderId: z.string().optional(),
          dailyNoteDate: z.string().optional(),
        }),
      }),
    ),
    conflicts,
  }),
  shorten: movedDocuments,
  parts: entryParts('documentIds', { kind: 'moved', subject: '' }),
  handle: ({ space }, { documentIds, destination, ...condition }) =>
    moveDocuments(space, documentIds, destination, condition),
})

const remove = endpoint({
  name: 'documents_delete',
  title: 'Delete documents',
  description: 'Move documents to the trash, from which they can be restored.',
  route: 'DELETE /documents',
  effect: 'delete',
  aliases: [...idAliases('documentIds', 'documentId documents'), ...byTitle],
  alsoKnownAs: ['notes_delete', 'documents_trash'],
  input: byKind(() => z.strictObject({ documentIds: ids }), fullOnly),
  output: z.strictObject({ items: z.array(z.string()) }),
  parts: entryParts('documentIds', { kind: 'removed', subject: '' }),
  handle: ({ space }, { documentIds }) => deleteDocuments(space, documentIds),
})

const searchInput = {
  full: z
    .strictObject({
      ...searchTerms,
      ...rare({ documentIds: ids.optional() }),
      location,
      folderIds: ids.optional(),
      ...rare(dates),
    })
    .check(requireSearchTerms)
    .refine(
      ({ location, folderIds, documentIds }) =>
        [location, folderIds, documentIds].filter((one) => one !== undefined).length < 2,
      { error: exclusiveMessage.replace('folderId ', 'folderIds ') },
    )
    .transform(limitByFormat),
  selected: z
    .strictObject({
      ...searchTerms,
      documentIds: ids.optional(),
      documentFilterMode: z.enum(['include', 'exclude']).default('include'),
    })
    .check(requireSearchTerms)
    .transform(limitByFormat),
}

const search = endpoint({
  name: 'documents_search',
  title: 'Search documents',
  description:
    'Find documents by words, synonyms or whole questions (include) or patterns (regexps). Each entry must match: by any of its words, "in quotes" as a phrase.',
  route: 'GET /documents/search',
  effect: 'read',
  isEssential: true,
  aliases: [...searchAliases, ...placeAliases('folderIds')],
  alsoKnownAs: ['search', 'notes_search', 'spaces_search', 'documents_query', 'find'],
  input: searchInput,
  output: searchResults(
    documentMatch.extend({ documentId: z.string().optional(), exposedDocumentId: z.string().optional() }),
  ),
  renderMarkdown: documentMatchesToMarkdown,
  prepare: prepareSearch,
  blocks: { read: ({ items }) => items.reduce((sum, { blocks = [] }) => sum + Math.max(1, blocks.length), 0) },
  handle: ({ space }, search) => searchDocuments(space, search),
})

export const documents = [list, add, move, remove, search]
