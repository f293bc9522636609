/** Imports Markdown files as documents in folders, with `scriptorium import`. */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ImportReport } from '../../src/import/import-report.ts'
import type { DemoReport } from './demo-report.ts'
import { type Host, ROOT } from './host.ts'
import { type Readme, readmeFiles } from './readmes.ts'
import { listed, type Shelved } from './shelf.ts'

/** The maximum size of the report in bytes: it lists every broken link. */
const REPORT_BYTES = 64 * 1024 * 1024

interface Items<Item> {
  items: Item[]
}

/** Folders by name. */
export async function addFolders(host: Host, names: readonly string[]): Promise<Map<string, string>> {
  const folders = names.map((name) => ({ name }))
  const { items } = await host.call<Items<{ id: string }>>('folders_add', { folders })
  return new Map(items.map(({ id }, index) => [names[index] ?? '', id]))
}

/**
 * Writes the READMEs as files of a folder, and imports that folder while the host has the space open.
 *
 * @param folder  a new one, for the files
 * @param space  the file of the space
 */
export async function importReadmes(
  host: Host,
  readmes: readonly Readme[],
  folder: string,
  space: string,
  report: DemoReport,
) {
  const files = readmeFiles(readmes)
  for (const [path, { markdown }] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), markdown)
  }
  console.log(`Importing ${files.size} READMEs`)
  const reports: ImportReport[] = []
  await report.time('READMEs imported', 'documents', async () => {
    reports.push(await importFolder(folder, space))
    return files.size
  })
  await report.time('Imported again, unchanged', 'documents', async () => {
    const { counts } = await importFolder(folder, space)
    report.expect('a second import writes nothing', [counts.unchanged, counts.blocks], [files.size, 0])
    return files.size
  })
  const { items } = await host.call<Items<{ id: string; name: string }>>('folders_list', {})
  const folderIds = new Map(items.map(({ id, name }) => [name, id]))
  const found = new Map((await listed(host, {})).map((one) => [`${one.folderId} ${one.title}`, one.id]))
  const shelf = [...files.values()].map((readme): Shelved => {
    const folderId = folderIds.get(readme.folder) ?? ''
    return { ...readme, id: found.get(`${folderId} ${readme.title}`) ?? '', folderId, blocks: [] }
  })
  return { shelf, problems: reports.flatMap(({ problems }) => problems) }
}

/** @throws Error with the output of the command if it cannot start */
async function importFolder(folder: string, space: string): Promise<ImportReport> {
  const args = ['src/start.js', 'import', folder, '--space', space, '--no-welcome', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, maxBuffer: REPORT_BYTES })
  return JSON.parse(stdout) as ImportReport
}
