/** Parses blocks that clients send. This code runs before the transaction and does not read the space. */

import { invalid, ScriptoriumError } from '../../base/errors.ts'
import { timeSliceExpired, yieldNow } from '../../base/scheduling.ts'
import {
  type Block,
  type BlockFields,
  type BlockType,
  MAX_INDENTATION,
  type StatedFacts,
  type TaskInfo,
} from '../../markdown/block.ts'
import { assertBlockCount, countBlocks } from '../../markdown/block-count.ts'
import { codeFields, inLanguage, namesLanguage } from '../../markdown/blocks/code-block.ts'
import { preserveCallouts } from '../../markdown/callout-levels.ts'
import { readInnerText } from '../../markdown/given-text.ts'
import { assertTitle, plainTitle, titleFromPlain, writeTitle } from '../../markdown/inline-title.ts'
import { readMarkdownInWorker } from '../../markdown/markdown-in-worker.ts'
import { assertSafeFields } from '../../markdown/unsafe-addresses.ts'
import { asListItem } from '../../markdown/written-numbers.ts'
import { displayColors, isColor } from '../model/colors.ts'
import { InputErrors } from '../model/input-errors.ts'
import { checkUnchanged } from '../model/read-only.ts'
import type { BlockFieldsInput, NewBlock } from './given-block.ts'
import { assertTextsAgree, withTextOf } from './named-twice.ts'

export type { BlockFieldsInput, NewBlock }

/** Types that clients can create here. Other types are created by their own tools. */
export const NEW_BLOCK_TYPES = [
  ...(['text', 'page', 'code', 'richUrl', 'line', 'table', 'image', 'video', 'file', 'whiteboard'] as const),
] satisfies readonly BlockType[]

/** Facts that a caller may state about a file at another address. Those of a stored file are derived from it. */
export const STATED_FACTS = ['fileSize', 'mimeType', 'aspectRatio', 'previewImageWidth'] as const
/** All facts about the file that a block shows. Only the space knows whether it stores one. */
export const FILE_FACTS = ['uploaded', 'isPreviewImageUploaded', ...STATED_FACTS] as const
/** When a task was closed. Set by the server. */
export const TASK_STAMPS = ['completedAt', 'canceledAt'] as const
export type TaskStamp = (typeof TASK_STAMPS)[number]

const COMMON_FIELDS = ['indentationLevel', 'depth', 'listStyle', 'number', 'decorations', 'color', 'taskInfo']
const TEXT_STYLE_FIELDS = ['textStyle', 'textAlignment', 'font', 'cardLayout']
const MEDIA_FIELDS = ['url', 'altText', 'size', 'width', 'fileSize', 'mimeType']
/** The fields that each type accepts in addition to `markdown` and {@link COMMON_FIELDS}. */
const FIELDS_BY_TYPE: Record<BlockType, readonly string[]> = {
  text: [...TEXT_STYLE_FIELDS, 'content'],
  page: [...TEXT_STYLE_FIELDS, 'title', 'styling', 'content'],
  collectionItem: ['title'],
  image: [...MEDIA_FIELDS, 'aspectRatio', 'previewImageWidth'],
  video: MEDIA_FIELDS,
  file: ['url', 'fileName', 'blockLayout', 'fileSize', 'mimeType'],
  drawing: ['url'],
  whiteboard: ['url'],
  table: ['rows'],
  collection: [],
  code: ['rawCode', 'language', 'info'],
  richUrl: ['url', 'title', 'description', 'layout'],
  line: ['lineStyle', 'separatorStyle'],
}
/** A new block of a type needs at least one of these fields. */
const REQUIRED_FIELDS: Record<BlockType, readonly string[]> = {
  text: ['markdown'],
  page: ['title', 'markdown'],
  code: ['rawCode', 'markdown'],
  richUrl: ['url', 'markdown'],
  table: ['markdown'],
  image: ['url', 'markdown'],
  video: ['url', 'markdown'],
  file: ['url', 'markdown'],
  line: [],
  whiteboard: [],
  collectionItem: [],
  drawing: [],
  collection: [],
}
/** Values that mean the same as leaving the field out. */
const DEFAULT_VALUES: ReadonlyMap<string, unknown> = new Map(
  Object.entries({
    listStyle: 'none',
    textStyle: 'body',
    textAlignment: 'left',
    lineStyle: 'regular',
  }),
)

