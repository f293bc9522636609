/** Block fields in the arguments of calls: which type accepts which fields, and how they change a block. */
import { dateOf } from './days.ts'
import { draft, read } from './texts.ts'
import { type Draft, invalid, type Json, type Task } from './world.ts'

export type BlockInput = Json & { type?: string; markdown?: string; content?: BlockInput[]; taskInfo?: Json }

const COMMON = ['indentationLevel', 'listStyle', 'decorations', 'color', 'taskInfo']
const WRITTEN = ['textStyle', 'textAlignment', 'font', 'cardLayout']
const OWN: Record<string, readonly string[]> = {
  text: [...WRITTEN, 'content'],
  page: [...WRITTEN, 'title', 'content'],
  collectionItem: ['title'],
  image: ['url', 'altText', 'size', 'width'],
  file: ['url', 'fileName', 'blockLayout'],
  whiteboard: ['url'],
  table: ['rows'],
  collection: [],
  code: ['rawCode', 'language'],
  richUrl: ['url', 'title', 'description', 'layout'],
  line: ['lineStyle'],
}
const NEEDED: Record<string, readonly string[]> = {
  ...{ text: ['markdown'], page: ['title', 'markdown'], code: ['rawCode', 'markdown'], richUrl: ['url', 'markdown'] },
  ...{ table: ['markdown'], image: ['url', 'markdown'], file: ['url', 'markdown'] },
}
const NEW_TYPES = ['text', 'page', 'code', 'richUrl', 'line', 'table', 'image', 'file', 'whiteboard']
/** The values of fields with a fixed set of choices, as far as the generated calls use them. */
const CHOICES: Record<string, readonly unknown[]> = {
  listStyle: ['none', 'bullet', 'numbered', 'toggle', 'task'],
  textStyle: ['card', 'page', 'h1', 'h2', 'h3', 'h4', 'caption', 'body'],
  textAlignment: ['left', 'center', 'right', 'justify'],
  font: ['system', 'serif', 'rounded', 'mono'],
  lineStyle: ['strong', 'regular', 'light', 'extraLight', 'pageBreak'],
  language: ['plaintext', 'typescript', 'python'],
  indentationLevel: [0, 1, 2, 3, 4, 5],
}
const KNOWN = new Set(['id', 'type', 'markdown', ...COMMON, ...Object.values(OWN).flat()])
const DEFAULTS: Json = {
  ...{ indentationLevel: 0, listStyle: 'none', textStyle: 'body', textAlignment: 'left', lineStyle: 'regular' },
  language: 'plaintext',
}

/** Refuses values that are invalid for every type of block. */
export function checkShape(input: BlockInput): void {
  for (const [key, value] of Object.entries(input)) {
    if (!KNOWN.has(key) || (CHOICES[key] !== undefined && !CHOICES[key].includes(value))) throw invalid()
  }
  if (input.type !== undefined && OWN[input.type] === undefined) throw invalid()
  if (input.taskInfo !== undefined) checkTask(input.taskInfo)
  for (const inner of input.content ?? []) checkNewShape(inner)
}

export function checkNewShape(input: BlockInput): void {
  checkShape(input)
  if (!NEW_TYPES.includes(input.type ?? '')) throw invalid()
}

export function checkTask(task: Json): void {
  const states = ['todo', 'done', 'canceled']
  if (task.state !== undefined && !states.includes(String(task.state))) throw invalid()
  for (const date of [task.scheduleDate, task.deadlineDate]) {
    if (typeof date === 'string') dateOf(date, '2026-01-01')
  }
}

/** Converts the arguments for new blocks to drafts. */
export const drafts = (inputs: readonly BlockInput[]): Draft[] => inputs.flatMap(draftsOf)

function draftsOf(input: BlockInput): Draft[] {
  const { type = '', content = [] } = input
  const needed = NEEDED[type]
  if (needed !== undefined && !needed.some((key) => input[key] !== undefined)) throw invalid()
  const made = startOf(input)
  for (const one of made) withFields(one, input)
  const [holder] = made
  if (content.length === 0) return made
  if (holder === undefined || made.length > 1 || (type !== 'text' && type !== 'page')) throw invalid()
  return [{ ...holder, type: 'page', content: drafts(content) }]
}

function startOf({ type = '', markdown, title, rawCode }: BlockInput): Draft[] {
  if (type === 'page') return [draft('page', String(title ?? markdown))]
  if (type === 'text') return read(String(markdown))
  if (type === 'code') return [draft('code', String(rawCode))]
  return [draft(type, type === 'table' ? String(markdown) : '')]
}

type Fields = Pick<Draft, 'type' | 'indentation' | 'listStyle' | 'task' | 'fields'>

/** Applies explicit fields to a block. A default value removes the field. */
export function withFields(block: Fields, input: BlockInput): void {
  const own = OWN[input.type ?? block.type] ?? []
  for (const [key, value] of Object.entries(input)) {
    if (value === undefined || ['id', 'type', 'markdown'].includes(key)) continue
    if (!COMMON.includes(key) && !own.includes(key)) throw invalid()
    if (['rawCode', 'content', 'rows'].includes(key)) continue
    if (WRITTEN.includes(key) && block.type !== 'text' && block.type !== 'page') continue
    const isGone = value === null || value === DEFAULTS[key]
    if (key === 'indentationLevel') block.indentation = Number(value)
    else if (key === 'listStyle') block.listStyle = isGone ? undefined : String(value)
    else if (key === 'taskInfo') block.task = taskOf(value as Json, block.task)
    else if (key === 'decorations') setField(block, key, decorationsOf(value as string[]))
    else if (key !== 'title' || block.type === 'richUrl') setField(block, key, isGone ? undefined : value)
  }
  if (block.listStyle === 'task') block.task ??= { state: 'todo' }
  else if (Object.values(input.taskInfo ?? {}).some((value) => value !== null && value !== undefined)) throw invalid()
}

function setField(block: Fields, key: string, value: unknown): void {
  const { [key]: _before, ...others } = block.fields
  block.fields = value === undefined ? others : { ...others, [key]: value }
}

const decorationsOf = (words: readonly string[]): object | undefined =>
  words.length === 0 ? undefined : Object.fromEntries(words.map((word) => [word, true]))

/** Merges changes into a task. `null` clears a field. */
export function taskOf(given: Json, before: Task | undefined): Task {
  const task: Json = { state: 'todo', ...before }
  for (const [key, value] of Object.entries(given)) {
    if (value === null) delete task[key]
    else if (value !== undefined) task[key] = value
  }
  return task as unknown as Task
}
