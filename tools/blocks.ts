import { z } from 'zod'
import { formatNumber } from '../src/base/format-number.ts'
import {
  BLOCKS_PER_ANSWER,
  BLOCKS_PER_CALL,
  REPLACEMENT_LENGTH,
  REPLACEMENTS_PER_CALL,
  TITLE_LENGTH,
} from '../src/base/limits.ts'
import { byKind, endpoint, type InputAlias, type ShortAnswer } from '../src/endpoint.ts'
import { countBlocks } from '../src/markdown/block-count.ts'
import { deleteBlocks } from '../src/space/blocks/delete-blocks.ts'
import { addBlocks, prepareAddBlocks } from '../src/space/editing/add-blocks.ts'
import { addedBlockParts } from '../src/space/editing/add-parts.ts'
import {
  type ChangeBlocksInput,
  changeBlocks,
  countChangedBlocks,
  type PreparedChange,
  prepareChangeBlocks,
} from '../src/space/editing/change-blocks.ts'
import { moveBlocks } from '../src/space/editing/move-blocks.ts'
import { blockUpdateParts } from '../src/space/editing/update-parts.ts'
import { getBlockAt } from '../src/space/history/get-block-at.ts'
import type { ConnectionKind } from '../src/space/model/space.ts'
import { finishBlock } from '../src/space/reading/get-block.ts'
import { search } from './blocks-search.ts'
import { block, blockOutput, blockRef } from './shapes/block-output.ts'
import { cursor, date, format, id, limit, MORE_FIELDS, moment, newBlock, partialBlock } from './shapes/block-shapes.ts'
import { entryParts } from './shapes/call-parts.ts'
import { conflicts, partial } from './shapes/conditions.ts'
import { foreignBlocks, foreignStyles } from './shapes/foreign-blocks.ts'
import { blockAliases, byTitle, idAliases, named, positionAliases, soleEntry } from './shapes/input-aliases.ts'
import { position, positionBrief } from './shapes/positions.ts'
import { rare } from './shapes/published.ts'
import { answer, changedItems, changedOutput, movedBlocks, placedBlocks } from './shapes/short-answers.ts'

const blockIds = z.array(id).min(1).max(BLOCKS_PER_CALL).meta({ commas: true })
const eitherIdOrDate = 'Expected either id or date, found both; give one of them.'

const readFields = {
  maxDepth: z.int().min(-1).default(-1).describe('-1 all, 1 children'),
  fetchMetadata: z.boolean().default(false).describe('Authors, comments, backlinks'),
  format,
  ids: z.boolean().default(false),
  outline: z.boolean().default(false).meta({ hidden: true }),
  section: z.string().min(1).max(TITLE_LENGTH).optional().meta({ hidden: true }),
  ...rare({ images: z.boolean().default(false) }),
  maxBlocks: limit(BLOCKS_PER_CALL, BLOCKS_PER_CALL),
  ...rare({ at: moment.optional().describe('Call or past time') }),
  cursor,
}
const byIdOrDate = z.strictObject({
  id: id.optional(),
  date: date.optional().describe('YYYY-MM-DD, today, yesterday'),
  ...readFields,
})

