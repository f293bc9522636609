/**
 * Shows the arguments of calls that their difference does not show, as a section of a diff. With these, a person reads
 * everything that an agent asks for.
 *
 *     --- blocks_move	before
 *     +++ blocks_move	after
 *     @@ -0,0 +1,2 @@ arguments
 *     +block 1: "Permits take six weeks." (100000000003)
 *     +position › page: "Archive" (100000000009)
 */
import { PROPOSAL_LENGTH } from '../../base/limits.ts'
import { iterateCooperatively } from '../../base/scheduling.ts'
import { type DiffLine, parseUnifiedDiff } from '../../difference/read-diff.ts'
import { writeArguments } from '../../difference/unified-diff.ts'
import { unescapePlainText } from '../../markdown/blocks/collection-tags.ts'
import { readIdNames, readTexts } from '../history/id-names.ts'
import { shortenText } from '../history/row-names.ts'
import { fieldLabel, Name, valueText } from '../history/value-text.ts'
import type { Space } from '../model/space.ts'
import type { StoredStep } from './proposal.ts'
import type { ProposedFile } from './proposed-files.ts'

/** A single value in the arguments of a call. */
interface Leaf {
  /** Such as `tasks 2 › deadline date`. */
  path: string
  /** The name of its own field. */
  field: string
  value: unknown
}

/** Nesting levels whose values are shown one by one. Deeper ones are shown as they are. */
const LEVELS = 12

/**
 * Returns an empty text if the difference shows all arguments, and none if they are longer than a person could read.
 *
 * @param diff  of what the calls change
 * @param files  that the calls add
 */
export async function askedArguments(
  space: Space,
  steps: readonly StoredStep[],
  diff: string,
  files: readonly ProposedFile[] = [],
): Promise<string | undefined> {
  const shown = new Shown(diff)
  const calls: { title: string; as: string | undefined; leaves: Leaf[] }[] = []
  let length = 0
  for (const [index, { tool, as, arguments: given }] of steps.entries()) {
    const leaves: Leaf[] = []
    for await (const leaf of iterateCooperatively(leavesOf(given))) {
      if (idIn(leaf.value) === undefined && shown.has(leaf)) continue
      length += leaf.path.length + (typeof leaf.value === 'string' ? leaf.value.length : 1)
      if (length > PROPOSAL_LENGTH) return undefined
      leaves.push(leaf)
    }
    for (const file of files) if (file.step === index) leaves.push(contentOf(file))
    calls.push({ title: steps.length > 1 ? `${index + 1}. ${tool}` : tool, as, leaves })
  }
  const texts = calls.flatMap(({ leaves }) => leaves.flatMap(({ value }) => idIn(value) ?? []))
  const ids = await space.readIds(texts)
  const names = await readIdNames(space, [...new Set(ids.values())])
  const standing = await standingLines(space, ids)
  const sections = calls.flatMap(({ title, as, leaves }) => {
    const hidden = leaves.flatMap((leaf) => {
      const id = ids.get(idIn(leaf.value) ?? '') ?? 0
      const name = names.get(id)
      if (name === undefined) return shown.has(leaf, standing) ? [] : leaf
      return shown.hasNamed(name, space.spellId(id)) ? [] : { ...leaf, value: new Name(name) }
    })
    const lines = linesOf(hidden)
    const all = as === undefined ? lines : [`as: ${valueText(as)}`, ...lines]
    return all.length > 0 ? writeArguments(title, all) : []
  })
  return sections.join('\n')
}

/** What a file contains, or which bytes it has. */
const contentOf = ({ text, mediaType, size, hash }: ProposedFile): Leaf => ({
  ...{ path: 'content', field: 'content' },
  value: text ?? new Name(`(${mediaType}, ${size} bytes, SHA-256 ${hash})`),
})

/** Lists without objects are one value, such as the points of a line. Lists of texts may be of IDs, which have names. */
function* leavesOf(value: unknown, path = '', field = '', level = 0): Generator<Leaf> {
  if (typeof value !== 'object' || value === null || level === LEVELS || isOneValue(value)) yield { path, field, value }
  else if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) yield* leavesOf(one, `${path} ${index + 1}`, field, level + 1)
  } else {
    for (const [key, one] of Object.entries(value)) {
      const label = fieldLabel(key)
      yield* leavesOf(one, path === '' ? label : `${path} › ${label}`, label, level + 1)
    }
  }
}

