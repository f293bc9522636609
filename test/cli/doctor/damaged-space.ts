/** Copies of an intact space, to be damaged and diagnosed. */
import { chmodSync, cpSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect } from 'vitest'
import { diagnoseSpace, type Finding } from '../../../src/cli/doctor/findings.ts'
import { openSpace } from '../../../src/space/open-space.ts'
import { openSignIns } from '../../../storage/sqlite/sign-ins.ts'
import { openUsage } from '../../../storage/sqlite/usage.ts'
import { counter, NOW } from '../../build.ts'
import { connect } from '../../connect.ts'
import { documentOf } from '../../document.ts'
import { keepLog } from '../../keep-log.ts'
import { folder } from '../../program.ts'

/** Created once. */
let made = ''

/**
 * A closed space with a document and a file, and a copy of it as a killed process leaves it, with its WAL. It is copied
 * while nothing has it open, since closing a descriptor of a database drops the locks of SQLite in this process.
 */
async function make(): Promise<void> {
  made = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  const file = join(made, 'space.sqlite')
  const clock = { now: NOW }
  const space = await openSpace(file, { timezone: 'Europe/Budapest', clock: () => clock.now, ...counter() })
  const leaveLog = keepLog(file)
  const connected = await connect('full', { to: { space, clock } })
  await documentOf(connected, 'first words\n\nother words')
  const position = { position: 'end', date: 'today' }
  await connected.call('files_add', { position, data: 'abcdef', mimeType: 'text/plain', fileName: 'notes.txt' })
  await space.close()
  leaveLog()
  cpSync(made, `${made}.killed`, { recursive: true })
  new Sqlite(file).exec('SELECT * FROM space').close()
  expect(existsSync(`${file}-wal`)).toBe(false)
  const usage = openUsage(`${file}.usage`)
  await usage.record((used) => ({ ...used, requests: { start: 1, used: 1 } }))
  usage.close()
  openSignIns(`${file}.sign-in`).close()
}

/** For the end of each file of tests, which share this module. */
export function removeIntactSpace(): void {
  for (const one of [made, `${made}.killed`]) rmSync(one, { recursive: true, force: true })
  made = ''
}

export async function copyOf(isKilled = false): Promise<string> {
  if (made === '') await make()
  const at = folder()
  cpSync(isKilled ? `${made}.killed` : made, at, { recursive: true })
  closeFolder(join(at, 'space.sqlite.files'))
  return join(at, 'space.sqlite')
}

/** Copied folders are readable for others. */
export function closeFolder(path: string): void {
  for (const one of [path, ...globSync(`${path}/??`)]) chmodSync(one, 0o700)
}

export const faultsOf = (findings: readonly Finding[]): Finding[] => findings.filter(({ fault }) => fault !== undefined)
export const faults = async (file: string): Promise<Finding[]> => faultsOf(await diagnoseSpace(file))

export function run(file: string, sql: string): void {
  const sqlite = new Sqlite(file)
  sqlite.pragma('foreign_keys = 0')
  sqlite.unsafeMode()
  sqlite.exec(sql)
  sqlite.close()
}

export const only = (file: string): string => globSync(`${file}.files/??/*`)[0] ?? ''
export const hashOf = (path: string): string => path.split('/').slice(-2).join('')

/** Replaces a copy by one as a killed process leaves it, with its WAL. */
export function replaceByKilled(file: string): void {
  cpSync(`${made}.killed`, join(file, '..'), { recursive: true, force: true })
  closeFolder(`${file}.files`)
}
