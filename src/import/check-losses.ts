/**
 * Compares what was imported with its source, and reports what is missing by line. It does not know how formats are
 * converted, so that it also finds unforeseen losses.
 */
import { IMPORT_CHECK_SECONDS, IMPORT_CHECK_SLOW_SECONDS, IMPORT_SLOW_FILES } from '../base/limits.ts'
import { compareItems } from '../losses/compare-items.ts'
import { compareQuickly } from '../losses/compare-quickly.ts'
import type { ImportedText, SourceComparison } from '../losses/compare-source.ts'
import { findImportLosses } from '../losses/find-losses.ts'
import type { Dialect } from '../losses/note-text.ts'
import type { ItemKind, VisibleItem } from '../losses/visible-item.ts'
import type { Block } from '../markdown/block.ts'
import type { ImportContent } from '../space/import/imported-content.ts'
import type { ImportProblem, ProblemKind } from './import-source.ts'

export interface CheckedText {
  path: string
  source: string
  language: Dialect | 'html'
  /** Lines of the file before the text. Undefined if its lines have no numbers in the file. */
  linesBefore: number | undefined
  /** What was made of the text. */
  content: ImportContent
  /**
   * Where a link or image of the source leads: the address that a block must have, or undefined if nothing has to lead
   * there. Other addresses stay as they are.
   */
  endOf(item: VisibleItem): CheckedEnd | undefined
  /** What the conversion reported already. */
  problems: readonly ImportProblem[]
}

export interface CheckedEnd {
  address: string
  /** True if a link stands for what was shown in place. */
  isLink?: boolean
}

/** The address of a file, until its block has one. */
export const fileEnd = (path: string): string => `x-file:${path}`

/** For sources in which only links to the web are compared, since the others have the form of another program. */
export const webEnd = ({ value }: VisibleItem): CheckedEnd | undefined =>
  /^https?:/i.test(value) ? { address: value } : undefined

/** Comparisons of this thread that took too long. It imports one source. */
let slowChecks = 0

/** What is missing in the blocks of a text. */
export async function checkLosses(text: CheckedText): Promise<ImportProblem[]> {
  const { source, language, content } = text
  const { files, comments, reminders } = content
  const addresses = new Map([...files].map(([block, { path }]) => [block, fileEnd(path)]))
  const beside = [
    ...[...comments.values()]
      .flat()
      .map(({ content, author = '', createdAt, resolvedBy = '', resolvedAt, about }) =>
        [
          ...[author, isoOf(createdAt), resolvedBy, isoOf(resolvedAt)],
          ...(about === undefined ? [] : [`on ${about.words} ${about.place}`]),
          content,
        ].join('\n'),
      ),
    ...[...reminders.values()].map(({ remindAt, completedAt }) =>
      ['reminder', remindAt === null ? 'later' : isoOf(remindAt), isoOf(completedAt)].join(' '),
    ),
    ...blockersIn(content.blocks),
  ]
  const imported: ImportedText = { source, language, blocks: content.blocks, addresses, beside }
  const lostLinks = (found: SourceComparison) => linksOf(found, text, addresses)
  const quick = compareQuickly(imported)
  if (quick !== undefined && lostLinks(quick).length === 0) return []
  const seconds = slowChecks < IMPORT_SLOW_FILES ? IMPORT_CHECK_SECONDS : IMPORT_CHECK_SLOW_SECONDS
  const found = await findImportLosses(imported, seconds)
  if (found.compared !== 'all') slowChecks++
  return [...linesOf([...found.losses, ...lostLinks(found)], text), ...notWhole(found.compared, text)]
}

/** What tasks wait for, as exports write it. */
function* blockersIn(blocks: readonly Block[]): Generator<string> {
  for (const { blockedBy, content = [] } of blocks) {
    if (blockedBy !== undefined) yield `blocked by ${blockedBy.map((id) => `[task](block://${id})`).join(' ')}`
    yield* blockersIn(content)
  }
}

/** Links and images that lead nowhere, as they are written. Those on lines with a problem are known. */
function linksOf(
  { source, result }: SourceComparison,
  { content: { files, ids }, endOf, problems, linesBefore = 0 }: CheckedText,
  addresses: ReadonlyMap<Block, string>,
): VisibleItem[] {
  const ofFiles = new Map<string, string>()
  for (const [block, id] of ids) if (files.has(block)) ofFiles.set(`block://${id}`, addresses.get(block) ?? '')
  const after = result.map((item) => ({ ...item, value: ofFiles.get(item.value) ?? item.value }))
  const written = new Map<VisibleItem, string>()
  const before = source.flatMap((item): VisibleItem[] => {
    const end = endOf(item)
    if (end === undefined) return []
    // An image in a cell is a link to a block with the image.
    const isLink = end.isLink === true || end.address.startsWith(fileEnd(''))
    const moved: VisibleItem = { ...item, value: end.address, kind: isLink ? 'link' : item.kind }
    written.set(moved, item.value)
    return [moved]
  })
  const reported = new Set(problems.map(({ line }) => line))
  return compareItems(before, after)
    .filter(({ line }) => !reported.has(line + linesBefore))
    .map((item) => ({ ...item, value: written.get(item) ?? item.value }))
}

const isoOf = (time: number | null | undefined): string =>
  time === undefined || time === null ? '' : new Date(time).toISOString()

/** One problem for each line and kind, in the order of lines. */
function linesOf(losses: readonly VisibleItem[], { path, linesBefore }: CheckedText): ImportProblem[] {
  const groups = Map.groupBy(losses, ({ kind, line }) => `${line} ${SENTENCES[kind].message}`)
  const problems = [...groups.values()].map((group): ImportProblem => {
    const [{ kind, line } = { kind: 'word' as const, line: 1 }] = group
    const detail = group
      .map(({ value }) => value.replace(/\s+/g, ' ').trim())
      .join(' ')
      .slice(0, SHOWN_LENGTH)
    return {
      ...{ path, ...(linesBefore !== undefined && { line: linesBefore + line }) },
      ...SENTENCES[kind],
      ...(detail !== '' && { detail }),
    }
  })
  return problems.sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
}

/** How many characters of what is missing are repeated in the report. */
const SHOWN_LENGTH = 120

const missing = (what: string): { kind: ProblemKind; message: string } => ({
  kind: 'left out',
  message: `${what} missing in the document.`,
})

const SENTENCES: Readonly<Record<ItemKind, { kind: ProblemKind; message: string }>> = {
  word: missing('Words are'),
  number: missing('Numbers are'),
  hashtag: { kind: 'changed', message: 'A tag is no longer one.' },
  task: { kind: 'changed', message: 'A task lost its box or its state.' },
  date: missing('A date or the repetition of a task is'),
  link: missing('A link is'),
  image: missing('An image is'),
  code: { kind: 'changed', message: 'Code was not kept as it is.' },
  language: missing('The words after a code fence are'),
  formula: { kind: 'changed', message: 'A formula was not kept as it is.' },
  cell: { kind: 'changed', message: 'A cell of a table was not kept as it is.' },
  tag: {
    kind: 'changed',
    message: 'An HTML tag is not one in the document: its text is there, or the tag as it is written.',
  },
  comment: missing('An HTML comment is'),
}

function notWhole(compared: 'all' | 'words' | 'nothing', { path }: CheckedText): ImportProblem[] {
  if (compared === 'all') return []
  const what = compared === 'words' ? 'Only its words and numbers were' : 'It was not'
  return [{ path, kind: 'changed', message: `${what} compared with the source, since that takes too long.` }]
}
