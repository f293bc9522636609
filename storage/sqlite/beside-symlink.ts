/**
 * What earlier versions kept beside a symbolic link to a space, and not beside the space itself: its files and sign-ins.
 * They are brought to where they belong, and nothing is lost by it. The ledger of limits stays where it is: it holds for
 * a minute.
 */
import { existsSync, lstatSync, realpathSync, renameSync } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { syncFolder } from '../bytes/file-store.ts'
import { PRIVATE_FOLDER, restrictToOwner } from './private-files.ts'

/**
 * @param path  of the link, without what follows it
 * @param space  the space that it leads to
 * @param report  is told, in a sentence, of what was brought or left
 */
export async function moveFromBesideSymlink(
  path: string,
  space: string,
  report: (sentence: string) => void = () => {},
): Promise<void> {
  await moveFiles(`${path}.files`, `${space}.files`, report)
  await moveSignIns(`${path}.sign-in`, `${space}.sign-in`, report)
}

/** Each has the name of its bytes, so that none can take the place of another. */
async function moveFiles(from: string, to: string, report: (sentence: string) => void): Promise<void> {
  if (lstatSync(from, { throwIfNoEntry: false })?.isDirectory() !== true) return
  if (existsSync(to) && realpathSync(from) === realpathSync(to)) return
  let brought = 0
  for (const prefix of await readdir(from)) {
    if (!/^[0-9a-f]{2}$/.test(prefix)) continue
    await mkdir(join(to, prefix), { recursive: true, mode: PRIVATE_FOLDER })
    for (const rest of await readdir(join(from, prefix))) {
      await moveFile(join(from, prefix, rest), join(to, prefix, rest))
      brought++
    }
    await syncFolder(join(to, prefix))
    await syncFolder(to)
    for (const rest of await readdir(join(from, prefix))) await rm(join(from, prefix, rest))
    await rmdir(join(from, prefix))
  }
  // Something else may be in it.
  await rmdir(from).catch(() => {})
  if (brought > 0)
    report(
      `Brought ${brought} ${brought === 1 ? 'file' : 'files'} of the space from ${from}, beside a link to it, to ${to}.`,
    )
}

async function moveFile(from: string, to: string): Promise<void> {
  if (existsSync(to)) return
  try {
    await link(from, to)
  } catch {
    // On another disk, or one without hard links. What is cut off in the midst has another name.
    const passing = `${to}.brought-${process.pid}`
    await copyFile(from, passing)
    const file = await open(passing, 'r+')
    await file.sync().finally(() => file.close())
    await rename(passing, to)
  }
}

/** Copied, since somebody may have them open, and where the space has some already left where they are. */
async function moveSignIns(from: string, to: string, report: (sentence: string) => void): Promise<void> {
  if (existsSync(to) || lstatSync(from, { throwIfNoEntry: false })?.isFile() !== true) return
  const passing = `${to}.brought-${process.pid}`
  await rm(passing, { force: true })
  const sqlite = new Sqlite(from, { readonly: true })
  try {
    sqlite.prepare('VACUUM INTO ?').run(passing)
  } finally {
    sqlite.close()
  }
  restrictToOwner(passing)
  renameSync(passing, to)
  await syncFolder(dirname(to))
  report(`Copied the sign-ins of the space from ${from}, beside a link to it, to ${to}; delete the former.`)
}
