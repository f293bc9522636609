/** Indexes the pages and databases of a Notion export, to find the targets of links. */

import { IMPORT_CSV_BYTES } from '../../base/limits.ts'
import { extensionOf, readSourceFile, type SourceFile, stem } from '../import-source.ts'
import { parseCsv } from '../tables/read-csv.ts'
import { decodeBytes } from '../text-decoding.ts'

export interface NotionPage {
  file: SourceFile
  /** 32 hex digits, if the file name contains them. */
  id: string | undefined
  title: string
  /** The database that contains this page as an item. */
  database?: NotionDatabase
  /** The row of the database with its property values. */
  row?: readonly string[]
}

export interface NotionDatabase {
  /** Path of its CSV file, without the extension. */
  path: string
  id: string | undefined
  title: string
  /** Its table files. If their stamps change, the database changed. */
  files: SourceFile[]
  header: readonly string[]
  rows: readonly (readonly string[])[]
  /** In the order of the rows, followed by items without a row. */
  items: NotionPage[]
  /** Rows without a page. */
  pageless: (readonly string[])[]
}

export type NotionTarget = { page: NotionPage } | { database: NotionDatabase } | { file: SourceFile }

const NAME = /^(.*?)[ -]?([0-9a-f]{32})$/

/** Splits a name into title and ID. */
export function parseName(name: string): { title: string; id: string | undefined } {
  const [, title = '', id] = NAME.exec(name) ?? []
  return id === undefined ? { title: name, id: undefined } : { title: title.trim(), id }
}

export class NotionIndex {
  readonly pages: NotionPage[] = []
  readonly databases: NotionDatabase[] = []
  readonly #files = new Map<string, SourceFile>()
  readonly #targets = new Map<string, NotionTarget>()
  readonly #byId = new Map<string, NotionTarget>()

  /** @throws Error if a table cannot be read */
  static async read(files: readonly SourceFile[]): Promise<NotionIndex> {
    const index = new NotionIndex()
    for (const file of files) index.#files.set(file.path, file)
    for (const file of files) if (isPage(file.path)) index.#addPage(file)
    const tables = files.filter(({ path }) => extensionOf(path) === 'csv')
    for (const file of tables) await index.#addTable(file)
    for (const database of index.databases) index.#joinItems(database)
    return index
  }

  #addPage(file: SourceFile): void {
    const { title, id } = parseName(stem(file.path))
    const page: NotionPage = { file, id, title }
    this.pages.push(page)
    this.#targets.set(file.path, { page })
    if (id !== undefined) this.#byId.set(id, { page })
  }

  /** If the visible table lacks columns or rows, there is also a complete one, whose name ends in `_all`. */
  async #addTable(file: SourceFile): Promise<void> {
    const path = file.path.slice(0, -'.csv'.length)
    const all = this.#files.get(`${path}_all.csv`)
    if (path.endsWith('_all') && this.#files.has(`${path.slice(0, -'_all'.length)}.csv`)) return
    const base = path.replace(/_all$/, '')
    const text = decodeBytes(await readSourceFile(all ?? file, IMPORT_CSV_BYTES)).text
    const [header = [], ...rows] = parseCsv(text)
    const { title, id } = parseName(stem(`${base}.csv`))
    const files = [file, ...(all === undefined ? [] : [all])]
    const database: NotionDatabase = { path: base, id, title, files, header, rows, items: [], pageless: [] }
    this.databases.push(database)
    for (const name of [`${base}.csv`, `${base}_all.csv`]) this.#targets.set(name, { database })
    if (id !== undefined) this.#byId.set(id, { database })
  }

  /** Finds the items: pages in the folder of the database. Rows refer to their pages only by title. */
  #joinItems(database: NotionDatabase): void {
    const folders = new Set([
      `${database.path}/`,
      `${database.path.slice(0, database.path.lastIndexOf('/') + 1)}${database.title}/`,
    ])
    const isWithin = ({ file: { path } }: NotionPage) =>
      [...folders].some((folder) => path.startsWith(folder) && !path.slice(folder.length).includes('/'))
    const left = new Set(this.pages.filter(isWithin))
    for (const page of left) page.database = database
    const byName = Map.groupBy(left, (page) => nameKey(comparable(page.title)))
    for (const row of database.rows) {
      const title = comparable(row[0] ?? '')
      const page = namesOf(title)
        .flatMap((name) => byName.get(name) ?? [])
        .find((one) => left.has(one) && matches(comparable(one.title), title))
      if (page === undefined) database.pageless.push(row)
      else {
        left.delete(page)
        page.row = row
        database.items.push(page)
      }
    }
    database.items.push(...left)
    // A page that represents the database itself contains nothing that is not in the table.
    const own = [...this.pages].find(
      ({ id, database: of }) => id !== undefined && id === database.id && of === undefined,
    )
    if (own !== undefined) {
      this.pages.splice(this.pages.indexOf(own), 1)
      this.#targets.set(own.file.path, { database })
      if (own.id !== undefined) this.#byId.set(own.id, { database })
    }
  }

  /**
   * @param href  as written in the page
   * @param from  path of the page
   * @returns undefined if the target is not in the export
   */
  find(href: string, from: string): NotionTarget | undefined {
    const [, web] = /^https:\/\/(?:www\.)?notion\.(?:so|site)\/(?:.*?)([0-9a-f]{32})(?:[?#].*)?$/.exec(href) ?? []
    if (web !== undefined) return this.#byId.get(web)
    if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(href)) return undefined
    const path = resolve(from, decoded(href.replace(/[?#].*$/, '')))
    if (path === undefined) return undefined
    const target = this.#targets.get(path)
    if (target !== undefined) return target
    const file = this.#files.get(path) ?? this.#files.get(resolve(from, href.replace(/[?#].*$/, '')) ?? '')
    if (file !== undefined) return { file }
    // Names that are too long are shortened, but still end in the ID.
    const { id } = parseName(stem(path))
    return id === undefined ? undefined : this.#byId.get(id)
  }
}

const isPage = (path: string): boolean => /\.(?:html|md)$/i.test(path) && !/(?:^|\/)index\.html$/i.test(path)

/** Titles in file names lack characters that are not allowed in file names. */
const comparable = (title: string): string =>
  title
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}@,.-]+/gu, ' ')
    .trim()
    .toLowerCase()

/** Titles of at least this length may be truncated in file names. */
const TRUNCATED_LENGTH = 40

const matches = (name: string, title: string): boolean =>
  name === title || (name.length >= TRUNCATED_LENGTH && title.startsWith(name)) || (name === 'untitled' && title === '')

/** The beginning of a name, by which it is found. All names that match a title have one of the {@link namesOf} it. */
const nameKey = (name: string): string => name.slice(0, TRUNCATED_LENGTH)
const namesOf = (title: string): string[] => (title === '' ? ['', 'untitled'] : [nameKey(title)])

/** Decodes percent encoding if it is valid. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function resolve(from: string, path: string): string | undefined {
  const parts = from.split('/').slice(0, -1)
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}
