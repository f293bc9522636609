/** Scheduled backups of a server that is written to all the time, and a backup whose text was damaged later. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { portOf } from '../../http/serve-process.ts'
import { commandOf, endProcess, runProgram, startProgram } from '../attack/process.ts'
import type { Scenario, ScenarioContext } from './scenario.ts'
import { closedSpace, titlesIn, UNLIMITED } from './transports.ts'

/** Writers at the same time. Each waits for the response before it writes again. */
const LANES = 6
/** Entries of the audit log, so that the copy of the database takes many steps. */
const LOG_ENTRIES = 300_000
/** Writes that must be acknowledged while a backup is made: many more than could be waiting for its end. */
const MIN_WRITES = 10 * LANES

export const underLoad: Scenario = {
  name: 'scheduled backups of a space that is written to are whole, and no write waits for them',
  planted: [
    {
      file: 'storage/sqlite/copies/space-copy.ts',
      find: "    source.exec('BEGIN')\n",
      replace: "    new Sqlite(from).exec('BEGIN IMMEDIATE')\n",
    },
  ],
  async run(context) {
    const { program } = context
    const folder = context.folder()
    const [file, backups] = [join(folder, 'space.sqlite'), join(folder, 'backups')]
    await closedSpace(context, file, 'First', 'the text of a file')
    addLogEntries(file)
    const link = JSON.parse(await commandOf(program, ['links', 'add', '--json', '--space', file])) as {
      restUrl: string
    }
    const flags = ['--port', '0', '--limit-ip', '0', '--no-welcome', ...UNLIMITED]
    const server = startProgram(program, ['serve', '--space', file, '--backup-to', backups, ...flags])
    context.leave(() => endProcess(server, 'SIGKILL'))
    const url = `http://127.0.0.1:${await portOf(server)}${new URL(link.restUrl).pathname}`
    const writing = new Writing(url)
    const { before, during, path } = await watchBackup(backups, writing)
    await writing.end()
    await endProcess(server)

    const faults = [...writing.faults]
    if (path === undefined) return [...faults, 'no backup was made.']
    if (during < MIN_WRITES) faults.push(`${during} writes were acknowledged while the backup was made.`)
    const examined = await runProgram(program, ['doctor', '--space', path])
    if (examined.code !== 0) faults.push(`the backup is not sound: ${examined.output}`)
    const titles = textsIn(path)
    for (const [lane, acknowledged] of before.entries()) {
      const count = [...titles].filter((title) => title.startsWith(`${lane}-`)).length
      if (count < 2 * acknowledged) faults.push(`the backup lacks writes of lane ${lane} from before it began.`)
      const expected = Array.from({ length: Math.ceil(count / 2) }, (_, index) => titlesOfWrite(lane, index)).flat()
      const missing = expected.find((title) => !titles.has(title))
      if (missing !== undefined) faults.push(`the backup has later writes of lane ${lane}, but lacks ${missing}.`)
    }
    return faults
  },
}

/** One call adds two documents, so that half of it would be noticed. */
const titlesOfWrite = (lane: number, index: number): string[] => ['a', 'b'].map((half) => `${lane}-${index}${half}`)

/** Writes until it is ended, in several lanes. */
class Writing {
  /** Acknowledged writes by lane. */
  readonly acknowledged: number[] = Array(LANES).fill(0)
  readonly faults: string[] = []
  readonly #lanes: Promise<void>[]
  #isEnded = false

  constructor(url: string) {
    this.#lanes = this.acknowledged.map((_, lane) => this.#write(url, lane))
  }

  get total(): number {
    return this.acknowledged.reduce((sum, count) => sum + count, 0)
  }

  async end(): Promise<void> {
    this.#isEnded = true
    await Promise.all(this.#lanes)
  }

  async #write(url: string, lane: number): Promise<void> {
    for (let index = 0; !this.#isEnded; index++) {
      const documents = titlesOfWrite(lane, index).map((title) => ({ title, markdown: 'one\n\ntwo' }))
      const body = JSON.stringify({ documents })
      const headers = { 'Content-Type': 'application/json' }
      const response = await fetch(`${url}/documents`, { method: 'POST', headers, body })
      const text = await response.text()
      if (response.ok) this.acknowledged[lane] = index + 1
      else return void this.faults.push(`a write got ${response.status}: ${text}`)
    }
  }
}

/** Checks of the folder after which a backup must have been made. */
const MAX_LOOKS = 6_000

/**
 * Counts the writes before the first backup in a folder was begun, which its unfinished file shows, and those while it
 * is made.
 */
async function watchBackup(folder: string, writing: Writing) {
  let before: number[] = [...writing.acknowledged]
  let total: number | undefined
  for (let attempt = 0; attempt < MAX_LOOKS; attempt++) {
    const names = readdirSync(folder, { withFileTypes: true }).map(({ name }) => name)
    if (names.length === 0) before = [...writing.acknowledged]
    else total ??= writing.total
    const made = names.find((name) => name.endsWith('.sqlite'))
    if (made !== undefined) return { before, during: writing.total - (total ?? 0), path: join(folder, made) }
    await delay(5)
  }
  return { before, during: 0 }
}

function textsIn(file: string): ReadonlySet<string> {
  const sqlite = new Sqlite(file, { readonly: true })
  try {
    return new Set(sqlite.prepare<[], string>('SELECT text FROM block').pluck().all())
  } finally {
    sqlite.close()
  }
}

function addLogEntries(file: string): void {
  const sqlite = new Sqlite(file)
  try {
    sqlite.exec(`WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${LOG_ENTRIES})
      INSERT INTO write_log (at, author, endpoint, ids)
      SELECT 1700000000000 + n, 'somebody', 'documents_add', '["${'1'.repeat(200)}"]' FROM number`)
  } finally {
    sqlite.close()
  }
}

export const flipped: Scenario = {
  name: 'a backup with one flipped bit of text is not restored',
  planted: [
    {
      file: 'storage/sqlite/copies/checksums.ts',
      find: "=== expected ? 'equal' : 'different'",
      replace: "=== '' ? 'different' : 'equal'",
    },
  ],
  async run(context: ScenarioContext) {
    const { program } = context
    const faults: string[] = []
    const folder = context.folder()
    const [file, backup] = [join(folder, 'space.sqlite'), join(folder, 'backup.sqlite')]
    await closedSpace(context, file, 'A title to flip')
    await commandOf(program, ['backup', '--space', file, '--to', backup])
    const restore = ['restore', backup, '--space', file]
    const verified = await commandOf(program, restore)
    if (!verified.includes(', verified.')) faults.push(`a sound backup was restored without: ${verified}`)
    const bytes = readFileSync(backup)
    for (let at = bytes.indexOf('title to flip'); at >= 0; at = bytes.indexOf('title to flip', at)) {
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    }
    writeFileSync(backup, bytes)
    const refused = await runProgram(program, restore)
    if (refused.code === 0) faults.push(`a damaged backup was restored: ${refused.output}`)
    const examined = await runProgram(program, ['doctor', '--space', backup])
    if (examined.code !== 4) faults.push(`doctor found a damaged backup sound: ${examined.output}`)
    if (!(await titlesIn(context, file)).includes('A title to flip')) faults.push('the space was changed.')
    return faults
  },
}
