/** Exports spaces as vaults, and imports them into new spaces. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runExport } from '../../src/export/run-export.ts'
import type { DocumentSource } from '../../src/import/import-source.ts'
import { obsidianFormat } from '../../src/import/markdown/markdown-format.ts'
import { openSource } from '../../src/import/open-source.ts'
import { MANIFEST } from '../../src/import/own/export-manifest.ts'
import { type ImportOptions, runImport } from '../../src/import/run-import.ts'
import { leaveOutSpaces } from '../../src/import/spaces/leave-out-spaces.ts'
import { type Connected, connect } from '../connect.ts'
import { folder } from '../program.ts'

export async function exportOf({ space }: Connected, documents: string[] = [], path = folder()) {
  const report = await runExport(space, path, { format: 'obsidian', documents, now: 0 })
  return { path, report, read: (file: string) => readFileSync(join(path, file), 'utf8') }
}

/** The files of an export, without the manifest. */
export const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'manifest.json')
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort()

/** Opens an export as one of another space, since all spaces of tests have the same ID. */
export async function openExport(path: string): Promise<DocumentSource> {
  const opened = await leaveOutSpaces(await openSource(path, ':memory:'))
  return { ...opened, manifest: { ...NO_MANIFEST, space: 'another' } }
}

const NO_MANIFEST = { files: new Map(), documents: new Map(), hasDocuments: true }

export async function importOf(
  path: string,
  options: Partial<ImportOptions> = {},
): Promise<Connected & { problems: string[] }> {
  const connected = await connect()
  const source = await openExport(path)
  onTestFinished(() => source.close())
  const chosen = { format: obsidianFormat, into: null, isDryRun: false, ...options }
  const report = await runImport(connected.space, source, chosen)
  return {
    ...connected,
    problems: report.problems.filter((one) => one.path !== MANIFEST).map((one) => `${one.path}: ${one.message}`),
  }
}

/** The texts of an export, by path, with their IDs numbered from 1. */
export function textsOf(path: string): Map<string, string> {
  const ids = new Map<string, string>()
  const count = (id: string) => ids.get(id) ?? (ids.set(id, `ID${ids.size + 1}`).get(id) as string)
  // Texts come first: their names have no IDs, which put files of the same name in a different order each time.
  const files = filesIn(path).sort((one, other) => Number(other.endsWith('.md')) - Number(one.endsWith('.md')))
  return new Map(
    files.map((file) => [
      file.replace(/\d{12}/g, count),
      readFileSync(join(path, file), 'utf8').replace(/(?<!\d)\d{12}(?!\d)|(?<=%20)\d{12}/g, count),
    ]),
  )
}
