/**
 * Describes a whiteboard in words, for readers that cannot see it: the text of its shapes, what its arrows connect, and
 * what its frames and groups contain.
 *
 *     A reading of 5 elements:
 *     - rectangle "Web"
 *     - arrow "Web" → "Server": "HTTP"
 *     - rectangle "Server"
 */
import { formatNumber } from '../../base/format-number.ts'
import { WHITEBOARD_DESCRIPTION_LENGTH, WHITEBOARD_DESCRIPTION_LINES } from '../../base/limits.ts'
import { type Box, isFrame, type NormalizedElement, normalizeElements } from '../../render/normalize-element.ts'
import type { JsonObject } from './element-input.ts'
import { arrowDirection, arrowTargets, findArrowEnds, findLabels } from './whiteboard-layout.ts'

/**
 * Returns an empty string if nothing is visible. The description is limited to {@link WHITEBOARD_DESCRIPTION_LINES} and
 * {@link WHITEBOARD_DESCRIPTION_LENGTH}.
 *
 * @param elements  the elements of the whiteboard, or the first of them if there are very many
 * @param count  the number of all its elements
 */
export function describeWhiteboard(elements: readonly JsonObject[], count: number): string {
  const normalized = normalizeElements(elements)
  if (normalized.length === 0) return ''
  const all = count > elements.length ? `the first ${formatNumber(elements.length)} of ` : ''
  const head = `A reading of ${all}${countPhrase(count, 'element')} (change them with elements_update):`
  return [head, ...limitLines(new WhiteboardDescriber(normalized).lines())].join('\n')
}

function limitLines(lines: readonly string[]): string[] {
  const shown: string[] = []
  let length = 0
  for (const line of lines) {
    length += line.length
    if (shown.length === WHITEBOARD_DESCRIPTION_LINES || length > WHITEBOARD_DESCRIPTION_LENGTH) break
    shown.push(line)
  }
  const left = lines.length - shown.length
  return left > 0 ? [...shown, `- … ${countPhrase(left, 'line')} more; elements_list has every element`] : shown
}

class WhiteboardDescriber {
  readonly #elements: readonly NormalizedElement[]
  readonly #ids: ReadonlyMap<string, NormalizedElement>
  readonly #labels: ReadonlyMap<string, readonly NormalizedElement[]>
  readonly #arrowTargets: readonly NormalizedElement[]
  /** Texts that are described together with the element that they label. */
  readonly #labelElements: ReadonlySet<NormalizedElement>

  constructor(elements: readonly NormalizedElement[]) {
    this.#elements = elements
    this.#ids = new Map(elements.map((one) => [one.id, one]))
    this.#labels = findLabels(elements)
    this.#arrowTargets = arrowTargets(elements)
    this.#labelElements = new Set([...this.#labels.values()].flat())
  }