function isOneValue(value: object): boolean {
  if (!Array.isArray(value)) return Object.keys(value).length === 0
  return value.every((one) => (typeof one === 'object' && one !== null ? isOneValue(one) : typeof one !== 'string'))
}

/** A text that may be an ID, also as the address of a block. */
const idIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= ID_LENGTH ? value.replace(/^block:\/\//, '') : undefined
const ID_LENGTH = 60

/** Characters of values that share a line with others of the same entry of a list. */
const SHORT_LENGTH = 60
/** The entry of a list, and the field within it. */
const ENTRY = /^([^›]* \d+) › (.*)$/

/** Short values of one entry stand on one line: `tasks 2: state: todo, deadline date: 2026-12-01`. */
function linesOf(leaves: readonly Leaf[]): string[] {
  const lines: string[] = []
  let last: string | undefined
  for (const { path, value } of leaves) {
    const text = valueText(value)
    const isLong = typeof value === 'string' && value.includes('\n')
    const [, entry, rest] = isLong || text.length > SHORT_LENGTH ? [] : (ENTRY.exec(path) ?? [])
    if (isLong) lines.push(path, ...value.split('\n').map((line) => `  | ${line}`))
    else if (entry === undefined) lines.push(`${path}: ${text}`)
    else if (entry === last) lines.push(`${lines.pop()}, ${rest}: ${text}`)
    else lines.push(`${entry}: ${rest}: ${text}`)
    last = entry
  }
  return lines
}

/** Lines of the blocks that the calls name. A text that keeps them does not change them. */
async function standingLines(space: Space, ids: ReadonlyMap<string, number>): Promise<ReadonlySet<string>> {
  const texts = await readTexts(space, [...new Set(ids.values())])
  return new Set(texts.flatMap((text) => text.split('\n').map(withoutMarks)))
}

/** What a diff shows. */
class Shown {
  readonly #added = new Set<string>()
  readonly #shown = new Set<string>()
  readonly #fields = new Set<string>()
  readonly #ids = new Set<string>()
  /** What the details say of comments: see COMMENT_FIELD. */
  readonly #comments = new Set<string>()

  constructor(diff: string) {
    for (const { title, hunks } of parseUnifiedDiff(diff)) {
      this.#shown.add(shortenText(title))
      for (const { kind, lines } of hunks) {
        for (const line of lines) kind === 'details' ? this.#addDetail(line) : this.#addLine(line)
        if (kind === 'details') this.#addComments(lines)
      }
    }
  }

  /**
   * True for texts whose lines are all among the added ones, and for fields with the same name among the details.
   *
   * @param standing  lines that stand in a document already: a longer text may have them
   */
  has({ path, field, value }: Leaf, standing?: ReadonlySet<string>): boolean {
    if (this.#fields.has(`${field}: ${valueText(value)}`)) return true
    if (COMMENT_FIELD.test(path) && this.#comments.has(`${field}: ${value}`)) return true
    if (typeof value !== 'string' || value.trim() === '') return false
    const lines = value.split('\n').map(withoutMarks)
    return lines.every((line) => line === '' || this.#added.has(line) || (lines.length > 1 && standing?.has(line)))
  }

  /** True for the name of a block or document whose text stands in the diff, and for what its details name. */
  hasNamed(name: string, id: string): boolean {
    const quoted = quotedIn(name)[0]
    return this.#ids.has(id) || (quoted !== undefined && name.startsWith('"') && this.#shown.has(quoted))
  }

  #addLine({ sign, text }: DiffLine): void {
    const line = withoutMarks(text)
    this.#shown.add(shortenText(line))
    if (sign !== '+') return
    for (const one of [line, ...linkParts(line)]) this.#added.add(one)
    const [, key = '', value = ''] = PROPERTY.exec(text) ?? []
    if (key !== '') this.#fields.add(`${fieldLabel(key)}: ${unescapePlainText(value)}`)
  }

  #addDetail({ sign, text }: DiffLine): void {
    for (const [, id = ''] of text.matchAll(NAMED)) this.#ids.add(id)
    if (sign !== '+') return
    for (const field of fieldsIn(text)) this.#fields.add(field)
    for (const quoted of quotedIn(text)) this.#added.add(quoted)
    const [, line] = LINE_OF_TEXT.exec(text) ?? []
    if (line !== undefined) this.#added.add(withoutMarks(line))
  }

  #addComments(lines: readonly DiffLine[]): void {
    const sides = { '-': new Map<string, string>(), '+': new Map<string, string>() }
    for (const { sign, text } of lines) {
      const [subject] = COMMENT.exec(text) ?? []
      if (subject !== undefined && sign !== ' ') sides[sign].set(subject, text.replace(QUOTED, '""'))
    }
    for (const subject of new Set([...sides['-'].keys(), ...sides['+'].keys()])) {
      const [before, after] = [sides['-'].get(subject), sides['+'].get(subject)]
      if (after === undefined) this.#comments.add('delete: true')
      const [was, is] = [before, after].map((text = '') => / resolved: /.test(text))
      if (was !== is && after !== undefined) this.#comments.add(`resolved: ${is}`)
      const [waited, waits] = [before, after].map((text = '') => / waits for confirmation: /.test(text))
      if (waited && !waits) this.#comments.add('confirmed: true')
    }
  }
}

/** Arguments about a comment whose effect the details show: it is resolved, open again, confirmed or gone. */
const COMMENT_FIELD = /^comments \d+ › (?:resolved|confirmed|delete)$/
/** The subject of a line about a comment, up to the ID of the comment. */
const COMMENT = /^comment by (?:"(?:[^"\\]|\\.)*"|[^\s"]+) \([\w-]+\)/
/** A line of a longer text. */
const LINE_OF_TEXT = /^ {2}\| (.*)$/