/**
 * Converts the input for new blocks into blocks. A text whose Markdown contains several paragraphs or list items
 * becomes several blocks.
 *
 * @throws VALIDATION_ERROR that lists every error with its path
 */
export async function parseNewBlocks(inputs: readonly NewBlock[], path = 'blocks'): Promise<Block[]> {
  const errors = new InputErrors()
  const blocks = await parseLevel(inputs, path, errors)
  errors.throwIfAny()
  assertBlockCount(countBlocks(blocks))
  return blocks
}

// Recursion is safe here: nesting of calls is limited to 64 levels, and that has been checked already.
async function parseLevel(inputs: readonly NewBlock[], path: string, errors: InputErrors): Promise<Block[]> {
  const blocks: Block[] = []
  for (const [index, input] of inputs.entries()) {
    const blockPath = `${path}[${index}]`
    try {
      for (const block of await parseNewBlock(input, blockPath, errors)) blocks.push(block)
    } catch (error) {
      if (!(error instanceof ScriptoriumError) || error.code !== 'VALIDATION_ERROR') throw error
      errors.add(blockPath, error.message)
    }
    if (errors.hasTooMany) break
    if (timeSliceExpired()) await yieldNow()
  }
  return blocks
}

async function parseNewBlock(input: NewBlock, path: string, errors: InputErrors): Promise<Block[]> {
  const { type } = input
  const required = REQUIRED_FIELDS[type]
  if (required.length > 0 && !required.some((key) => input[key] !== undefined)) {
    throw invalid(`Expected ${required.join(' or ')} on a new ${type} block, found none; give it.`)
  }
  assertNotCutOff(input)
  const parsed = await parseInitialBlocks(input)
  const blocks = hasFields(input) ? parsed.map((block) => applyFields(block, input)) : parsed
  checkUnchanged(input.displayColor, displayColorOf(blocks[0] ?? {}), {
    ...{ key: 'displayColor', advice: FOLLOWS_FROM_COLOR, path, errors },
  })
  checkNoStamps(input.taskInfo, `${path}.taskInfo`, errors)
  const [first] = blocks
  if (first !== undefined) {
    const stated = statedFactsIn(input, path)
    if (stated !== undefined) first.statedFacts = stated
    if (blocks.some((block) => ignoresTaskInfo(block, input))) first.ignoredTaskInfo = path
  }
  // The URLs in Markdown were checked when it was parsed.
  for (const block of blocks) assertSafeFields(block, type === 'page' ? {} : { text: block.text })
  const content =
    input.content && input.content.length > 0 ? await parseLevel(input.content, `${path}.content`, errors) : []
  if (content.length === 0) return blocks
  const [container] = blocks
  if (container === undefined || blocks.length > 1 || (container.type !== 'text' && container.type !== 'page')) {
    throw invalid(
      'Expected content on a text or page whose markdown is one block, found markdown of several blocks; give the content to a block of its own.',
    )
  }
  return [{ ...container, type: 'page', text: assertTitle(container.text.replace(/(?<!\s)\s*\n\s*/g, ' ')), content }]
}

/** Returns what an input states about the file of its block; undefined for nothing. @param path  of the input */
export function statedFactsIn(input: BlockFieldsInput, path: string): StatedFacts | undefined {
  const keys = FILE_FACTS.filter((key) => input[key] !== undefined)
  return keys.length === 0 ? undefined : { path, facts: Object.fromEntries(keys.map((key) => [key, input[key]])) }
}

export const FOLLOWS_FROM_COLOR = 'leave it out, since it follows from color'

/** The color of a block as it is displayed on light backgrounds. */
export const displayColorOf = ({ color }: Pick<BlockFields, 'color'>): string | undefined =>
  color !== undefined && isColor(color) ? displayColors(color).light : undefined

