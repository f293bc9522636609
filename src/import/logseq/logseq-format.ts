/** Imports graphs of Logseq: folders of Markdown outlines with journals. */
import { IMPORT_DEPTH } from '../../base/limits.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import type { ImportFormat, ImportPlan, PlanOptions } from '../import-format.ts'
import {
  baseName,
  extensionOf,
  folderParts,
  type ImportSource,
  readSourceFile,
  type SourceFile,
  stem,
} from '../import-source.ts'
import { readNoteText } from '../markdown/source-entries.ts'
import { linkablePath, noted, planTranslated, type TranslatedNote } from '../translated-notes.ts'
import { dayReader } from './logseq-dates.ts'
import type { LogseqLinks } from './logseq-links.ts'
import { readOutline } from './logseq-outline.ts'
import { blockIds, pageProperties, translatePage } from './logseq-page.ts'

/** The settings of a graph: of the source itself, or of the one folder that was packed or chosen with it. */
const CONFIG = /^(?:[^/]+\/)?logseq\/config\.edn$/

export const logseqFormat: ImportFormat = {
  name: 'logseq',
  detects: ({ files }) => files.find(({ path }) => CONFIG.test(path)) && 'it has the settings of a graph',
  plan: planGraph,
}

/** Pages in Org mode are texts: that language is not read. */
const PAGES: ReadonlySet<string> = new Set(['md', 'markdown', 'org'])

/** Bytes of the settings of a graph. */
const CONFIG_BYTES = 1024 * 1024

async function planGraph(source: ImportSource, options: PlanOptions = {}): Promise<ImportPlan> {
  const config = source.files.find(({ path }) => CONFIG.test(path))
  const root = config?.path.replace(/\/?logseq\/config\.edn$/, '') ?? ''
  const within = root === '' ? '' : `${root}/`
  const settings = config === undefined ? '' : await readSourceFile(config, CONFIG_BYTES).then(String, () => '')
  const graph = new Graph(settings.replace(/^\s*;.*$/gm, ''))
  const others: SourceFile[] = []
  for (const file of source.files) {
    const inner = file.path.startsWith(within) ? file.path.slice(within.length) : undefined
    // The folder of the program has its settings, and copies of pages from before.
    if (
      inner?.startsWith('logseq/') ||
      (inner !== undefined && folderParts(inner).some((part) => part.startsWith('.')))
    )
      continue
    if (inner === undefined || !PAGES.has(extensionOf(inner))) others.push(file)
    else await graph.add(file, inner)
    await yieldToEventLoop()
  }
  return planTranslated(source, graph.notes, others, { ...options, vault: { dayOf: () => undefined } })
}

class Graph implements LogseqLinks {
  readonly notes: TranslatedNote[] = []
  readonly #journals: string
  readonly #titleDay: (title: string) => string | undefined
  readonly #fileDay: (name: string) => string | undefined
  readonly #pages = new Map<string, string>()
  readonly #days = new Map<string, string>()
  readonly #blocks = new Map<string, { path: string; label: string }>()

  /** @param settings  the text of `config.edn`, without comments */
  constructor(settings: string) {
    const setting = (name: string) => new RegExp(`:${name}\\s+"([^"\\n]{1,100})"`).exec(settings)?.[1]
    this.#journals = setting('journals-directory') ?? 'journals'
    this.#titleDay = dayReader(setting('journal/page-title-format'))
    this.#fileDay = dayReader(setting('journal/file-name-format'))
  }

  dayOf(name: string): string | undefined {
    return this.#titleDay(name)
  }

  pageOf(name: string): string | undefined {
    const day = this.#titleDay(name)
    return this.#pages.get(keyOf(name)) ?? (day === undefined ? undefined : this.#days.get(day))
  }

  isBlockId(text: string): boolean {
    return UUID.test(text)
  }

  blockOf(id: string): { path: string; label: string } | undefined {
    return this.#blocks.get(id)
  }

  /** @param inner  the path within the graph */
  async add(file: SourceFile, inner: string): Promise<void> {
    const path = linkablePath(file.path)
    const isOrg = extensionOf(inner) === 'org'
    const read = async () => (await readNoteText(file)).text
    const translate = async () => {
      const { text, note } = await readNoteText(file)
      return noted(isOrg ? { text, problems: [] } : translatePage(text, this), note)
    }
    const note = { path, shownPath: file.path, createdAt: file.createdAt, modifiedAt: file.modifiedAt, translate }
    const isJournal = inner.startsWith(`${this.#journals}/`)
    const day = isJournal ? this.#fileDay(stem(inner)) : undefined
    const { name, aliases } = isOrg
      ? { name: pageName(inner), aliases: [] }
      : await this.#facts(path, pageName(inner), read)
    const parts = name.split('/')
    const title = parts.at(-1) ?? name
    if (day === undefined) {
      this.notes.push({ ...note, title, place: { folder: parts.slice(0, -1) } })
      this.#pages.set(keyOf(name), path)
    } else {
      this.notes.push({ ...note, title: day, place: { day } })
      this.#days.set(day, path)
    }
    for (const alias of aliases) if (!this.#pages.has(keyOf(alias))) this.#pages.set(keyOf(alias), path)
  }

  /** Reads the names of a page and the IDs of its blocks. What cannot be read is reported when it is translated. */
  async #facts(path: string, name: string, read: () => Promise<string>): Promise<{ name: string; aliases: string[] }> {
    try {
      const blocks = readOutline(await read())
      for (const [id, label] of blockIds(blocks)) if (!this.#blocks.has(id)) this.#blocks.set(id, { path, label })
      const properties = pageProperties(blocks)
      const aliases = [properties?.get('alias'), properties?.get('aliases')].flatMap((text) => text?.split(',') ?? [])
      const title = properties?.get('title')
      return {
        name: title === undefined || title === '' ? name : validName(title, name),
        aliases: aliases.map((alias) => alias.replace(/[[\]]/g, '').trim()).filter((alias) => alias !== ''),
      }
    } catch {
      return { name, aliases: [] }
    }
  }
}

/** The name of a page from that of its file, where `___` and `%2F` stand for the slash of a namespace. */
function pageName(path: string): string {
  const name = stem(baseName(path))
  return validName(decoded(name.replaceAll('___', '/')), name)
}

function validName(name: string, otherwise: string): string {
  const parts = name.split('/').map((part) => part.replace(/\p{Cc}/gu, ' ').trim())
  const isValid = parts.length <= IMPORT_DEPTH && parts.every((part) => part !== '' && part !== '.' && part !== '..')
  return isValid ? parts.join('/') : otherwise.replaceAll('/', ' ')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const keyOf = (name: string): string => name.normalize('NFC').trim().toLowerCase()

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
