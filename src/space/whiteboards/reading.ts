/**
 * A whiteboard in words, so that a reader without eyes can follow it: what its shapes say, which arrows join what, and
 * what frames and groups hold.
 *
 *     A reading of 5 elements:
 *     - rectangle "Web"
 *     - arrow "Web" → "Server": "HTTP"
 *     - rectangle "Server"
 */
import { READING_LENGTH, READING_LINES } from '../../limits.ts'
import { type Box, type Drawn, isFrame, readDrawn } from './drawn.ts'
import type { Json } from './input.ts'
import { directionOf, endsOf, labelsOf, touchable } from './places.ts'

/**
 * Nothing where there is nothing to see. Bounded by {@link READING_LINES} and {@link READING_LENGTH}.
 *
 * @param elements  of the board, the first of them where it has very many
 * @param count  of all its elements
 */
export function readingOf(elements: readonly Json[], count: number): string {
  const drawn = readDrawn(elements)
  if (drawn.length === 0) return ''
  const all = count > elements.length ? `the first ${elements.length.toLocaleString('en-US')} of ` : ''
  const head = `A reading of ${all}${counted(count, 'element')} (change them with elements_update):`
  return [head, ...bounded(new Reader(drawn).lines())].join('\n')
}

function bounded(lines: readonly string[]): string[] {
  const shown: string[] = []
  let length = 0
  for (const line of lines) {
    length += line.length
    if (shown.length === READING_LINES || length > READING_LENGTH) break
    shown.push(line)
  }
  const left = lines.length - shown.length
  return left > 0 ? [...shown, `- … ${counted(left, 'line')} more; elements_list has every element`] : shown
}

class Reader {
  readonly #drawn: readonly Drawn[]
  readonly #ids: ReadonlyMap<string, Drawn>
  readonly #labels: ReadonlyMap<string, readonly Drawn[]>
  readonly #touched: readonly Drawn[]
  /** The texts that are read with what they name. */
  readonly #isLabel: ReadonlySet<Drawn>

  constructor(drawn: readonly Drawn[]) {
    this.#drawn = drawn
    this.#ids = new Map(drawn.map((one) => [one.id, one]))
    this.#labels = labelsOf(drawn)
    this.#touched = touchable(drawn)
    this.#isLabel = new Set([...this.#labels.values()].flat())
  }