const get = endpoint({
  name: 'blocks_get',
  title: 'Get blocks',
  description:
    'Read a document, page or block with all it holds, as Markdown or JSON; outline: true its headings, section: "Risks" one section.',
  route: 'GET /blocks',
  effect: 'read',
  isEssential: true,
  aliases: [
    ...named('id', 'blockId documentId pageId rootBlockId'),
    // Of other services: one ID, or a list of it.
    {
      ...{ from: 'ids', to: 'id', when: (value) => typeof value !== 'boolean' },
      value: (value) => (Array.isArray(value) && value.length === 1 ? value[0] : value),
    },
    ...named('maxDepth', 'depth'),
    ...named('maxBlocks', 'limit'),
    ...byTitle,
  ],
  alsoKnownAs: [
    'documents_get',
    'documents_read',
    'document_get',
    'pages_get',
    'pages_read',
    'page_get',
    'notes_get',
    'notes_read',
    'note_get',
    'blocks_read',
    'daily_notes_get',
    'daily_note_get',
  ],
  input: {
    full: byIdOrDate.check(({ value, issues }) => {
      const both = value.id !== undefined && value.date !== undefined
      const none = value.id === undefined && value.date === undefined
      if (!both && !none) return
      const message = both
        ? eitherIdOrDate
        : 'Expected id or date, found neither; give the ID of a document or block, or the day of a daily note.'
      issues.push({ code: 'custom', message, input: value })
    }),
    selected: z.strictObject({ id, ...readFields }),
    daily: byIdOrDate.refine(({ id, date }) => id === undefined || date === undefined, { error: eitherIdOrDate }),
  },
  mcpDefaults: { format: 'markdown', maxBlocks: BLOCKS_PER_ANSWER },
  blocks: { read: ({ blocks = 0 }) => blocks },
  isRolledBack: ({ at }) => at !== undefined,
  isFinishedSlowly: ({ images }) => images,
  jsonOutput: block,
  handle: ({ space }, input) => getBlockAt(space, input),
  finish: finishBlock,
})

const eitherBlocksOrText =
  'Expected either blocks, or pageId with replace, or pageId with markdown and revision, found none of these or a mixture; give one of them.'
type Passages = readonly { new: string }[]
const lengthOf = (passages: Passages): number => passages.reduce((sum, passage) => sum + passage.new.length, 0)
const idList = z.array(z.string()).optional()
const addedBlocks = z.strictObject({ items: z.array(blockOutput) })

const add = endpoint({
  name: 'blocks_add',
  title: 'Add blocks',
  description: 'Add blocks at a position, from markdown (the short way, for many blocks) or from blocks.',
  route: 'POST /blocks',
  effect: 'add',
  isEssential: true,
  aliases: [
    ...named('blocks', 'block items children'),
    { from: 'content', to: 'blocks', when: Array.isArray },
    ...named('markdown', 'content text body'),
    // Of the page to append to, as other services name it.
    ...['block_id', 'blockId'].map((word) => ({ from: word, to: 'position.pageId' })),
    ...positionAliases,
    foreignBlocks('blocks'),
    ...blockAliases('blocks'),
  ],
  alsoKnownAs: [
    'blocks_append',
    'blocks_insert',
    'blocks_create',
    'documents_append',
    'pages_append',
    'notes_append',
    'daily_notes_add',
    'daily_notes_append',
    'pages_add',
    'pages_create',
  ],
  textBody: { mediaType: 'text/markdown', field: 'markdown', kinds: ['daily'] },
  input: byKind((kind: ConnectionKind) =>
    z
      .strictObject({
        markdown: z.string().optional(),
        ...rare({ blocks: z.array(newBlock).min(1).max(BLOCKS_PER_CALL).optional().describe(MORE_FIELDS) }),
        position: position[kind],
        answer,
      })
      .refine(({ markdown, blocks }) => (markdown === undefined) !== (blocks === undefined), {
        error: 'Expected either blocks or markdown, found both or neither; give one of them.',
      }),
  ),
  output: addedBlocks,
  shorten: placedBlocks,
  prepare: prepareAddBlocks,
  parts: { split: addedBlockParts },
  blocks: { write: ({ blocks }) => countBlocks(blocks) },
  handle: ({ space }, input) => addBlocks(space, input),
})

/** True if the call names a page only to rename it. */
const isRenamed = (_: unknown, { title, name, replace, markdown }: Record<string, unknown>): boolean =>
  (title ?? name) !== undefined && replace === undefined && markdown === undefined
/** True for `{ checked }` alone, as Notion has it under the type of a to-do. */
const isChecked = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'checked' in value && Object.keys(value).length === 1

