/**
 * Leaves out what belongs to spaces among the files of a source: databases with what is beside them, backups, and
 * archives with any of these. In the document "Files", every reader would get all content of these spaces.
 *
 * Databases are recognized by their content, and the files beside them by their names. When a source is opened, files of
 * the size of a database are looked at, so that no document refers to them. All others are looked at when they are read,
 * and archives are searched then (read-checked.ts).
 */
import { possibleDatabases } from '../../../storage/bytes/space-files.ts'
import { chunks } from '../../base/scheduling.ts'
import type { DocumentSource, ImportProblem, ImportSource, SourceFile } from '../import-source.ts'
import { assertNoSpaceExport } from '../json/space-export.ts'
import { isOfSpace, OF_SPACE, readChecked } from './read-checked.ts'

/** A database consists of pages, of which the smallest have this many bytes. */
const SMALLEST_PAGE = 512
/** How many files are looked at at the same time. */
const FILES_AT_ONCE = 64

/** @throws VALIDATION_ERROR if the source contains the export of a whole space */
export async function leaveOutSpaces(source: ImportSource): Promise<DocumentSource> {
  await assertNoSpaceExport(source)
  const paths = new Set(source.files.map(({ path }) => path))
  const databases = await databasesOf(source.files)
  const files: SourceFile[] = []
  const problems: ImportProblem[] = [...source.problems]
  for (const file of source.files) {
    const isLeftOut =
      databases.has(file.path) || isBesideSpace(file.path, databases) || (await isLogWithoutDatabase(file, paths))
    if (isLeftOut) problems.push({ path: file.path, kind: 'left out', message: OF_SPACE })
    else files.push({ ...file, open: () => readChecked(file) })
  }
  return { ...source, files, problems, hasNoSpaces: true }
}

/** The paths of databases of spaces. */
async function databasesOf(files: readonly SourceFile[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const candidates = files.filter(({ size }) => size > 0 && size % SMALLEST_PAGE === 0)
  for await (const part of chunks(candidates, FILES_AT_ONCE)) {
    await Promise.all(part.map(async (file) => (await isOfSpace(file)) && found.add(file.path)))
  }
  return found
}

/** The bytes of a space's files, by their SHA-256. */
const BYTES_OF_SPACE = /\.files\/[0-9a-f]{2}\/[0-9a-f]{62}$/

const isBesideSpace = (path: string, databases: ReadonlySet<string>): boolean =>
  BYTES_OF_SPACE.test(path) || possibleDatabases(path).some((database) => databases.has(database))

const LOG = /-(?:wal|journal)$/
/** The first bytes of SQLite's logs: a write-ahead log in either byte order, and a rollback journal. */
const LOG_HEADS: ReadonlySet<string> = new Set(['377f0682', '377f0683', 'd9d505f9'])

/** True for a log that contains pages of a database that is not there, which may be that of a space. */
async function isLogWithoutDatabase({ path, open }: SourceFile, paths: ReadonlySet<string>): Promise<boolean> {
  if (!LOG.test(path) || paths.has(path.replace(LOG, ''))) return false
  try {
    for await (const head of open()) return LOG_HEADS.has(Buffer.from(head).toString('hex', 0, 4))
  } catch {
    // A file that cannot be read is reported when it is needed.
  }
  return false
}
