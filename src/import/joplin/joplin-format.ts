/** Imports exports of Joplin: RAW folders, and JEX archives. */
import { messageOf } from '../../base/errors.ts'
import { addToGroup } from '../../base/grouping.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import type { Block } from '../../markdown/block.ts'
import { titleFromPlain } from '../../markdown/inline-title.ts'
import type { ConvertedDocument, ImportFormat, ImportPlan } from '../import-format.ts'
import { extensionOf, type ImportProblem, type ImportSource, type SourceFile, stem } from '../import-source.ts'
import { readNoteLines, replaceText } from '../markdown/note-lines.ts'
import { isMarkdown, readNoteText } from '../markdown/source-entries.ts'
import { noted, planTranslated, propertiesFirst, type TranslatedNote, type Translation } from '../translated-notes.ts'
import {
  isItemName,
  type JoplinItem,
  NOTE,
  NOTE_TAG,
  NOTEBOOK,
  notebookPath,
  RESOURCE,
  readItem,
  TAG,
  timeOf,
} from './joplin-items.ts'

export const joplinFormat: ImportFormat = {
  name: 'joplin',
  detects: async ({ files }) => ((await isExport(files)) ? 'it has notes of Joplin' : undefined),
  plan: planExport,
}

/** How many files are looked at to detect an export. */
const FILES_LOOKED_INTO = 5

/** True for an archive or items among which there are hardly any other notes, such as a page about the export. */
async function isExport(files: readonly SourceFile[]): Promise<boolean> {
  const notes = files.filter(({ path }) => isMarkdown(path))
  const items = notes.filter(({ path }) => isItemName(path))
  if (items.length < notes.length / 2) return false
  if (files.some(({ path }) => extensionOf(path) === 'jex')) return true
  for (const file of items.slice(0, FILES_LOOKED_INTO)) {
    const text = await readNoteText(file).then(
      (read) => read.text,
      () => '',
    )
    if (readItem(file, text) !== undefined) return true
  }
  return false
}

async function planExport(source: ImportSource): Promise<ImportPlan> {
  const problems: ImportProblem[] = []
  const archives = source.files.filter(({ path }) => extensionOf(path) === 'jex')
  const { unpackTar } = await import('../tar-source.ts')
  const unpacked = await unpackTar(archives)
  try {
    const others = source.files.filter(({ path }) => extensionOf(path) !== 'jex')
    const reader = new ExportReader([...others, ...unpacked.files])
    await reader.read()
    const plan = await planTranslated(source, reader.notes, reader.files)
    problems.push(...unpacked.problems, ...reader.problems, ...plan.problems)
    return { documents: plan.documents, problems, close: unpacked.close }
  } catch (error) {
    await unpacked.close()
    throw error
  }
}

class ExportReader {
  readonly notes: TranslatedNote[] = []
  readonly files: SourceFile[] = []
  readonly problems: ImportProblem[] = []
  readonly #sources: readonly SourceFile[]
  /** Without their texts. */
  readonly #items = new Map<string, JoplinItem>()
  /** Paths of notes and resources by their IDs. */
  readonly #paths = new Map<string, string>()

  constructor(sources: readonly SourceFile[]) {
    this.#sources = sources
  }

  async read(): Promise<void> {
    const others: SourceFile[] = []
    for (const file of this.#sources) {
      if (isItemName(file.path)) await this.#readItem(file)
      else others.push(file)
      await yieldToEventLoop()
    }
    const items = [...this.#items.values()]
    const tags = this.#tagsOfNotes(items)
    const notebooks = new Map(items.filter(({ type }) => type === NOTEBOOK).map((item) => [item.id, item]))
    for (const file of others) this.files.push(this.#asResource(file))
    for (const item of items.filter(({ type }) => type === NOTE)) {
      const isHtml = item.fields.get('markup_language') === '2'
      const path = item.file.path.replace(/md$/, isHtml ? 'html' : 'md')
      this.#paths.set(item.id, path)
      this.notes.push(this.#note(item, path, isHtml, notebooks, tags.get(item.id) ?? []))
    }
    for (const { type, file } of items) {
      if (![NOTE, NOTEBOOK, RESOURCE, TAG, NOTE_TAG].some((known) => known === type)) {
        this.problems.push({ path: file.path, kind: 'left out', message: 'It is no note, notebook, resource or tag.' })
      }
    }
  }

  async #readItem(file: SourceFile): Promise<void> {
    const { path } = file
    try {
      const item = readItem(file, (await readNoteText(file)).text)
      if (item === undefined) {
        this.problems.push({ path, kind: 'failed', message: 'Expected an item of Joplin with its fields, found none.' })
      } else if (item.fields.get('encryption_applied') === '1') {
        this.problems.push({
          path,
          kind: 'left out',
          message: 'It is encrypted: decrypt it in Joplin, and export again.',
        })
      } else {
        const { id, title, type, fields } = item
        this.#items.set(id, { file, id, title, type, fields })
      }
    } catch (error) {
      this.problems.push({ path, kind: 'failed', message: messageOf(error) })
    }
  }

  #tagsOfNotes(items: readonly JoplinItem[]): Map<string, string[]> {
    const found = new Map<string, string[]>()
    for (const { type, fields } of items) {
      const tag = type === NOTE_TAG ? this.#items.get(fields.get('tag_id') ?? '') : undefined
      if (tag !== undefined) addToGroup(found, fields.get('note_id') ?? '', tag.title)
    }
    return found
  }

  /** The file of a resource has its ID as its name. Its title is what it was called. */
  #asResource(file: SourceFile): SourceFile {
    const id = stem(file.path)
    const item = this.#items.get(id)
    if (item?.type !== RESOURCE) return file
    this.#paths.set(id, file.path)
    const name = item.title.replace(/[/\\\p{Cc}]/gu, ' ').trim()
    return { ...file, name: extensionOf(name) === '' ? file.name : name }
  }

