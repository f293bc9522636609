/** Imports exports of Roam Research: a JSON file with all pages. */
import { messageOf } from '../../base/errors.ts'
import { isObject } from '../../base/is-object.ts'
import { IMPORT_JSON_BYTES, TITLE_LENGTH } from '../../base/limits.ts'
import { LIST_LEVELS } from '../../markdown/block.ts'
import { splitArray } from '../conversations/split-array.ts'
import type { ImportFormat, ImportPlan } from '../import-format.ts'
import {
  extensionOf,
  type ImportProblem,
  type ImportSource,
  readSourceFile,
  type SourceFile,
} from '../import-source.ts'
import { dayReader } from '../logseq/logseq-dates.ts'
import { type LogseqLinks, translateText } from '../logseq/logseq-links.ts'
import { replaceText } from '../markdown/note-lines.ts'
import { isMarkdown } from '../markdown/source-entries.ts'
import { parseJson } from '../parse-json.ts'
import {
  linkablePath,
  planTranslated,
  type TranslatedNote,
  type Translation,
  type TranslationProblem,
} from '../translated-notes.ts'

export const roamFormat: ImportFormat = {
  name: 'roam',
  detects: async ({ files }) => {
    // Notes in Markdown beside it are no export of Roam.
    if (files.some(({ path }) => isMarkdown(path))) return undefined
    const found = files.filter(({ path }) => extensionOf(path) === 'json').slice(0, FILES_LOOKED_INTO)
    for (const file of found) if (await beginsAsExport(file)) return 'it has an export of Roam'
    return undefined
  },
  plan: planExport,
}

/** How many files are looked at to detect an export. */
const FILES_LOOKED_INTO = 10

type Fields = Record<string, unknown>

async function beginsAsExport(file: SourceFile): Promise<boolean> {
  try {
    for await (const json of splitArray(file.open())) return isPage(parseJson(json.toString()))
  } catch {
    // The file is not an array of objects.
  }
  return false
}

const isPage = (value: unknown): value is Fields =>
  isObject(value) &&
  typeof value.title === 'string' &&
  ['children', 'edit-time', 'create-time'].some((key) => Object.hasOwn(value, key))

