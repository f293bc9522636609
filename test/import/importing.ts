/** Imports files given by a test into a space in memory, and reads the result. */
import type { ImportFormat } from '../../src/import/import-format.ts'
import type { ImportReport } from '../../src/import/import-report.ts'
import type { DocumentSource, SourceFile } from '../../src/import/import-source.ts'
import { markdownFormat, obsidianFormat } from '../../src/import/markdown/markdown-format.ts'
import { type ImportOptions, runImport } from '../../src/import/run-import.ts'
import { type Connected, connect } from '../connect.ts'

export type Files = Record<string, string | Uint8Array>

/** 1 March 2024, noon, in UTC. */
export const WRITTEN = Date.parse('2024-03-01T12:00:00Z')

/** Files by path. */
export function sourceOf(files: Files, name = '/notes'): DocumentSource {
  const entries = Object.entries(files).map(([path, content]): SourceFile => {
    const bytes = Buffer.from(content)
    return {
      path,
      name: path.slice(path.lastIndexOf('/') + 1),
      size: bytes.byteLength,
      stamp: bytes.toString('base64'),
      createdAt: WRITTEN,
      modifiedAt: WRITTEN + 3600_000,
      async *open() {
        yield bytes
      },
    }
  })
  const sorted = entries.sort((one, other) => (one.path < other.path ? -1 : 1))
  return { name, title: 'notes', files: sorted, problems: [], close: async () => {}, hasNoSpaces: true }
}

export interface Imported extends Connected {
  report: ImportReport
  /** The Markdown of the document with a title. */
  read(title: string): Promise<string>
  /** Its blocks with all fields, except those that differ between spaces. */
  blocks(title: string): Promise<unknown[]>
  idOf(title: string): Promise<string>
  /** Imports again. */
  again(files: Files, options?: Partial<ImportOptions>): Promise<ImportReport>
}

/** @param format  by default that of a vault, which includes all of Markdown */
export async function imported(
  files: Files,
  format: ImportFormat = obsidianFormat,
  options: Partial<ImportOptions> = {},
): Promise<Imported> {
  const connected = await connect()
  const { space, call } = connected
  const again = (changed: Files, more: Partial<ImportOptions> = {}) =>
    runImport(space, sourceOf(changed), {
      ...{ format, into: null, isDryRun: false },
      ...options,
      ...more,
    })
  const report = await again(files)
  const idOf = async (title: string): Promise<string> => {
    const { items } = await call('documents_list')
    const found = items.find((one: { title: string }) => one.title === title)
    if (found === undefined) {
      const titles = items.map((one: { title: string }) => one.title).join(', ')
      throw new Error(`Expected a document ${title}, found ${titles}.`)
    }
    return found.id
  }
  return {
    ...connected,
    report,
    idOf,
    again,
    read: async (title) => bodyOf(await call('blocks_get', { id: await idOf(title), format: 'markdown' })),
    blocks: async (title) => (await call('blocks_get', { id: await idOf(title) })).content ?? [],
  }
}

/** The content of a page, without the tags around it. */
export function bodyOf(answer: { markdown?: string } | string): string {
  const text = typeof answer === 'string' ? answer : (answer.markdown ?? '')
  const [, inner = ''] = /<content>\n([\s\S]*)\n<\/content>/.exec(text) ?? []
  return inner
}

/** Each problem on one line. */
export const problemLines = ({ problems }: ImportReport): string[] =>
  problems.map(({ path, line, kind, message }) => `${path}${line === undefined ? '' : `:${line}`} ${kind}: ${message}`)

export { markdownFormat, obsidianFormat }
