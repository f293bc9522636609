/** Imports decrypted backups of Standard Notes: a JSON file with all items. */
import { messageOf } from '../../base/errors.ts'
import { addToGroup } from '../../base/grouping.ts'
import { isObject } from '../../base/is-object.ts'
import { IMPORT_JSON_BYTES, TITLE_LENGTH } from '../../base/limits.ts'
import type { ImportFormat, ImportPlan } from '../import-format.ts'
import {
  extensionOf,
  type ImportProblem,
  type ImportSource,
  readSourceFile,
  type SourceFile,
} from '../import-source.ts'
import { isMarkdown } from '../markdown/source-entries.ts'
import { parseJson } from '../parse-json.ts'
import {
  planTranslated,
  propertiesFirst,
  type TranslatedNote,
  type Translation,
  type TranslationProblem,
} from '../translated-notes.ts'
import { lexicalHtml } from './lexical-html.ts'

export const standardnotesFormat: ImportFormat = {
  name: 'standardnotes',
  detects: async ({ files }) =>
    (await findBackup(files)) === undefined ? undefined : 'it has a backup of Standard Notes',
  plan: planBackup,
}

type Fields = Record<string, unknown>

const HEAD_LENGTH = 64 * 1024

async function findBackup(files: readonly SourceFile[]): Promise<SourceFile | undefined> {
  // Notes in Markdown beside it are no backup.
  if (files.some(({ path }) => isMarkdown(path) && !isRepeated(path))) return undefined
  const possible = files.filter(({ path, size }) => ['txt', 'json'].includes(extensionOf(path)) && size > 0)
  for (const file of possible.slice(0, FILES_LOOKED_INTO)) if (await beginsAsBackup(file)) return file
  return undefined
}

/** A zip with the backup has each item in a file of its own, too. */
const isRepeated = (path: string): boolean => /(?:^|\/)Items\//.test(path)

/** How many files are looked at to detect a backup. */
const FILES_LOOKED_INTO = 20