/** Rejects a copy of a block that was read without its full content, since that content would be lost silently. */
function assertNotCutOff({ content, contentPreviewMd }: NewBlock): void {
  if (content === undefined && contentPreviewMd !== undefined) throw invalid(CUT_OFF_MESSAGE)
}

export const CUT_OFF_MESSAGE =
  'Expected the content, found contentPreviewMd, its first lines, alone; read it with a greater maxDepth and send content, or leave contentPreviewMd out.'

type Stamps = Partial<Record<TaskStamp, unknown>> | undefined

/** Compares the times at which a task was closed, which are set automatically when its state changes. */
export function checkStamps(input: Stamps, actual: TaskInfo | undefined, path: string, errors: InputErrors): void {
  const advice = 'leave it out and change state, which stamps it'
  for (const key of TASK_STAMPS) checkUnchanged(input?.[key], actual?.[key], { key, advice, path, errors })
}

/** The same for a new task. It has no such times, since it is not known when it was closed. */
export function checkNoStamps(input: Stamps, path: string, errors: InputErrors): void {
  const advice = 'leave it out, since only tasks that are closed here are stamped'
  for (const key of TASK_STAMPS) checkUnchanged(input?.[key], undefined, { key, advice, path, errors })
}

/** Creates the block from its text alone, before the explicit fields are applied. */
async function parseInitialBlocks(input: NewBlock): Promise<Block[]> {
  const { type, markdown, url, rawCode, lineStyle } = input
  if (type === 'page') return [await parsePage(input)]
  if (type === 'text') return parseText(markdown ?? '')
  if (type === 'code' && rawCode !== undefined) {
    if (markdown !== undefined && requireBlockOfType(type, await parseText(markdown)).text !== rawCode) {
      throw invalid('Expected either rawCode or markdown of a code block, found both and different; give one of them.')
    }
    return [{ type, text: rawCode }]
  }
  if (markdown === undefined) return [{ type, text: '' }]
  const parsed = await parseText(markdown)
  // A link can become several types of block. If explicit fields define the type, the Markdown does not have to.
  const isExplicit = url !== undefined || lineStyle !== undefined
  if (parsed[0]?.type !== type && isExplicit) return [withTextOf(parsed, input)]
  const block = requireBlockOfType(type, parsed)
  assertTextsAgree(block, input)
  return [block]
}

/** A new page. Its Markdown is its title or, beside a title, its content. */
async function parsePage({ type, title, markdown, content }: NewBlock): Promise<Block> {
  const text = assertTitle(typeof title === 'object' ? writeTitle(title) : titleFromPlain(title ?? oneLine(markdown)))
  if (title === undefined || markdown === undefined || plainTitle(text) === plainTitle(titleFromPlain(markdown)))
    return { type, text }
  if (content !== undefined && content.length > 0) {
    throw invalid(
      'Expected the title of a page in title or in markdown, found two different ones beside content; leave markdown out, or put its text first in content.',
    )
  }
  const inner = await readMarkdownInWorker(readInnerText(markdown, plainTitle(text)))
  return inner.length > 0 ? { type, text, content: inner } : { type, text }
}

/** @throws VALIDATION_ERROR for several lines, since the markdown of a page is its title */
function oneLine(markdown = ''): string {
  if (!/[\r\n]/.test(markdown.trim())) return markdown
  throw invalid(
    'Expected the title of a page as its markdown, on one line, found several lines; give the title as title, and the rest as markdown beside it or as content.',
  )
}

/** Parses text into blocks. Empty text becomes one empty block. In one line, a number is never that of a list. */
export async function parseText(markdown: string, options: { isOneLine?: boolean } = {}): Promise<Block[]> {
  const blocks = await readMarkdownInWorker(markdown, options)
  return blocks.length > 0 ? blocks : [{ type: 'text', text: '' }]
}

/** Returns the block if it is the only one and has the given type. @throws VALIDATION_ERROR otherwise */
export function requireBlockOfType(type: BlockType, [block, ...more]: readonly Block[]): Block {
  if (block?.type === type && more.length === 0) return block
  const found = more.length > 0 ? `${more.length + 1} blocks` : `a ${block?.type} block`
  throw invalid(
    `Expected the Markdown of one ${type} block, found ${found}; a block keeps its type, add others with blocks_add.`,
  )
}

