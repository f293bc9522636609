/** Recognizes the export of a whole space among the files of a source: see `src/export/json/export-space.ts`. */
import { dumpedColumns, SECRET_COLUMNS } from '../../../storage/dump.ts'
import { invalid } from '../../base/errors.ts'
import { baseName, type ImportSource, readSourceFile, type SourceFile } from '../import-source.ts'

export const SPACE_FORMAT = 'scriptorium-space'
export const SPACE_FILE = 'scriptorium.json'

/** Maximum size of that file in bytes. */
const ABOUT_BYTES = 1024 * 1024

/** The metadata of an export, as far as it is checked when it is read. */
export interface SpaceExportInfo {
  schema: number
  space: { id: string; name: string }
  exportedAt: string
  numbers: Record<string, number>
  /** Absent in exports from before secrets were encrypted or left out. */
  secrets?: unknown
}

/**
 * Reads the metadata if the source is an export of a whole space. Returns undefined for other sources.
 *
 * @throws VALIDATION_ERROR for an export that is damaged, or of a newer version
 */
export async function readSpaceExport({ files }: ImportSource): Promise<SpaceExportInfo | undefined> {
  const file = files.find(({ path }) => path === SPACE_FILE)
  if (file === undefined || !(await isSpaceExport(file))) return undefined
  const text = (await readSourceFile(file, ABOUT_BYTES).catch(() => Buffer.alloc(0))).toString('utf8')
  const about = parsed(text) as (SpaceExportInfo & { version?: unknown }) | null | undefined
  if (about?.version === 1) return about
  throw invalid(
    `Expected the export of a space of version 1 in ${SPACE_FILE}, found ${about?.version ?? 'damaged metadata'}; use the newest version of Scriptorium, or export the space again.`,
  )
}

/** @returns undefined for a text that is no JSON */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function isSpaceExport({ path, open }: SourceFile): Promise<boolean> {
  for await (const head of open()) return isSpaceExportHead(path, Buffer.from(head))
  return false
}

/** True for the beginning of the metadata of an export, of any version. */
const isSpaceExportHead = (path: string, head: Buffer): boolean =>
  baseName(path).toLowerCase() === SPACE_FILE && FORMAT.test(head.toString('latin1'))

const FORMAT = new RegExp(`"format"\\s*:\\s*"${SPACE_FORMAT}"`)

/** True for the beginning of the metadata of an export, and of a table with secrets as text, as they were once. */
export const isPartOfSpaceExport = (path: string, head: Buffer): boolean =>
  isSpaceExportHead(path, head) || hasExportedSecret(path, head)

function hasExportedSecret(path: string, head: Buffer): boolean {
  const [, table = ''] = /^([a-z_]+)\.jsonl$/.exec(baseName(path)) ?? []
  const column = SECRET_COLUMNS.get(table)
  if (column === undefined) return false
  const row = parsed(head.toString('utf8').split('\n', 1)[0] ?? '') as Record<string, unknown> | null | undefined
  const columns = new Set(dumpedColumns(table).map(({ name }) => name))
  return typeof row?.[column] === 'string' && Object.keys(row).every((name) => columns.has(name))
}

/**
 * Refuses the export of a space as a source of documents: it contains content of everybody, and who may open the space.
 *
 * @throws VALIDATION_ERROR if there is one in any folder of the source
 */
export async function assertNoSpaceExport({ files }: ImportSource): Promise<void> {
  for (const file of files) {
    if (baseName(file.path).toLowerCase() === SPACE_FILE && (await isSpaceExport(file))) throw wholeSpace(file.path)
  }
}

const wholeSpace = (path: string) =>
  invalid(
    `Expected documents to import, found the export of a whole space, ${path}; run \`scriptorium import\` on the folder or zip of that file, with --space and a new file, to make a space of it, or leave it out.`,
  )