/** What a passage and its replacement are called elsewhere. */
const OLD_WORDS = 'oldText old_text oldString old_string oldStr old_str from find search'.split(' ')
const NEW_WORDS = 'newText new_text newString new_string newStr new_str with to replacement'.split(' ')
const EDITS = ['replace', 'edits', 'replacements', 'changes', 'contentUpdates', 'revision', ...OLD_WORDS]

const updateAliases: readonly InputAlias[] = [
  ...['pageId', 'documentId'].map((word) => ({ from: word, to: 'blocks[0].id', when: isRenamed })),
  ...['to_do', 'todo'].map((word) => ({
    from: word,
    to: 'blocks[0].checked',
    when: isChecked,
    value: (value: unknown) => (value as { checked: unknown }).checked,
  })),
  { from: 'type', instead: 'a block keeps its type; give id, with markdown or taskInfo { state }' },
  ...soleEntry('blocks', 'id blockId taskInfo title'),
  ...'state status done completed checked isCompleted'
    .split(' ')
    .map((word) => ({ from: word, to: `blocks[0].${word}` })),
  ...named('title', 'name', 'blocks[].'),
  ...['markdown', 'text', 'content'].map(
    (word): InputAlias => ({
      from: word,
      to: `blocks[0].${word}`,
      when: (_, { pageId, revision }) => pageId === undefined && revision === undefined,
    }),
  ),
  ...named('id', 'blockId', 'blocks[].'),
  { from: 'documentId', to: 'pageId', when: (_, beside) => EDITS.some((word) => beside[word] !== undefined) },
  ...named('replace', 'edits replacements changes contentUpdates'),
  ...named('old', OLD_WORDS.join(' '), 'replace[].'),
  ...named('new', `${NEW_WORDS.join(' ')} replace`, 'replace[].'),
  // One passage without the list.
  { from: 'replace', to: 'replace[0].new', when: (text) => typeof text === 'string' },
  ...OLD_WORDS.map((word) => ({ from: word, to: 'replace[0].old' })),
  ...NEW_WORDS.map((word) => ({ from: word, to: 'replace[0].new' })),
  { from: 'blocks[].position', instead: 'move blocks with blocks_move: their blockIds and a position' },
  ...foreignStyles('blocks'),
  ...blockAliases('blocks'),
]

interface ChangedBlocks {
  items: { id: string }[]
  revision?: string | undefined
  note?: string | undefined
  conflicts?: object[] | undefined
}

const changedBlocks: ShortAnswer<ChangedBlocks, PreparedChange> = {
  output: changedOutput.extend({ revision: z.string().optional() }),
  make({ items, ...lists }, change) {
    // For a page edited as text, the lists contain the ID of each block, and more than those of `items`.
    if (!('blocks' in change)) return lists
    const ids = items.map(({ id }) => ({ id }))
    return {
      ...changedItems(ids, change.blocks.length, lists.conflicts),
      ...(lists.note && { note: lists.note }),
    }
  },
}