async function beginsAsBackup(file: SourceFile): Promise<boolean> {
  try {
    for await (const part of file.open()) {
      const head = Buffer.from(part).toString('utf8', 0, HEAD_LENGTH)
      return /^\s*\{/.test(head) && head.includes('"items"') && head.includes('"content_type"')
    }
  } catch {
    // A file that cannot be read is reported when it is needed.
  }
  return false
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const objectsIn = (list: unknown): Fields[] => (Array.isArray(list) ? list.filter(isObject) : [])

async function readBackup(file: SourceFile): Promise<unknown> {
  try {
    return parseJson((await readSourceFile(file, IMPORT_JSON_BYTES)).toString('utf8'))
  } catch (error) {
    return new Error(messageOf(error))
  }
}

async function planBackup(source: ImportSource): Promise<ImportPlan> {
  const file = await findBackup(source.files)
  if (file === undefined) return { documents: [], problems: [] }
  const backup = await readBackup(file)
  if (backup instanceof Error) {
    return { documents: [], problems: [{ path: file.path, kind: 'failed', message: backup.message }] }
  }
  const reader = new BackupReader(file, objectsIn(isObject(backup) ? backup.items : undefined))
  reader.read()
  const others = source.files.filter((one) => one !== file)
  const repeated = others.filter(({ path }) => isRepeated(path))
  if (repeated.length > 0) {
    const message = 'The files beside the backup are left out: the backup has the same notes.'
    reader.problems.push({ path: 'Items', kind: 'left out', message })
  }
  const plan = await planTranslated(
    source,
    reader.notes,
    others.filter(({ path }) => !isRepeated(path)),
  )
  return { ...plan, problems: [...reader.problems, ...plan.problems] }
}

/** What the editors of a note write. Unknown ones write plain text. */
const KINDS: ReadonlyMap<string, 'md' | 'html' | 'txt' | 'super' | 'code' | 'json'> = new Map(
  Object.entries({
    ...{ markdown: 'md', task: 'json', 'rich-text': 'html', super: 'super', code: 'code' },
    ...{ spreadsheet: 'json', authentication: 'json' },
  } as const),
)

class BackupReader {
  readonly notes: TranslatedNote[] = []
  readonly problems: ImportProblem[] = []
  readonly #file: SourceFile
  readonly #items: readonly Fields[]
  readonly #titles = new Map<string, string>()
  readonly #paths = new Map<string, string>()

  constructor(file: SourceFile, items: readonly Fields[]) {
    this.#file = file
    this.#items = items
  }

  read(): void {
    if (this.#items.some(({ content }) => typeof content === 'string')) {
      const message = 'The backup is encrypted: create a decrypted one in Standard Notes (Preferences > Backups).'
      this.problems.push({ path: this.#file.path, kind: 'failed', message })
    }
    const tags = this.#tagsOfNotes()
    const kept = this.#items.filter(
      (item) => item.content_type === 'Note' && isObject(item.content) && this.#isKept(item),
    )
    for (const item of kept) {
      const id = textOf(item.uuid)
      const content = item.content as Fields
      const kind = kindOf(content)
      const extension = kind === 'super' ? 'html' : kind === 'code' || kind === 'json' ? 'md' : kind
      if (id === '' || this.#paths.has(id)) continue
      this.#paths.set(id, `${id}.${extension}`)
      this.#titles.set(id, titleOf(content))
    }
    for (const item of kept) {
      const id = textOf(item.uuid)
      const path = this.#paths.get(id)
      if (path !== undefined) this.notes.push(this.#note(item, path, tags.get(id) ?? []))
    }
  }

  #isKept({ content, deleted, uuid }: Fields): boolean {
    const { trashed, title } = content as Fields
    const where =
      deleted === true || trashed === true ? 'the trash' : own(content).archived === true ? 'the archive' : undefined
    if (where === undefined) return true
    const path = textOf(title) || textOf(uuid)
    this.problems.push({ path, kind: 'left out', message: `It is in ${where} of Standard Notes.` })
    return false
  }

  #tagsOfNotes(): Map<string, string[]> {
    const found = new Map<string, string[]>()
    const tags = this.#items.filter((item) => item.content_type === 'Tag' && isObject(item.content))
    const byId = new Map(tags.map((tag) => [textOf(tag.uuid), tag]))
    for (const tag of tags) {
      const name = nameOfTag(tag, byId)
      for (const { uuid, content_type: type } of objectsIn((tag.content as Fields).references)) {
        if (type === 'Note') addToGroup(found, textOf(uuid), name)
      }
    }
    return found
  }

  #note(item: Fields, path: string, tags: readonly string[]): TranslatedNote {
    const content = item.content as Fields
    const isPinned = own(content).pinned === true
    const values = { ...(tags.length > 0 && { tags }), ...(isPinned && { pinned: true }) }
    return {
      ...{ path, shownPath: textOf(content.title) || path, title: titleOf(content), place: { folder: [] } },
      createdAt: timeOf(item.created_at),
      modifiedAt: timeOf(own(content).client_updated_at) ?? timeOf(item.updated_at),
      stamp: JSON.stringify(values),
      translate: async () => this.#translate(content),
      adjust: (document) => propertiesFirst(document, values),
    }
  }

  #translate(content: Fields): Translation {
    const problems: TranslationProblem[] = []
    const text = textOf(content.text)
    const kind = kindOf(content)
    if (kind === 'code') return { text: fenced(text, ''), problems }
    if (kind === 'json') {
      const message = 'The text of this editor is kept as code.'
      problems.push({ kind: 'changed', message, detail: textOf(content.noteType) })
      return { text: fenced(text, 'json'), problems }
    }
    if (kind !== 'super') return { text, problems }
    try {
      const html = lexicalHtml(parseJson(text), {
        addressOf: (id) => (this.#paths.has(id) ? `/${this.#paths.get(id)}` : undefined),
        titleOf: (id) => this.#titles.get(id),
        report: (message, detail = '') =>
          problems.push({ kind: 'left out', message, ...(detail !== '' && { detail }) }),
      })
      return { text: html, problems }
    } catch (error) {
      throw new Error(`The text of this note cannot be read: ${messageOf(error)}`)
    }
  }
}

function kindOf(content: Fields): 'md' | 'html' | 'txt' | 'super' | 'code' | 'json' {
  const text = textOf(content.text)
  const type = textOf(content.noteType)
  // Checklists are Markdown in one editor, and JSON in another.
  if (type === 'task') return /^\s*\{/.test(text) ? 'json' : 'md'
  if (type === 'super' && !/^\s*\{/.test(text)) return 'txt'
  return KINDS.get(type) ?? 'txt'
}

const titleOf = ({ title }: Fields): string =>
  textOf(title).replace(/\s+/g, ' ').trim().slice(0, TITLE_LENGTH) || 'Untitled'

/** What the program itself keeps of an item. */
function own(content: unknown): Fields {
  const data = isObject(content) && isObject(content.appData) ? content.appData['org.standardnotes.sn'] : undefined
  return isObject(data) ? data : {}
}

/** A tag in others is named after them: `Work/Plans`. */
function nameOfTag(tag: Fields, byId: ReadonlyMap<string, Fields>): string {
  const names: string[] = []
  const seen = new Set<Fields>()
  for (let next: Fields | undefined = tag; next !== undefined && !seen.has(next) && seen.size < 20; ) {
    seen.add(next)
    const content = next.content as Fields
    names.unshift(textOf(content.title))
    const parent = objectsIn(content.references).find(({ content_type: type }) => type === 'Tag')
    next = parent === undefined ? undefined : byId.get(textOf(parent.uuid))
  }
  return names.join('/')
}

function timeOf(value: unknown): number | undefined {
  const time = Date.parse(textOf(value))
  return Number.isNaN(time) ? undefined : time
}

function fenced(text: string, language: string): string {
  const ticks = (text.match(/`{3,}/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2)
  const fence = '`'.repeat(ticks + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
