/** Each kind of damage that doctor finds, planted in an intact space; and what it repairs. */
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, describe, expect, test } from 'vitest'
import { runDoctor } from '../../../src/cli/doctor/doctor-command.ts'
import { diagnoseSpace, type Finding, overallState } from '../../../src/cli/doctor/findings.ts'
import { repairSpace } from '../../../src/cli/doctor/repair.ts'
import { openSpace } from '../../../src/space/open-space.ts'
import { SCHEMA_VERSION } from '../../../storage/sqlite/migrations.ts'
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

afterAll(() => {
  for (const one of [made, `${made}.killed`]) rmSync(one, { recursive: true, force: true })
})

async function copyOf(isKilled = false): Promise<string> {
  if (made === '') await make()
  const at = folder()
  cpSync(isKilled ? `${made}.killed` : made, at, { recursive: true })
  closeFolder(join(at, 'space.sqlite.files'))
  return join(at, 'space.sqlite')
}

/** Copied folders are readable for others. */
function closeFolder(path: string): void {
  for (const one of [path, ...globSync(`${path}/??`)]) chmodSync(one, 0o700)
}

const faultsOf = (findings: readonly Finding[]): Finding[] => findings.filter(({ fault }) => fault !== undefined)
const faults = async (file: string): Promise<Finding[]> => faultsOf(await diagnoseSpace(file))

function run(file: string, sql: string): void {
  const sqlite = new Sqlite(file)
  sqlite.pragma('foreign_keys = 0')
  sqlite.unsafeMode()
  sqlite.exec(sql)
  sqlite.close()
}

const only = (file: string): string => globSync(`${file}.files/??/*`)[0] ?? ''
const hashOf = (path: string): string => path.split('/').slice(-2).join('')

const REPAIR = 'Run doctor again with --repair.'
const RESTORE = 'Copy the file with the files next to it, and restore a backup.'
const COVERED = `${RESTORE} Nothing else was looked at, since to open the file covers this up.`
const CHANGED = 'Another program has changed the file: undo that there, or restore a backup.'

test('an intact space has no findings, even with the WAL of a killed process', async () => {
  expect(await faults(await copyOf())).toEqual([])
  expect(await faults(await copyOf(true))).toEqual([])
})

test('the size and the beginning of the history are reported', async () => {
  const historyOf = async (file: string) =>
    (await diagnoseSpace(file)).filter(({ what }) => what === 'History').map(({ found }) => found)
  const file = await copyOf()
  expect(await historyOf(file)).toEqual(['2 calls since 2026-11-20 can be taken back, 0.0 MiB'])
  run(file, 'UPDATE write_log SET has_changes = 0 WHERE n = 1')
  expect(await historyOf(file)).toEqual(['1 call since 2026-11-20 can be taken back, 0.0 MiB'])
  run(file, 'UPDATE write_log SET has_changes = 0')
  expect(await historyOf(file)).toEqual(['empty'])
})

test('the stored bytes are reported, and changes that no call has logged yet are not counted wrong', async () => {
  const file = await copyOf()
  const bytesOf = async () => (await diagnoseSpace(file)).filter(({ what }) => what === 'Bytes')
  const [before, ...others] = await bytesOf()
  expect(before).toEqual({
    what: 'Bytes',
    found: expect.stringMatching(/^documents [\d.]+ B, history [\d.]+ B, files 4 B$/),
  })
  expect(others).toEqual([])
  run(file, `DELETE FROM block WHERE text = 'first words'`)
  run(file, `UPDATE block SET attributes = '{"color":"#ff0000"}' WHERE text = 'other words'`)
  expect(await bytesOf()).toEqual([before])
})

