/** Recognizes the export of a whole space among the files of a source: see `src/export/json/export-space.ts`. */
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
