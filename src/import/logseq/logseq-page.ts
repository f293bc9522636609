/** Translates a page of Logseq to our Markdown: its outline, tasks, properties, and links between blocks. */
import { stringify } from 'yaml'
import { addToGroup } from '../../base/grouping.ts'
import { LIST_LEVELS } from '../../markdown/block.ts'
import { replaceText } from '../markdown/note-lines.ts'
import type { Translation, TranslationProblem } from '../translated-notes.ts'
import { readTaskDate } from './logseq-dates.ts'
import { type LogseqLinks, translateText } from './logseq-links.ts'
import { type OutlineBlock, type OutlineLine, readOutline } from './logseq-outline.ts'

const PROPERTY = /^[ \t]*([^\s:#`[\]()][^\s:`]*):: ?(.*)$/
const MARKER =
  /^(#{1,6}[ \t]+)?(TODO|DOING|DONE|LATER|NOW|WAITING|WAIT|IN-PROGRESS|STARTED|CANCELED|CANCELLED)(?:[ \t]+(.*))?$/
/** The box of a task by its state. All others are open. */
const BOXES: ReadonlyMap<string, string> = new Map(Object.entries({ DONE: 'x', CANCELED: '-', CANCELLED: '-' }))
const PLAIN_STATES: ReadonlySet<string> = new Set(['TODO', 'LATER', 'DONE', 'CANCELED', 'CANCELLED'])
/** Properties that say how a block is shown, or what its ID is. */
const SILENT: ReadonlySet<string> = new Set(['id', 'collapsed', 'logseq.order-list-type'])
const CALLOUTS: ReadonlySet<string> = new Set(['NOTE', 'TIP', 'IMPORTANT', 'WARNING', 'CAUTION', 'PINNED'])
const BLOCK_BEGIN = /^[ \t]*#\+BEGIN_(\w+)[ \t]*(.*)$/i

export function translatePage(text: string, links: LogseqLinks): Translation {
  const page = new PageWriter(links)
  page.write(readOutline(text))
  return { text: page.texts.join('\n'), lines: page.lines, problems: page.problems }
}

/** The properties of a page, which stand in its first block. */
export function pageProperties(blocks: readonly OutlineBlock[]): Map<string, string> | undefined {
  const [first] = blocks
  const lines = first?.lines.filter(({ text }) => text.trim() !== '') ?? []
  if (first === undefined || first.depth > 0 || lines.length === 0) return undefined
  // A bullet with children of its own is no list of properties.
  if (first.isBullet && (blocks[1]?.depth ?? 0) > 0) return undefined
  const found = lines.map(({ text, isCode }) => (isCode ? null : PROPERTY.exec(text)))
  if (!found.every((one) => one !== null)) return undefined
  return new Map(found.map((one) => [one[1] ?? '', (one[2] ?? '').trim()]))
}

/** The ID of a block, and the label of links to it. */
export function blockId({ lines }: OutlineBlock): { id: string; label: string } | undefined {
  const line = lines.find(({ text, isCode }) => !isCode && /^[ \t]*id:: ?\S/.test(text))
  const [, id] = /^[ \t]*id:: ?([\w-]{1,64})[ \t]*$/.exec(line?.text ?? '') ?? []
  if (id === undefined) return undefined
  const first = lines.find(({ text, isCode }) => !isCode && text.trim() !== '' && !PROPERTY.test(text))?.text ?? ''
  const [, , , rest] = MARKER.exec(first) ?? []
  const label = (rest ?? first)
    .slice(0, 500)
    .replace(/\{\{[^{}]*\}\}|\(\([\w-]+\)\)|^#{1,6}[ \t]+|[[\]|*`^]/g, '')
    .trim()
  return { id: id.toLowerCase(), label: label.length > LABEL_LENGTH ? `${label.slice(0, LABEL_LENGTH)}…` : label }
}

/** How many characters of a block a link to it shows. */
const LABEL_LENGTH = 80

class PageWriter {
  readonly texts: string[] = []
  readonly lines: number[] = []
  readonly problems: TranslationProblem[] = []
  readonly #links: LogseqLinks
  readonly #known = new Set<string>()
  /** The last numbers of numbered blocks, by depth. */
  readonly #counts: number[] = []

  constructor(links: LogseqLinks) {
    this.#links = links
  }

  write(blocks: readonly OutlineBlock[]): void {
    const properties = pageProperties(blocks)
    if (properties !== undefined) {
      const yaml = stringify(Object.fromEntries(properties), { lineWidth: 0 }).trimEnd().split('\n')
      for (const line of ['---', ...yaml, '---']) this.#add(line, 1)
    }
    for (const [index, block] of blocks.entries()) {
      if (index === 0 && properties !== undefined) continue
      const isEmpty = block.lines.every(({ text }) => text.trim() === '')
      const hasInner = (blocks[index + 1]?.depth ?? 0) > block.depth
      if (!isEmpty || hasInner) this.#block(block)
    }
  }

  #add(text: string, line: number): void {
    this.texts.push(text)
    this.lines.push(line)
  }

  #report(line: number, kind: TranslationProblem['kind'], message: string, detail = ''): void {
    const key = `${line} ${message} ${detail}`
    if (this.#known.has(key)) return
    this.#known.add(key)
    this.problems.push({ line, kind, message, ...(detail !== '' && { detail }) })
  }

  #count(depth: number): number {
    const count = (this.#counts[depth] ?? 0) + 1
    this.#counts.length = depth
    this.#counts[depth] = count
    return count
  }

  #block(block: OutlineBlock): void {
    const number = block.lines[0]?.number ?? 0
    if (block.depth >= LIST_LEVELS) {
      this.#report(number, 'changed', `A block below level ${LIST_LEVELS} of the outline is one of that level.`)
    }
    const outer = '  '.repeat(Math.min(block.depth, LIST_LEVELS - 1))
    const parts = this.#partsOf(block)
    const [head, ...rest] = parts.lines
    const id = parts.id === undefined ? '' : ` ^${parts.id}`
    if (!block.isBullet) {
      this.#add('', number)
      this.#content(parts.lines, outer, outer)
      this.#add('', number)
      return
    }
    const sign = parts.isNumbered ? `${this.#count(block.depth)}.` : '-'
    if (!parts.isNumbered) this.#counts.length = Math.min(this.#counts.length, block.depth)
    const [, name = ''] = BLOCK_BEGIN.exec(head?.text ?? '') ?? []
    const inner = `${outer}${' '.repeat(sign.length + 1)}`
    if (CALLOUTS.has(name.toUpperCase())) {
      // A callout has no sign of its own: what follows it in the outline stays deeper than it.
      this.#content(parts.lines, outer, outer)
      if (id !== '') this.#add(`${outer}${id.trim()}`, number)
      return
    }
    const start = `${outer}${sign} `
    if (head !== undefined && (head.isCode || name !== '')) {
      this.#content(parts.lines, start, inner)
      if (id !== '') this.#add(`${inner}${id.trim()}`, number)
      return
    }
    const task = MARKER.exec(head?.text ?? '')
    if (task !== null) this.#task(task, parts, start, id, number)
    else if (head === undefined || head.text.trim() === '') this.#add(`${start}<br>${id}`, number)
    else this.#add(`${start}${this.#textOf(head)}${id}`, number)
    this.#content(rest, inner, inner)
  }

  #task(task: RegExpExecArray, parts: BlockParts, start: string, id: string, number: number): void {
    const [, heading, state = '', content = ''] = task
    if (heading !== undefined) this.#report(number, 'changed', 'A heading that is a task is a task alone.')
    if (!PLAIN_STATES.has(state)) this.#report(number, 'changed', 'The state of a task is only that it is open.', state)
    const dates = parts.dates.map(({ field, day, repeat, rest }) => {
      for (const one of rest) this.#report(number, 'left out', 'A part of the date of a task is left out.', one)
      return ` ${field === 'SCHEDULED' ? '⏳' : '📅'} ${day}${repeat === undefined ? '' : ` 🔁 ${repeat}`}`
    })
    const done = parts.completed === undefined || state !== 'DONE' ? '' : ` ✅ ${parts.completed}`
    const text = this.#textOf({ text: content, number, isCode: false })
    this.#add(`${start}[${BOXES.get(state) ?? ' '}] ${text}${dates.join('')}${done}${id}`, number)
  }

  /** Takes what is no text out of a block. */
  #partsOf({ lines, isBullet }: OutlineBlock): BlockParts {
    const parts: BlockParts = { lines: [], dates: [], isNumbered: false }
    const isTask = lines[0] !== undefined && MARKER.test(lines[0].text)
    for (const line of this.#withoutDrawers(lines)) {
      const date = line.isCode || !isTask ? undefined : readTaskDate(line.text.trim())
      if (date !== undefined && !parts.dates.some(({ field }) => field === date.field)) parts.dates.push(date)
      else if (line.isCode || !isBullet || !this.#readProperty(line, parts)) parts.lines.push(line)
    }
    if (parts.id?.includes('_')) delete parts.id
    while (parts.lines.length > 0 && parts.lines.at(-1)?.text.trim() === '') parts.lines.pop()
    return parts
  }

  /** Leaves out `:LOGBOOK:` and `:PROPERTIES:` with all lines up to `:END:`. A drawer that never ends is text. */
  #withoutDrawers(lines: readonly OutlineLine[]): OutlineLine[] {
    const end = lines.findLast(({ text }) => text.trim() === ':END:')?.number ?? 0
    let isOpen = false
    return lines.filter(({ text, number, isCode }) => {
      if (isCode) return true
      if (isOpen) {
        isOpen = text.trim() !== ':END:'
        return false
      }
      const [, opened] = /^:(LOGBOOK|PROPERTIES):$/.exec(text.trim()) ?? []
      if (opened === undefined || number >= end) return true
      isOpen = true
      this.#report(number, 'left out', 'A drawer with the times of a block is left out.', opened)
      return false
    })
  }

  /** @returns true if the line says how the block is shown, or what its ID is, so that it is no text */
  #readProperty({ text }: OutlineLine, parts: BlockParts): boolean {
    const [, name = '', value = ''] = PROPERTY.exec(text) ?? []
    if (name === 'id') parts.id ??= /^[\w-]{1,64}$/.exec(value.trim())?.[0].toLowerCase()
    if (name === 'logseq.order-list-type') parts.isNumbered = value.trim() === 'number'
    if (name === 'completed') parts.completed = this.#links.dayOf(value.replace(/[[\]]/g, '').trim())
    return SILENT.has(name)
  }

  /** Writes lines of a block: text, code, and what stands between `#+BEGIN_` and `#+END_`. */
  #content(lines: readonly OutlineLine[], first: string, others: string): void {
    let start = first
    const put = (text: string, number: number) => {
      this.#add(text === '' ? '' : `${start}${text}`, number)
      if (text !== '') start = others
    }
    for (let index = 0; index < lines.length; index++) {
      const line = lines[index]
      if (line === undefined) continue
      const [, name, more = ''] = BLOCK_BEGIN.exec(line.text) ?? []
      if (line.isCode && name !== undefined) {
        const end = endOfOrgBlock(lines, index, name)
        const inner = lines.slice(index + 1, end)
        // What stands beside a quote or callout would become part of it.
        put('', line.number)
        this.#orgBlock(name.toUpperCase(), more, line.number, inner, put)
        put('', line.number)
        index = end
      } else if (line.isCode) put(line.text, line.number)
      // Deeper indentation has no meaning but for lists.
      else
        put(
          /^[ \t]*(?:[*+-]|\d+[.)])[ \t]/.test(line.text) ? this.#textOf(line) : this.#textOf(line).trimStart(),
          line.number,
        )
    }
  }

  #orgBlock(
    name: string,
    more: string,
    number: number,
    inner: readonly OutlineLine[],
    put: (text: string, number: number) => void,
  ): void {
    const [, word = ''] = /^(\S+)/.exec(more) ?? []
    if (name === 'QUOTE' || name === 'VERSE' || name === 'CENTER' || CALLOUTS.has(name)) {
      if (CALLOUTS.has(name)) put(`> [!${name.toLowerCase()}]`, number)
      for (const line of inner) put(`> ${this.#textOf({ ...line, isCode: false }).trimStart()}`.trimEnd(), line.number)
      return
    }
    if (name === 'QUERY') this.#report(number, 'changed', 'A query of Logseq is kept as code.')
    const ticks = inner.reduce((most, { text }) => Math.max(most, /`{3,}/.exec(text)?.[0].length ?? 0), 2)
    const fence = '`'.repeat(ticks + 1)
    put(`${fence}${name === 'SRC' ? word : name === 'QUERY' ? 'clojure' : ''}`, number)
    for (const { text, number: line } of inner) put(text, line)
    put(fence, inner.at(-1)?.number ?? number)
  }

  #textOf({ text, number }: OutlineLine): string {
    const isInTable = /^[ \t]*\|/.test(text)
    // Code that is never closed would go on to the end of the page.
    const plain = text.replace(/^([ \t]*)(?=```[^`]*$|~~~)/, '$1\\')
    return replaceText(plain, (plainPart) =>
      translateText(plainPart, this.#links, isInTable, (kind, message, detail) =>
        this.#report(number, kind, message, detail),
      ),
    )
  }
}

function endOfOrgBlock(lines: readonly OutlineLine[], start: number, name: string): number {
  let end = start + 1
  while (end < lines.length && lines[end]?.text.trim().toUpperCase() !== `#+END_${name.toUpperCase()}`) end++
  return end
}

interface BlockParts {
  lines: OutlineLine[]
  dates: NonNullable<ReturnType<typeof readTaskDate>>[]
  isNumbered: boolean
  id?: string | undefined
  completed?: string | undefined
}

/** The blocks that have IDs, by ID. The first of several counts. */
export function blockIds(blocks: readonly OutlineBlock[]): Map<string, string> {
  const found = new Map<string, string[]>()
  for (const block of blocks) {
    const one = blockId(block)
    if (one !== undefined) addToGroup(found, one.id, one.label)
  }
  return new Map([...found].map(([id, [label = '']]) => [id, label]))
}