describe('what cannot be repaired', () => {
  const damaged = (what: string, found: string, advice: string) => ({ what, found, fault: 'damaged', advice })
  const cases: [string, (file: string) => void, (file: string, bytes: string) => object][] = [
    [
      'a file whose bytes are missing',
      (file) => rmSync(only(file)),
      (_, bytes) =>
        damaged('File', `notes.txt (SHA-256 ${hashOf(bytes)}) is missing`, 'Add it again, or restore a backup.'),
    ],
    [
      'a file whose bytes were changed',
      (file) => writeFileSync(only(file), 'other'),
      (_, bytes) =>
        damaged(
          'File',
          `notes.txt (SHA-256 ${hashOf(bytes)}) was changed on the disk`,
          'Add it again, or restore a backup.',
        ),
    ],
    [
      'a trigger of another program',
      (file) => run(file, 'CREATE TRIGGER mine AFTER DELETE ON comment BEGIN SELECT 1; END'),
      () => damaged('Schema', 'trigger mine is not of Scriptorium', CHANGED),
    ],
    [
      'a table of another program',
      (file) => run(file, 'CREATE TABLE mine (one)'),
      () => damaged('Schema', 'table mine is not of Scriptorium', CHANGED),
    ],
    [
      'an index that is missing',
      (file) => run(file, 'DROP INDEX block_parent'),
      () => damaged('Schema', 'index block_parent is missing', CHANGED),
    ],
    [
      'a table that has another column',
      (file) => run(file, 'ALTER TABLE comment ADD COLUMN mine TEXT'),
      () => damaged('Schema', 'table comment is another one', CHANGED),
    ],
    [
      'references that lead nowhere',
      (file) =>
        run(
          file,
          `INSERT INTO comment (id, block, author, content, created_at) VALUES (123456789012, 999, 'b', 'c', 1)`,
        ),
      () => damaged('References', '1 row of comment without their block', RESTORE),
    ],
    [
      'the database of another program',
      (file) => run(file, 'PRAGMA application_id = 7'),
      () => damaged('Kind', 'the database of another program', 'Name another file with --space.'),
    ],
    [
      'a newer version',
      (file) => run(file, 'PRAGMA user_version = 99'),
      () =>
        damaged('Schema', `version 99 of ${SCHEMA_VERSION}`, 'The file is of a newer Scriptorium: update this one.'),
    ],
    [
      'a version that is not migrated',
      (file) => run(file, 'PRAGMA user_version = 28'),
      () =>
        damaged(
          'Schema',
          `version 28 of ${SCHEMA_VERSION}`,
          'The file is of an earlier Scriptorium: open it with commit 29836bdd of Scriptorium once, and then with this one.',
        ),
    ],
    [
      'an invalid usage file',
      (file) => writeFileSync(`${file}.usage`, 'Dear diary, '.repeat(100), { mode: 0o600 }),
      (file) =>
        damaged(
          'Adjacent',
          `${file}.usage: file is not a database`,
          'Unless it belongs to another program, delete it: limits are then counted from zero.',
        ),
    ],
    [
      'sign-ins of another program',
      (file) => run(`${file}.sign-in`, 'PRAGMA application_id = 7'),
      (file) =>
        damaged(
          'Adjacent',
          `${file}.sign-in: it is the database of another program`,
          'Unless it is of another program, move it away: everybody signs in again.',
        ),
    ],
  ]
  test.each(cases)('%s', async (_, plant, expected) => {
    const file = await copyOf()
    const bytes = only(file)
    plant(file)
    const found = await faults(file)
    expect(found).toEqual([expected(file, bytes)])
    // A repair does not change it.
    const before = readFileSync(file)
    expect(await repairSpace(file, found)).toEqual([])
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('a nearly full disk, and a folder that cannot be written', async () => {
    const file = await copyOf()
    const disk = { freeBytes: () => 1024 * 1024, canWrite: (path: string) => path !== join(file, '..') }
    expect(faultsOf(await diagnoseSpace(file, disk))).toEqual([
      damaged(
        'Access',
        `${join(file, '..')} cannot be read and written`,
        'Let the user who runs Scriptorium read and write it, as with chown and chmod u+rwX.',
      ),
      damaged('Free', '1.0 MiB', 'Free some of the disk: expected 64.0 MiB.'),
    ])
  })

  test('an overwritten page of the database', async () => {
    const file = await copyOf()
    const bytes = readFileSync(file)
    bytes.fill(0xff, 4096 * 5, 4096 * 6)
    writeFileSync(file, bytes)
    const [first] = await faults(file)
    expect(first?.fault).toBe('damaged')
    expect(['Integrity', 'Opening']).toContain(first?.what)
  })
})

describe('a WAL that has lost data', () => {
  const FRAME = 24 + 4096
  const lost = (found: string) => [
    { what: 'Log', found: `${found}; changes are lost`, fault: 'damaged', advice: COVERED },
  ]
  const framesOf = (file: string) => (statSync(`${file}-wal`).size - 32) / FRAME
  const flip = (path: string, at: number) => {
    const bytes = readFileSync(path)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    writeFileSync(path, bytes)
  }

  test('since it was removed, emptied or truncated', async () => {
    const file = await copyOf(true)
    const frames = framesOf(file)
    truncateSync(`${file}-wal`, 32 + 3 * FRAME)
    expect(await faults(file)).toEqual(lost(`${file}-wal has 3 of its ${frames} frames`))
    const missing = lost(`${file}-wal is missing or empty and had ${frames} frames that are not in the database`)
    truncateSync(`${file}-wal`, 0)
    expect(await faults(file)).toEqual(missing)
    rmSync(`${file}-wal`)
    expect(await faults(file)).toEqual(missing)
  })

  test('since its header or a frame is damaged', async () => {
    const file = await copyOf(true)
    rmSync(`${file}-shm`)
    flip(`${file}-wal`, 32 + FRAME + 100)
    const [found] = await faults(file)
    expect(found?.found).toMatch(/^frame 2 of \S+-wal is damaged, and \d+ commits come after it; changes are lost$/)
    flip(`${file}-wal`, 9)
    expect(await faults(file)).toEqual(lost(`the header of ${file}-wal is not right, so that nothing in it is read`))
  })

  test('together with its database', async () => {
    const file = await copyOf(true)
    rmSync(file)
    expect(await faults(file)).toEqual(lost(`${file}-wal lies there without its database`))
  })
})

describe('what is repaired', () => {
  const repairable = (what: string, found: string) => ({ what, found, fault: 'repairable', advice: REPAIR })
  const cases: [string, (file: string) => void, (file: string) => object, string[]][] = [
    [
      'files that are open to other users',
      (file) => {
        chmodSync(file, 0o644)
        chmodSync(`${file}.files`, 0o755)
      },
      (file) => [
        repairable('Access', `${file} is open to other users`),
        repairable('Access', `${file}.files is open to other users`),
      ],
      ['Closed the files of the space to other users.'],
    ],
    [
      'bytes of no block, and what a process has left that is gone',
      (file) => {
        writeFileSync(join(only(file), '..', '0'.repeat(62)), 'a', { mode: 0o600 })
        writeFileSync(join(`${file}.files`, 'passing-4194999-00'), 'dead', { mode: 0o600 })
      },
      (file) =>
        [join(only(file), '..', '0'.repeat(62)), join(`${file}.files`, 'passing-4194999-00')].map((path) =>
          repairable('File', `${path} is of no block`),
        ),
      ['Removed 2 files of no block.'],
    ],
    [
      'a row that the index of words lacks',
      (file) => run(file, 'DELETE FROM search WHERE rowid = (SELECT max(rowid) FROM search)'),
      () => [repairable('Words', 'the index of words is wrong for 1 block')],
      ['Rebuilt the word index.'],
    ],
    [
      'a text that another program has changed',
      (file) => run(file, `UPDATE block SET text = 'another text of more words' WHERE text = 'first words'`),
      () => [repairable('Words', 'the index of words is wrong for 1 block')],
      ['Rebuilt the word index.'],
    ],
    [
      'a link that no text has',
      (file) => run(file, 'INSERT INTO block_link (target, block) VALUES (100000000000, 1)'),
      () => [repairable('Words', 'the index of words is wrong for 1 block')],
      ['Rebuilt the word index.'],
    ],
    [
      'documents that are counted wrong',
      (file) => run(file, `UPDATE location_count SET documents = documents + 1 WHERE location = 'trash'`),
      () => [repairable('Counts', 'documents are counted wrong in 1 place')],
      ['Recounted the documents of folders and locations.'],
    ],
    [
      'stored bytes that are counted wrong',
      (file) => run(file, 'UPDATE byte_count SET history = history + 5 WHERE n = 2'),
      // The whole space, too, since a trigger adds them up.
      () => [repairable('Bytes', 'stored bytes are counted wrong in 2 places')],
      ['Counted the stored bytes again.'],
    ],
    [
      'a log that ends within a frame',
      (file) => {
        cpSync(`${made}.killed`, join(file, '..'), { recursive: true, force: true })
        closeFolder(`${file}.files`)
        rmSync(`${file}-shm`)
        truncateSync(`${file}-wal`, statSync(`${file}-wal`).size + 100)
      },
      (file) => [{ ...repairable('Log', `${file}-wal ends within a frame that was never committed; nothing is lost`) }],
      ['Folded the log into the file.'],
    ],
  ]
  test.each(cases)('%s', async (_, plant, expected, done) => {
    const file = await copyOf()
    plant(file)
    const found = await diagnoseSpace(file)
    expect(faultsOf(found)).toEqual(expected(file))
    expect(overallState(found)).toBe('repairable')
    expect(await repairSpace(file, found)).toEqual(done)
    expect(await faults(file)).toEqual([])
    expect(readFileSync(only(file), 'latin1')).not.toBe('')
  })

  test('an index of a table that another program has emptied', async () => {
    const file = await copyOf()
    const entry = `type = 'index' AND name = 'comment_block'`
    run(
      file,
      `INSERT INTO comment (id, block, author, content, created_at) SELECT 123456789012, n, 'b', 'c', 1 FROM block LIMIT 1`,
    )
    const root = new Sqlite(file).prepare(`SELECT rootpage FROM sqlite_schema WHERE ${entry}`).pluck().get() as number
    const bytes = readFileSync(file)
    // No cells on this page.
    bytes.writeUInt16BE(0, (root - 1) * 4096 + 3)
    bytes.writeUInt16BE(4096, (root - 1) * 4096 + 5)
    writeFileSync(file, bytes)
    const found = await diagnoseSpace(file)
    expect(faultsOf(found)[0]).toMatchObject({ what: 'Integrity', fault: 'repairable' })
    expect((await repairSpace(file, found))[0]).toBe('Rebuilt the indexes of the tables.')
    expect(await faults(file)).toEqual([])
  })
})

test('the command prints what it did, and its exit code says what is left', async () => {
  const file = await copyOf()
  const system = { platform: 'linux', home: folder(), env: {}, list: () => [], read: () => undefined } as const
  const look = (repair: boolean, json = false) => runDoctor(file, { repair, json }, { system, defaultSpace: file })
  expect((await look(false)).exitCode).toBe(0)
  chmodSync(file, 0o644)
  expect((await look(false)).exitCode).toBe(3)
  const { output, exitCode } = await look(true, true)
  expect(exitCode).toBe(0)
  expect(JSON.parse(output)).toMatchObject({
    state: 'sound',
    repairs: ['Closed the files of the space to other users.'],
    findings: expect.arrayContaining([{ what: 'Integrity', found: 'ok' }]),
  })
  rmSync(only(file))
  chmodSync(file, 0o644)
  const repaired = await look(true)
  expect(repaired.exitCode).toBe(4)
  expect(repaired.output).toMatch(/^Closed the files of the space to other users\.\n {2}Node/)
  expect(repaired.output).toMatch(
    /! File +notes\.txt \(SHA-256 [0-9a-f]{64}\) is missing\n +Add it again, or restore a backup\.\n/,
  )
})