/**
 * Applies the explicit fields of an input to a block. `null` or a default value removes a field.
 *
 * @throws VALIDATION_ERROR if blocks of this type do not have the field
 */
export function applyFields<B extends Block>(given: B, input: BlockFieldsInput): B {
  const block = input.listStyle === 'numbered' ? asListItem(given) : given
  assertFieldsOfType(block, input)
  const fields: object = block
  const result: Record<string, unknown> = { ...fields }
  for (const [key, value] of Object.entries(input)) {
    if (value === undefined || UNIVERSAL_FIELDS.has(key) || NON_ATTRIBUTE_FIELDS.has(key)) continue
    // The Markdown of a text may have become blocks of other types, which have no text style.
    if (TEXT_STYLE_FIELDS.includes(key) && block.type !== 'text' && block.type !== 'page') continue
    if (key === 'indentationLevel' || key === 'depth') continue
    if (key === 'decorations') {
      result[key] = preserveCallouts(block.decorations, (value as BlockFields['decorations'] | null) ?? undefined)
    } else if (key === 'taskInfo') {
      result[key] = mergeTaskInfo(value as BlockFieldsInput['taskInfo'], block.taskInfo)
    } else if (value === null || value === DEFAULT_VALUES.get(key)) delete result[key]
    else result[key] = value
  }
  setDependentFields(result, block, input)
  return result as unknown as B
}

function assertFieldsOfType(block: Block, input: BlockFieldsInput): void {
  const ownFields = FIELDS_BY_TYPE[input.type ?? block.type]
  for (const [key, value] of Object.entries(input)) {
    if (value === undefined || UNIVERSAL_FIELDS.has(key)) continue
    if (COMMON_FIELDS.includes(key) || ownFields.includes(key)) continue
    throw invalid(
      `Expected fields of a ${block.type} block (${[...ownFields, ...COMMON_FIELDS].join(', ')}), found ${key}; leave it out.`,
    )
  }
}

/** Sets or removes the fields whose values depend on others: the level, the fence of code, and what tasks have. */
function setDependentFields(result: Record<string, unknown>, block: Block, input: BlockFieldsInput): void {
  const level = levelAfter(block.indentationLevel, input)
  if (level > 0) result.indentationLevel = level
  else delete result.indentationLevel
  // The spaces of its Markdown mean the level that the caller names.
  if (input.indentationLevel !== undefined || input.depth !== undefined) delete result.isIndentedCode
  // Stored by earlier versions, which adjusted colors before they stored them.
  if (result.color !== block.color) delete result.colorDark
  if (input.language !== undefined || input.info !== undefined) {
    delete result.info
    delete result.language
    Object.assign(result, applyFence(block, input))
  }
  if (block.type === 'richUrl' && typeof input.title === 'string') result.title = input.title
  if (result.listStyle !== 'numbered') delete result.number
  if (result.listStyle === 'task') result.taskInfo ??= { state: 'todo' }
  // An invisible state or date would come to light when the block became a task.
  else if (input.taskInfo !== undefined) keepTaskInfo(result, block)
}

/**
 * The level of a block after an update. `indentationLevel` ends at 5, so writing it back as it was read keeps a deeper
 * level, and another one takes its place. `depth` is the level itself.
 *
 * @throws VALIDATION_ERROR for two fields that contradict each other
 */
function levelAfter(before = 0, { indentationLevel, depth }: BlockFieldsInput): number {
  const level = indentationLevel ?? Math.min(before, MAX_INDENTATION)
  if (typeof depth === 'number' && depth < MAX_INDENTATION && depth !== (indentationLevel ?? depth)) {
    throw invalid(
      `Expected the same level in depth and indentationLevel, found ${depth} and ${indentationLevel}; leave depth out.`,
    )
  }
  if (indentationLevel !== undefined && level < MAX_INDENTATION) return level
  if (typeof depth === 'number' && (depth >= MAX_INDENTATION || indentationLevel === undefined)) return depth
  return depth === undefined ? Math.max(before, level) : level
}

