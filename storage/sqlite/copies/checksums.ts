/**
 * The checksums of a backup, in a file next to it: `notes.sqlite.sha256`, in the format of `sha256sum`. The first line is
 * that of the database, the others are those of its files.
 *
 * SQLite's integrity check covers the structure of a database, but not its text: a byte that was flipped there goes
 * unnoticed by it. A file carries its checksum in its name, but a database carries none.
 */
import { existsSync, readdirSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { hashFile } from '../../bytes/checked-files.ts'
import { PRIVATE_FILE } from '../private-files.ts'
import { UnusableFile } from '../unusable-file.ts'

/** The path of the checksums of a backup. */
export const checksumsPath = (backup: string): string => `${backup}.sha256`

/**
 * Writes the checksums of a copy that no process has open, and flushes them to disk.
 *
 * @param name  the name that the copy will have, without a folder
 */
export async function writeChecksums(copy: string, name: string): Promise<void> {
  const files = existsSync(`${copy}.files`)
    ? readdirSync(`${copy}.files`, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    : []
  // The bytes of each file were compared with this hash when they were copied.
  const hashes = files.map(({ parentPath, name: rest }) => basename(parentPath) + rest).sort()
  const lines = [
    checksumLine(await hashFile(copy), name),
    ...hashes.map((hash) => checksumLine(hash, `${name}.files/${hash.slice(0, 2)}/${hash.slice(2)}`)),
  ]
  const file = await open(checksumsPath(copy), 'w', PRIVATE_FILE)
  try {
    await file.writeFile(lines.join(''))
    await file.sync()
  } finally {
    await file.close()
  }
}

/** As `sha256sum` writes it: a name with a backslash or a line break is escaped, and the line begins with a backslash. */
function checksumLine(hash: string, name: string): string {
  const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  return `${escaped === name ? '' : '\\'}${hash}  ${escaped}\n`
}

/**
 * Compares the database of a backup with its checksum. Reads the file itself, so this process must not have it open.
 *
 * @returns `none` if the backup has no checksums, as those of older versions
 */
export async function compareChecksum(backup: string): Promise<'equal' | 'different' | 'none'> {
  const path = checksumsPath(backup)
  if (!existsSync(path)) return 'none'
  // The name is not compared: a backup may be renamed.
  const [, expected] = /^\\?([0-9a-f]{64}) [ *]/.exec(await readFile(path, 'utf8')) ?? []
  if (expected === undefined) {
    throw new UnusableFile(
      `Expected the SHA-256 of ${basename(backup)} at the start of ${path}, found something else; restore another backup, or remove that file to restore this one without comparing its content.`,
    )
  }
  return (await hashFile(backup)) === expected ? 'equal' : 'different'
}
