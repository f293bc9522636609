/** Each kind of damage that doctor finds and cannot repair, planted in an intact space. */
import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { diagnoseSpace } from '../../../src/cli/doctor/findings.ts'
import { repairSpace } from '../../../src/cli/doctor/repair.ts'
import { SCHEMA_VERSION } from '../../../storage/sqlite/migrations.ts'
import { copyOf, faults, faultsOf, hashOf, only, removeIntactSpace, run } from './damaged-space.ts'

afterAll(removeIntactSpace)

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
  expect(await historyOf(file)).toEqual([
    expect.stringMatching(/^2 calls since 2026-11-20 can be taken back, [\d.]+ K?B$/),
  ])
  run(file, 'UPDATE write_log SET has_changes = 0 WHERE n = 1')
  expect(await historyOf(file)).toEqual([
    expect.stringMatching(/^1 call since 2026-11-20 can be taken back, [\d.]+ K?B$/),
  ])
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
      damaged('Free', '1 MB', 'Free some of the disk: expected 67.1 MB.'),
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