  lines(): string[] {
    const frames = this.#drawn.filter(({ type }) => isFrame(type))
    const framed = Map.groupBy(this.#drawn, ({ frameId }) =>
      frameId !== undefined && isFrame(this.#ids.get(frameId)?.type ?? '') ? frameId : '',
    )
    const lines = inReadingOrder(frames).flatMap((frame) => [
      `- frame${quoted(frame.text)}:`,
      ...this.#groups(framed.get(frame.id) ?? []).map(indented),
    ])
    return [...lines, ...this.#groups(framed.get('') ?? [])]
  }

  /** Groups as one entry each, among what stands alone. */
  #groups(drawn: readonly Drawn[]): string[] {
    const seen = drawn.filter((one) => !this.#isLabel.has(one) && !isFrame(one.type))
    const groups = Map.groupBy(seen, ({ groupIds }) => groupIds.at(-1) ?? '')
    const alone = groups.get('') ?? []
    groups.delete('')
    const entries: (Box & { lines: string[] })[] = []
    for (const members of groups.values()) {
      if (members.length === 1) alone.push(...members)
      else entries.push({ ...hull(members), lines: inGroup(this.#entries(members)) })
    }
    const { told, counts } = this.#tell(alone)
    return [...inReadingOrder([...entries, ...told]).flatMap(({ lines }) => lines), ...counts]
  }

  #entries(drawn: readonly Drawn[]): string[] {
    const { told, counts } = this.#tell(drawn)
    return [...inReadingOrder(told).flatMap(({ lines }) => lines), ...counts]
  }

  /** What has something to say line by line; all else is counted. */
  #tell(drawn: readonly Drawn[]) {
    const told: (Box & { lines: string[] })[] = []
    const silent = new Map<string, number>()
    for (const one of drawn) {
      const words = this.#words(one)
      if (words === undefined) {
        const kind = kindOf(one)
        silent.set(kind, (silent.get(kind) ?? 0) + 1)
      } else
        told.push({
          ...boxOf(one),
          lines: [`- ${words}${one.link === undefined ? '' : `, link ${shortened(one.link)}`}`],
        })
    }
    const counts = [...silent].map(([kind, count]) => counted(count, kind))
    return { told, counts: counts.length > 0 ? [`- ${counts.join(', ')}`] : [] }
  }

  #words(one: Drawn): string | undefined {
    const name = this.#name(one)
    if (one.type === 'arrow') {
      const [from, to] = endsOf(one, this.#ids, this.#touched)
      const label = name === '' ? '' : `: ${name.trimStart()}`
      if (from === undefined && to === undefined) return label === '' ? undefined : `${kindOf(one)}${label}`
      return `arrow ${this.#end(from)} ${shaft(one)} ${this.#end(to)}${label}`
    }
    if (one.type === 'text') return `text${name}`
    if (one.type === 'image') return `picture ${Math.round(one.width)}×${Math.round(one.height)}`
    return name === '' && one.link === undefined ? undefined : `${kindOf(one)}${name}`
  }

  #end(one: Drawn | undefined): string {
    if (one === undefined) return '(open)'
    return this.#name(one).trimStart() || kindOf(one)
  }

  /** ` "…"`: its own words, or those of its labels. */
  #name(one: Drawn): string {
    if (one.type === 'text') return quoted(one.text)
    return quoted((this.#labels.get(one.id) ?? []).map(({ text }) => text).join(' / '))
  }
}

const shaft = ({ startArrowhead, endArrowhead }: Drawn): string => {
  if (startArrowhead !== undefined) return endArrowhead !== undefined ? '↔' : '←'
  return endArrowhead !== undefined ? '→' : '—'
}

const KINDS: Record<string, string> = { freedraw: 'stroke', image: 'picture', embeddable: 'embedded page' }

function kindOf(one: Drawn): string {
  if (one.type === 'arrow') return `arrow pointing ${directionOf(one)}`
  return KINDS[one.type] ?? shortened(one.type)
}

/** Characters of one text, type or link in the reading. */
const WORDS = 160

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > WORDS ? `${line.slice(0, WORDS).toWellFormed()}…` : line
}

const quoted = (text: string): string => {
  const line = shortened(text)
  return line === '' ? '' : ` "${line}"`
}

// "2 arrows pointing right": the first word has the ending.
const counted = (count: number, kind: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? kind : kind.replace(/^\S+/, '$&s')}`

/** `- line` of one thing, or of several below each other. */
const inGroup = (lines: readonly string[]): string[] =>
  lines.length === 1 ? lines.map((line) => `- group: ${line.slice(2)}`) : ['- group:', ...lines.map(indented)]

const indented = (line: string): string => `  ${line}`

const boxOf = ({ x, y, width, height }: Box): Box => ({ x, y, width, height })

function hull(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((one) => one.x))
  const y = Math.min(...boxes.map((one) => one.y))
  return { x, y, width: 0, height: 0 }
}

/** How far things may stand apart in height and still be read as one row. */
const ROW = 40

/** From the top to the bottom in rows, each from left to right. */
function inReadingOrder<One extends Box>(boxes: readonly One[]): One[] {
  const order = [...boxes].sort((a, b) => a.y - b.y)
  const rows: One[][] = []
  for (const box of order) {
    const row = rows.at(-1)
    if (row?.[0] === undefined || box.y - row[0].y > ROW) rows.push([box])
    else row.push(box)
  }
  return rows.flatMap((row) => row.sort((a, b) => a.x - b.x))
}
