/**
 * Moves files and sign-ins that earlier versions stored next to a symbolic link to a space, instead of next to the
 * space itself. Nothing is lost. The usage database stays where it is, since it is valid for only a minute.
 */
import { existsSync, lstatSync, realpathSync, renameSync } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { formatCount } from '../../src/base/format-number.ts'
import { syncFolder } from '../bytes/file-store.ts'
import { PRIVATE_FOLDER, restrictToOwner } from './private-files.ts'

/**
 * @param path  the path of the symbolic link, unresolved
 * @param space  the space that it leads to
 * @param report  receives a sentence about what was moved or left
 */
export async function moveCompanionFiles(
  path: string,
  space: string,
  report: (sentence: string) => void = () => {},
): Promise<void> {
  await moveFiles(`${path}.files`, `${space}.files`, report)
  await moveSignIns(`${path}.sign-in`, `${space}.sign-in`, report)
}

/** Files are named by their hash, so none can replace another. */
async function moveFiles(from: string, to: string, report: (sentence: string) => void): Promise<void> {
  if (lstatSync(from, { throwIfNoEntry: false })?.isDirectory() !== true) return
  if (existsSync(to) && realpathSync(from) === realpathSync(to)) return
  let movedCount = 0
  for (const prefix of await readdir(from)) {
    if (!/^[0-9a-f]{2}$/.test(prefix)) continue
    await mkdir(join(to, prefix), { recursive: true, mode: PRIVATE_FOLDER })
    for (const rest of await readdir(join(from, prefix))) {
      await moveFile(join(from, prefix, rest), join(to, prefix, rest))
      movedCount++
    }
    await syncFolder(join(to, prefix))
    await syncFolder(to)
    for (const rest of await readdir(join(from, prefix))) await rm(join(from, prefix, rest))
    await rmdir(join(from, prefix))
  }
  // The folder may hold something else.
  await rmdir(from).catch(() => {})
  if (movedCount > 0)
    report(
      `Moved ${formatCount(movedCount, 'file')} of the space from ${from}, next to a symbolic link to it, to ${to}.`,
    )
}

async function moveFile(from: string, to: string): Promise<void> {
  if (existsSync(to)) return
  try {
    await link(from, to)
  } catch {
    // The target is on another disk, or the disk has no hard links. An interrupted copy keeps a temporary name.
    const temporary = `${to}.moving-${process.pid}`
    await copyFile(from, temporary)
    const file = await open(temporary, 'r+')
    await file.sync().finally(() => file.close())
    await rename(temporary, to)
  }
}

/**
 * Copies the sign-ins instead of moving them, since another process may have them open. If the space already has
 * sign-ins, nothing is copied.
 */
async function moveSignIns(from: string, to: string, report: (sentence: string) => void): Promise<void> {
  if (existsSync(to) || lstatSync(from, { throwIfNoEntry: false })?.isFile() !== true) return
  const temporary = `${to}.moving-${process.pid}`
  await rm(temporary, { force: true })
  const sqlite = new Sqlite(from, { readonly: true })
  try {
    sqlite.prepare('VACUUM INTO ?').run(temporary)
  } finally {
    sqlite.close()
  }
  restrictToOwner(temporary)
  renameSync(temporary, to)
  await syncFolder(dirname(to))
  report(`Copied the sign-ins of the space from ${from}, next to a symbolic link to it, to ${to}; delete the former.`)
}