  #note(
    item: JoplinItem,
    path: string,
    isHtml: boolean,
    notebooks: ReadonlyMap<string, JoplinItem>,
    tags: readonly string[],
  ): TranslatedNote {
    return {
      path,
      shownPath: item.file.path,
      title: item.title || 'Untitled',
      place: { folder: notebookPath(item, notebooks) },
      createdAt: timeOf(item, 'user_created_time', 'created_time'),
      modifiedAt: timeOf(item, 'user_updated_time', 'updated_time'),
      translate: async () => {
        const { text, note } = await readNoteText(item.file)
        const read = readItem(item.file, text)
        if (read === undefined) throw new Error('Expected a note of Joplin, found none.')
        return noted(isHtml ? this.#html(read.body) : this.#markdown(read.body, read.bodyLine), note)
      },
      stamp: JSON.stringify([tags, ...STAMPED.map((name) => item.fields.get(name) ?? '')]),
      adjust: (document) => withFields(document, item, tags),
    }
  }

  #markdown(body: string, first: number): Translation {
    const lines = readNoteLines(body, first - 1, false)
    const texts = lines.map(({ text, kind }) =>
      kind === 'code' ? text : replaceText(text, (text) => this.#withPaths(text)),
    )
    return { text: texts.join('\n'), lines: lines.map(({ number }) => number), problems: [] }
  }

  #html(body: string): Translation {
    return { text: this.#withPaths(body), problems: [] }
  }

  /** Replaces addresses by ID with paths. Others are reported where they lead nowhere. */
  #withPaths(text: string): string {
    return text.replace(ADDRESS, (written, before: string, id: string) => {
      const path = this.#paths.get(id)
      return path === undefined ? written : `${before}/${encodeURI(path)}`
    })
  }
}

/** An address by ID, after the sign before an address. */
const ADDRESS = /([(<"']|\]:[ \t]*):\/([0-9a-f]{32})/g

/** Fields of a note that its document shows besides its text. */
const STAMPED = ['is_todo', 'todo_due', 'todo_completed', 'source_url', 'author'] as const

/** Adds what is no text: tags and the source of a clipped page as properties, and the to-do that a note is. */
function withFields(document: ConvertedDocument, item: JoplinItem, tags: readonly string[]): ConvertedDocument {
  const blocks: Block[] = []
  const reminders = new Map(document.reminders)
  const [source, author] = [item.fields.get('source_url') ?? '', item.fields.get('author') ?? '']
  const values = {
    ...(tags.length > 0 && { tags }),
    ...(source !== '' && { source }),
    ...(author !== '' && { author }),
  }
  if (item.fields.get('is_todo') === '1') {
    const [due, completed] = [timeOf(item, 'todo_due'), timeOf(item, 'todo_completed')]
    const task: Block = {
      ...{ type: 'text', text: titleFromPlain(document.title), listStyle: 'task' },
      taskInfo: {
        state: completed === undefined ? 'todo' : 'done',
        ...(due !== undefined && { deadlineDate: new Date(due).toISOString().slice(0, 10) }),
        ...(completed !== undefined && { completedAt: new Date(completed).toISOString() }),
      },
    }
    // The time of day of a due date is when Joplin reminds of it.
    if (due !== undefined)
      reminders.set(task, { remindAt: due, ...(completed !== undefined && { completedAt: completed }) })
    blocks.push(task)
  }
  return propertiesFirst({ ...document, blocks: [...blocks, ...document.blocks], reminders }, values)
}
