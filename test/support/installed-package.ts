/**
 * The package as users get it: packed by `npm pack`, then installed from its tarball into a folder outside of the
 * checkout, with the dependencies that npm chooses.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import type { Program } from '../program.ts'
import { contentHash } from './sources-hash.ts'

export interface InstalledPackage {
  /** The folder that contains `node_modules`, and the working directory of the programs. */
  folder: string
  /** Path of `dist/start.js` in `node_modules`, to be run by Node. */
  bin: string
}

const root = join(import.meta.dirname, '../..')
/** Milliseconds to wait while another process packs and installs. */
const INSTALLING_WAIT = 5 * 60_000
/** Milliseconds after its last use for which an installation of other sources is kept. */
const UNUSED = 60 * 60_000

/**
 * Packs and installs the checkout, unless there is an installation of exactly these sources. If several processes call
 * this at the same time, one installs and the others wait for it. It takes about twelve seconds the first time, so call
 * it in `beforeAll` with a timeout of minutes.
 *
 * @throws Error with the output of npm
 */
export async function installedPackage(): Promise<InstalledPackage> {
  const cache = join(tmpdir(), `scriptorium-installed-${userInfo().username}`)
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  const checkout = hashOf(root)
  const folder = join(cache, `${checkout}-${contentHash()}`)
  const unlock = await lock(join(cache, `${checkout}.lock`))
  try {
    if (!existsSync(folder)) {
      removeUnused(cache, checkout)
      await install(folder)
    }
    utimesSync(folder, new Date(), new Date())
  } finally {
    unlock()
  }
  return { folder, bin: join(folder, 'node_modules', 'scriptorium', 'dist', 'start.js') }
}

/** The installed package in the form that tests of spawned programs need. */
export async function installedProgram(): Promise<Program> {
  const { folder, bin } = await installedPackage()
  return { script: bin, cwd: folder }
}

async function install(folder: string): Promise<void> {
  const unfinished = mkdtempSync(`${folder}-`)
  try {
    await npm(root, 'pack', '--pack-destination', unfinished)
    const tarball = readdirSync(unfinished).find((name) => name.endsWith('.tgz'))
    if (tarball === undefined) throw new Error('Expected npm pack to make a tarball, found none.')
    writeFileSync(join(unfinished, 'package.json'), '{ "private": true }')
    await npm(unfinished, 'install', '--prefer-offline', '--no-fund', '--no-audit', `./${tarball}`)
    // It gets its final name only once it is complete.
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    throw error
  }
}

async function npm(cwd: string, ...args: string[]): Promise<void> {
  const options = { cwd, shell: process.platform === 'win32', maxBuffer: 16 * 1024 * 1024 }
  await promisify(execFile)('npm', [...args, '--loglevel', 'error'], options)
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

/** Removes installations of earlier states of this checkout. */
function removeUnused(cache: string, checkout: string): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    const isOld = name.startsWith(`${checkout}-`) && Date.now() - statSync(path).mtimeMs > UNUSED
    if (isOld) rmSync(path, { recursive: true, force: true })
  }
}

/** A lock between processes, held by SQLite: it is released when its process ends, in whatever way. */
async function lock(file: string): Promise<() => void> {
  const sqlite = new Sqlite(file, { timeout: 0 })
  const deadline = Date.now() + INSTALLING_WAIT
  for (;;) {
    try {
      sqlite.exec('BEGIN EXCLUSIVE')
      return () => sqlite.close()
    } catch (error) {
      const isHeld = error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')
      if (!isHeld || Date.now() > deadline) {
        sqlite.close()
        throw error
      }
    }
    await delay(50)
  }
}