/** Texts in quotes, as names and values have them. */
const quotedIn = (text: string): string[] => (text.match(QUOTED) ?? []).map((one) => JSON.parse(one) as string)
const QUOTED = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/gu
/** An ID after a name. */
const NAMED = /\(([0-9a-fA-F-]{12,36})\)/g
const PROPERTY = /^\s*<property name="([^"]*)">(.*)<\/property>$/

/** The label and the address of a link, a picture or a file that stands alone on its line. */
const linkParts = (line: string): string[] => /^!?\[(.*)\]\((\S+?)(?: "[^"]*")?\)$/.exec(line)?.slice(1) ?? []

/** The fields of a line of details, also those within a value, and the single values of a list. */
function fieldsIn(line: string): string[] {
  // Quoted text is no field, whatever it says.
  const quoted = line.match(QUOTED) ?? []
  let next = 0
  const outline = line.replace(QUOTED, () => `"${next++}"`)
  const fields = outline.split(/(?:, |: |\{)(?=[\p{L} ]+: )/u).flatMap((field) => {
    const plain = field.replace(/\}+$/, '')
    const [, name = '', values] = /^([\p{L} ]+): \[(.*)\]$/u.exec(plain) ?? []
    return [plain, ...(values?.split(', ').map((value) => `${name}: ${value}`) ?? [])]
  })
  return fields.map((field) => field.replace(/"(\d+)"/g, (_, index: string) => quoted[Number(index)] ?? ''))
}

/** A line without what marks its kind: indentation, lists, headings, quotes, and tags around it. */
function withoutMarks(line: string): string {
  const plain = line.replace(MARKS, '')
  const value = plain.replace(/<\/(?:callout|caption|pageTitle|title|property)>$/, '').trim()
  return /<\/(?:title|property)>$/.test(plain) ? unescapePlainText(value) : value
}
const MARKS =
  /^(?:[\s>|]|[-+*]\s|#{1,4}\s|\d{1,9}[.)]\s|\[[ x-]\]\s|<(?:callout|caption|pageTitle|title|property name="[^"]*")>)+/