  lines(): string[] {
    const frames = this.#elements.filter(({ type }) => isFrame(type))
    const framed = Map.groupBy(this.#elements, ({ frameId }) =>
      frameId !== undefined && isFrame(this.#ids.get(frameId)?.type ?? '') ? frameId : '',
    )
    const lines = sortInReadingOrder(frames).flatMap((frame) => [
      `- frame${quoteText(frame.text)}:`,
      ...this.#describeGroups(framed.get(frame.id) ?? []).map(indent),
    ])
    return [...lines, ...this.#describeGroups(framed.get('') ?? [])]
  }

  /** Describes each group as one entry, sorted among the ungrouped elements. */
  #describeGroups(elements: readonly NormalizedElement[]): string[] {
    const seen = elements.filter((one) => !this.#labelElements.has(one) && !isFrame(one.type))
    const groups = Map.groupBy(seen, ({ groupIds }) => groupIds.at(-1) ?? '')
    const alone = groups.get('') ?? []
    groups.delete('')
    const entries: (Box & { lines: string[] })[] = []
    for (const members of groups.values()) {
      if (members.length === 1) alone.push(...members)
      else entries.push({ ...groupOrigin(members), lines: formatGroup(this.#describeInOrder(members)) })
    }
    const { described, counts } = this.#describeElements(alone)
    return [...sortInReadingOrder([...entries, ...described]).flatMap(({ lines }) => lines), ...counts]
  }

  #describeInOrder(elements: readonly NormalizedElement[]): string[] {
    const { described, counts } = this.#describeElements(elements)
    return [...sortInReadingOrder(described).flatMap(({ lines }) => lines), ...counts]
  }

  /** Describes elements that have text, a link or connections in one line each. All others are counted. */
  #describeElements(elements: readonly NormalizedElement[]) {
    const described: (Box & { lines: string[] })[] = []
    const undescribed = new Map<string, number>()
    for (const one of elements) {
      const words = this.#describe(one)
      if (words === undefined) {
        const kind = typeName(one)
        undescribed.set(kind, (undescribed.get(kind) ?? 0) + 1)
      } else
        described.push({
          ...toBox(one),
          lines: [`- ${words}${one.link === undefined ? '' : `, link ${shortenText(one.link)}`}`],
        })
    }
    const counts = [...undescribed].map(([kind, count]) => countPhrase(count, kind))
    return { described, counts: counts.length > 0 ? [`- ${counts.join(', ')}`] : [] }
  }

  #describe(one: NormalizedElement): string | undefined {
    const name = this.#label(one)
    if (one.type === 'arrow') {
      const [from, to] = findArrowEnds(one, this.#ids, this.#arrowTargets)
      const label = name === '' ? '' : `: ${name.trimStart()}`
      if (from === undefined && to === undefined) return label === '' ? undefined : `${typeName(one)}${label}`
      return `arrow ${this.#describeEnd(from)} ${arrowSymbol(one)} ${this.#describeEnd(to)}${label}`
    }
    if (one.type === 'text') return `text${name}`
    if (one.type === 'image') return `picture ${Math.round(one.width)}×${Math.round(one.height)}`
    return name === '' && one.link === undefined ? undefined : `${typeName(one)}${name}`
  }

  #describeEnd(one: NormalizedElement | undefined): string {
    if (one === undefined) return '(open)'
    return this.#label(one).trimStart() || typeName(one)
  }

  /** Returns ` "…"` with the text of the element, or of its labels. */
  #label(one: NormalizedElement): string {
    if (one.type === 'text') return quoteText(one.text)
    return quoteText((this.#labels.get(one.id) ?? []).map(({ text }) => text).join(' / '))
  }
}

const arrowSymbol = ({ startArrowhead, endArrowhead }: NormalizedElement): string => {
  if (startArrowhead !== undefined) return endArrowhead !== undefined ? '↔' : '←'
  return endArrowhead !== undefined ? '→' : '—'
}

const TYPE_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({ freedraw: 'stroke', image: 'picture', embeddable: 'embedded page' }),
)

function typeName(one: NormalizedElement): string {
  if (one.type === 'arrow') return `arrow pointing ${arrowDirection(one)}`
  return TYPE_NAMES.get(one.type) ?? shortenText(one.type)
}

/** Maximum length in characters of each text, type or link in the description. */
const MAX_TEXT_LENGTH = 160

function shortenText(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH).toWellFormed()}…` : line
}

const quoteText = (text: string): string => {
  const line = shortenText(text)
  return line === '' ? '' : ` "${line}"`
}

// The plural ending goes on the first word: "2 arrows pointing right".
const countPhrase = (count: number, kind: string): string =>
  `${formatNumber(count)} ${count === 1 ? kind : kind.replace(/^\S+/, '$&s')}`

/** Formats a group of one as `- group: …`, and a larger one as a nested list. */
const formatGroup = (lines: readonly string[]): string[] =>
  lines.length === 1 ? lines.map((line) => `- group: ${line.slice(2)}`) : ['- group:', ...lines.map(indent)]

const indent = (line: string): string => `  ${line}`

const toBox = ({ x, y, width, height }: Box): Box => ({ x, y, width, height })

function groupOrigin(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((one) => one.x))
  const y = Math.min(...boxes.map((one) => one.y))
  return { x, y, width: 0, height: 0 }
}

/** The largest difference in y, in pixels, between elements that are read as one row. */
const ROW_HEIGHT = 40

/** Sorts into rows from top to bottom, each from left to right. */
function sortInReadingOrder<One extends Box>(boxes: readonly One[]): One[] {
  const order = [...boxes].sort((a, b) => a.y - b.y)
  const rows: One[][] = []
  for (const box of order) {
    const row = rows.at(-1)
    if (row?.[0] === undefined || box.y - row[0].y > ROW_HEIGHT) rows.push([box])
    else row.push(box)
  }
  return rows.flatMap((row) => row.sort((a, b) => a.x - b.x))
}