/**
 * The language of code, and its info string. One that is sent as it is stored does not stand in the way of
 * another language.
 *
 * @throws VALIDATION_ERROR for an info string of several lines, and for a new one that names another language than `language`
 */
function applyFence(block: BlockFields, input: BlockFieldsInput): Pick<BlockFields, 'language' | 'info'> {
  const [language, info] = [input.language, input.info].map((value) => (value === null ? '' : value)) as (
    | string
    | undefined
  )[]
  for (const [key, value] of Object.entries({ language, info })) {
    if (value !== undefined && /[\r\n]/.test(value)) {
      throw invalid(`Expected ${key} on one line, found a line break in it; leave it out.`)
    }
  }
  const given = info?.trim()
  if (given === undefined || given === block.info) return inLanguage(block, language?.trim() || 'plaintext')
  if (given === '') return inLanguage({}, language?.trim() || block.language || 'plaintext')
  if (language !== undefined && !namesLanguage(given, language.trim())) {
    throw invalid(
      `Expected info that begins with the language ${language}, found ${JSON.stringify(given)}; give one of them only.`,
    )
  }
  return codeFields(given)
}

function keepTaskInfo(result: Record<string, unknown>, { taskInfo }: BlockFields): void {
  if (taskInfo === undefined) delete result.taskInfo
  else result.taskInfo = taskInfo
}

/** True if an input says something about a task, and its block is none: the contract interprets it only for tasks. */
export const ignoresTaskInfo = ({ listStyle }: BlockFields, { taskInfo }: BlockFieldsInput): boolean =>
  listStyle !== 'task' &&
  Object.entries(taskInfo ?? {}).some(([key, value]) => value != null && !TASK_STAMPS.includes(key as TaskStamp))

/** @param blocks  the blocks whose taskInfo was ignored, by path or ID */
export const ignoredTaskInfoNote = (blocks: readonly string[]): string =>
  `Ignored taskInfo of what is no task: ${blocks.slice(0, SHOWN).join(', ')}${blocks.length > SHOWN ? ` and ${blocks.length - SHOWN} more` : ''}; listStyle "task" beside it makes a task.`

/** What the answer of a call says that wrote what standard Markdown reads as indented code. */
export const INDENTED_CODE_NOTE =
  'Text that begins with four spaces or more was read as nested blocks, not as code; if it is code, put it between ``` lines.'

/** Blocks that a note names. */
const SHOWN = 5

/** True if an input has fields other than {@link UNIVERSAL_FIELDS}. */
function hasFields(input: BlockFieldsInput): boolean {
  for (const key in input) if (!UNIVERSAL_FIELDS.has(key) && input[key] !== undefined) return true
  return false
}

/** Fields that every block has and that are handled elsewhere, and fields that are output only. */
const UNIVERSAL_FIELDS: ReadonlySet<string> = new Set([
  ...['id', 'type', 'markdown', 'metadata', 'revision', 'pageBlockPath', 'documentId', 'dailyNoteDate', 'properties'],
  ...['contentPreviewMd', 'itemsPreviewMd', 'displayColor', 'uploaded', 'isPreviewImageUploaded'],
])
/**
 * Fields that are not stored as attributes here: they become part of the text, or separate blocks, or are stored when
 * the file of the block is known.
 */
const NON_ATTRIBUTE_FIELDS: ReadonlySet<string> = new Set(['title', 'rawCode', 'content', 'rows', ...STATED_FACTS])

function mergeTaskInfo(input: BlockFieldsInput['taskInfo'], before: TaskInfo | undefined): TaskInfo {
  const result: Record<string, unknown> = { state: 'todo', ...before }
  for (const [key, value] of Object.entries(input ?? {})) {
    if (TASK_STAMPS.includes(key as TaskStamp)) continue
    if (value === null) delete result[key]
    else if (value !== undefined) result[key] = value
  }
  return result as unknown as TaskInfo
}