async function planExport(source: ImportSource): Promise<ImportPlan> {
  const graph = new RoamGraph()
  const problems: ImportProblem[] = []
  const others: SourceFile[] = []
  for (const file of source.files) {
    if (extensionOf(file.path) !== 'json' || !(await beginsAsExport(file))) {
      others.push(file)
      continue
    }
    try {
      graph.add(file.path, parseJson((await readSourceFile(file, IMPORT_JSON_BYTES)).toString('utf8')))
    } catch (error) {
      problems.push({ path: file.path, kind: 'failed', message: messageOf(error) })
    }
  }
  const plan = await planTranslated(source, graph.notes, others, { vault: { dayOf: () => undefined } })
  return { ...plan, problems: [...problems, ...plan.problems] }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const objectsIn = (list: unknown): Fields[] => (Array.isArray(list) ? list.filter(isObject) : [])

/** IDs of blocks in links of notes have neither an underscore nor a letter case. */
const anchorOf = (uid: string): string => Buffer.from(uid).toString('hex')

class RoamGraph implements LogseqLinks {
  readonly notes: TranslatedNote[] = []
  readonly dayOf = dayReader('MMMM do, yyyy')
  readonly #pages = new Map<string, string>()
  readonly #days = new Map<string, string>()
  readonly #blocks = new Map<string, { path: string; label: string }>()

  add(file: string, pages: unknown): void {
    for (const page of Array.isArray(pages) ? pages.filter(isPage) : []) {
      const title = textOf(page.title).replace(/\s+/g, ' ').trim()
      const path = linkablePath(`${file}/${textOf(page.uid) || title}.md`)
      if (this.#pages.has(title) || path.includes('\0')) continue
      const day = this.dayOf(title)
      this.#pages.set(title, path)
      if (day !== undefined) this.#days.set(day, path)
      this.#readIds(path, page)
      const shown = title.slice(0, TITLE_LENGTH) || 'Untitled'
      this.notes.push({
        ...{ path, shownPath: `${file}/${shown}`, title: shown },
        place: day === undefined ? { folder: [] } : { day },
        createdAt: timeOf(page['create-time']),
        modifiedAt: timeOf(page['edit-time']) ?? timeOf(page['create-time']),
        translate: async () => this.#translate(page),
      })
    }
  }

  pageOf(name: string): string | undefined {
    const day = this.dayOf(name)
    return this.#pages.get(name.trim()) ?? (day === undefined ? undefined : this.#days.get(day))
  }

  blockOf(id: string): { path: string; label: string } | undefined {
    return this.#blocks.get(id)
  }

  isBlockId(text: string): boolean {
    return this.#blocks.has(text) || /^[\w-]{9}$/.test(text)
  }

  /** Italics, links to blocks and embedded blocks as they are written for Logseq, whose IDs have no underscore. */
  #withOurMarks(text: string): string {
    return text
      .replace(ITALIC, '*$1*')
      .replace(EMBEDDED, '{{embed $1}}')
      .replace(REFERENCE, (written, uid: string) =>
        this.#blocks.has(anchorOf(uid)) ? `((${anchorOf(uid)}))` : written,
      )
      .replace(/\{\{\[\[([\w-]+)\]\]/g, '{{$1')
  }

  #readIds(path: string, page: Fields): void {
    const waiting = objectsIn(page.children)
    for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
      const plain = textOf(block.string)
        .slice(0, 500)
        .replace(/\{\{[^{}]*\}\}|\(\([\w-]+\)\)|[[\]|*`^_]/g, '')
        .trim()
      const label = (plain.split('\n')[0] ?? '').slice(0, WORDS_LENGTH)
      const uid = textOf(block.uid)
      if (uid !== '') this.#blocks.set(anchorOf(uid), { path, label })
      waiting.push(...objectsIn(block.children))
    }
  }

  #translate(page: Fields): Translation {
    const problems: TranslationProblem[] = []
    const known = new Set<string>()
    const report = (kind: TranslationProblem['kind'], message: string, detail = '') => {
      const key = `${message} ${detail}`
      if (!known.has(key)) problems.push({ kind, message, ...(detail !== '' && { detail }) })
      known.add(key)
    }
    const texts: string[] = []
    const write = (blocks: readonly Fields[], depth: number, isNumbered: boolean) => {
      for (const [index, block] of blocks.entries()) {
        if (depth >= LIST_LEVELS)
          report('changed', `A block below level ${LIST_LEVELS} of the outline is one of that level.`)
        const sign = isNumbered ? `${index + 1}. ` : '- '
        const outer = '  '.repeat(Math.min(depth, LIST_LEVELS - 1))
        const inner = outer + ' '.repeat(sign.length)
        const lines = this.#lines(block, report)
        const uid = textOf(block.uid)
        const id = uid === '' ? '' : `^${anchorOf(uid)}`
        const [first = '', ...rest] = lines
        const isCode = lines.some((line) => /^\s*(?:`{3,}|~{3,})/.test(line))
        texts.push(`${outer}${sign}${first === '' ? '<br>' : first}${id === '' || isCode ? '' : ` ${id}`}`)
        for (const line of rest) texts.push(line === '' ? '' : inner + line)
        if (id !== '' && isCode) texts.push(inner + id)
        write(objectsIn(block.children), depth + 1, block['children-view-type'] === 'numbered')
      }
    }
    write(objectsIn(page.children), 0, page['children-view-type'] === 'numbered')
    return { text: texts.join('\n'), lines: texts.map(() => 0), problems }
  }

  #lines(
    block: Fields,
    report: (kind: TranslationProblem['kind'], message: string, detail?: string) => void,
  ): string[] {
    const heading = Number(block.heading)
    const text = textOf(block.string).replace(/\r\n?/g, '\n').replace(CODE, '```$1\n$2\n```')
    let isCode = false
    return text.split('\n').map((line, index) => {
      if (/^\s*(?:`{3,}|~{3,})/.test(line)) isCode = !isCode
      else if (isCode) return line
      if (isCode) return line
      const [, state, rest = ''] = index === 0 ? (TASK.exec(line) ?? []) : []
      const text = replaceText(state === undefined ? line : rest, (part) =>
        translateText(this.#withOurMarks(part), this, /^\s*\|/.test(line), report),
      )
      if (state !== undefined) return `[${state === 'DONE' ? 'x' : ' '}] ${text.trim()}`
      const isHeading = index === 0 && heading >= 1 && heading <= 3
      // What would begin another kind of block is text in Roam.
      const plain = /^(?:#{1,6}\s|[-+*]\s|\d+[.)]\s|---+\s*$)/.test(text) && text !== '---' ? `\\${text}` : text
      return isHeading ? `${'#'.repeat(heading)} ${text}` : plain
    })
  }
}

/** How many characters of a block a link to it shows. */
const WORDS_LENGTH = 80

/** Code, which may end on its last line. */
const CODE = /```([\w+-]*)\n((?:(?!```)[\s\S])*?)\n?```/g

const TASK = /^\{\{(?:\[\[)?(TODO|DONE)(?:\]\])?\}\}[ \t]*(.*)$/

const ITALIC = /__(?=\S)([^_\n]{1,2000}?)(?<=\S)__/g
const EMBEDDED =
  /\{\{(?:\[\[)?embed(?:-path|-children)?(?:\]\])?:?\s*(\(\([\w-]{1,64}\)\)|\[\[[^[\]\n]{1,500}\]\])\s*\}\}/gi
const REFERENCE = /\(\(([\w-]{1,64})\)\)/g

function timeOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}