const update = endpoint({
  name: 'blocks_update',
  title: 'Update blocks',
  description:
    'Change blocks. markdown is the whole block with its prefix; of a page it is the title. Or edit the text of a page: pageId with replace (each old stands there once), or edited markdown and revision as read.',
  route: 'PUT /blocks',
  effect: 'change',
  isEssential: true,
  // Several paragraphs in one block become several blocks.
  hints: { idempotent: false },
  aliases: updateAliases,
  alsoKnownAs: [
    'documents_update',
    'documents_rename',
    'documents_edit',
    'pages_update',
    'pages_rename',
    'pages_edit',
    'notes_update',
    'notes_edit',
    'blocks_edit',
    'blocks_change',
    'blocks_rename',
    'blocks_complete',
    'collections_rename',
    'collections_update',
  ],
  input: byKind(() =>
    z
      .strictObject({
        blocks: z
          .array(partialBlock)
          .min(1)
          .max(BLOCKS_PER_CALL)
          .optional()
          .meta({ asIn: { tool: 'blocks_add', description: 'With fields as in blocks_add' } }),
        pageId: id.optional(),
        replace: z
          .array(z.strictObject({ old: z.string().min(1), new: z.string() }).meta({ component: 'Replacement' }))
          .min(1)
          .max(REPLACEMENTS_PER_CALL)
          .refine((passages) => lengthOf(passages) <= REPLACEMENT_LENGTH, {
            error: ({ input }) =>
              `Expected at most ${formatNumber(REPLACEMENT_LENGTH)} characters to put in, found ${formatNumber(lengthOf(input as Passages))}; add long texts with blocks_add.`,
          })
          .optional(),
        markdown: z.string().optional(),
        revision: z.string().min(1).optional(),
        partial,
        answer,
      })
      .transform(({ blocks, pageId, replace, markdown, revision, partial, answer }, context): ChangeBlocksInput => {
        const byText = [pageId, replace, markdown, revision].filter((one) => one !== undefined).length
        if (blocks !== undefined && byText === 0) return { blocks, partial, answer }
        // No revision is needed: each passage must still exist as it was read.
        if (blocks === undefined && pageId !== undefined && replace !== undefined && markdown === undefined) {
          return { pageId, replace, answer }
        }
        if (replace !== undefined) {
          context.addIssue({ code: 'custom', message: eitherBlocksOrText, input: { blocks, pageId } })
          return z.NEVER
        }
        if (blocks === undefined && pageId !== undefined && markdown !== undefined && revision !== undefined) {
          return { pageId, markdown, revision, answer }
        }
        context.addIssue({ code: 'custom', message: eitherBlocksOrText, input: { blocks, pageId } })
        return z.NEVER
      }),
  ),
  output: z.strictObject({
    items: z.array(blockOutput),
    added: idList,
    changed: idList,
    moved: idList,
    deleted: idList,
    revision: z.string().optional(),
    note: z.string().optional(),
    conflicts,
  }),
  shorten: changedBlocks,
  prepare: prepareChangeBlocks,
  parts: blockUpdateParts,
  blocks: { write: countChangedBlocks },
  // For a page edited as text, `items` contains only the blocks that were written.
  writtenIds: ({ items, moved = [], deleted = [] }) => [
    ...new Set([...items.map(({ id }) => id), ...moved, ...deleted]),
  ],
  handle: ({ space }, change) => changeBlocks(space, change),
})

const move = endpoint({
  name: 'blocks_move',
  title: 'Move blocks',
  description: 'Move blocks with all they hold, in this document or to another. Their IDs stay.',
  route: 'PUT /blocks/move',
  effect: 'change',
  hints: { destructive: false },
  aliases: [...idAliases('blockIds', 'blockId blocks'), ...positionAliases],
  input: byKind((kind: ConnectionKind) => z.strictObject({ blockIds, position: positionBrief[kind], answer })),
  output: z.strictObject({ items: z.array(blockRef) }),
  shorten: movedBlocks,
  parts: entryParts('blockIds', { kind: 'moved', subject: '', order: 'position' }),
  blocks: { write: ({ blockIds }) => blockIds.length },
  handle: ({ space }, { blockIds, position }) => moveBlocks(space, blockIds, position),
})

const remove = endpoint({
  name: 'blocks_delete',
  title: 'Delete blocks',
  description: 'Delete blocks with all they hold.',
  route: 'DELETE /blocks',
  effect: 'delete',
  isEssential: true,
  aliases: idAliases('blockIds', 'blockId blocks'),
  alsoKnownAs: ['pages_delete', 'lines_delete'],
  input: byKind(() => z.strictObject({ blockIds })),
  output: z.strictObject({ items: z.array(blockRef) }),
  blocks: { write: ({ blockIds }) => blockIds.length },
  deletes: ({ blockIds }) => blockIds,
  parts: entryParts('blockIds', { kind: 'removed', subject: '' }),
  handle: ({ space }, { blockIds }) => deleteBlocks(space, blockIds),
})

export const blocks = [get, add, update, move, remove, search]
