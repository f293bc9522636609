/** Each kind of damage that doctor repairs, planted in an intact space. */
import { chmodSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, describe, expect, test } from 'vitest'
import { runDoctor } from '../../../src/cli/doctor/doctor-command.ts'
import { diagnoseSpace, overallState } from '../../../src/cli/doctor/findings.ts'
import { repairSpace } from '../../../src/cli/doctor/repair.ts'
import { folder } from '../../program.ts'
import { copyOf, faults, faultsOf, only, removeIntactSpace, replaceByKilled, run } from './damaged-space.ts'

afterAll(removeIntactSpace)

const REPAIR = 'Run doctor again with --repair.'

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
      () => [repairable('Search', 'the search index is wrong for 1 block')],
      ['Rebuilt the word index.'],
    ],
    [
      'a text that another program has changed',
      (file) => run(file, `UPDATE block SET text = 'another text of more words' WHERE text = 'first words'`),
      () => [repairable('Search', 'the search index is wrong for 1 block')],
      ['Rebuilt the word index.'],
    ],
    [
      'a link that no text has',
      (file) => run(file, 'INSERT INTO block_link (target, block) VALUES (100000000000, 1)'),
      () => [repairable('Search', 'the search index is wrong for 1 block')],
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
        replaceByKilled(file)
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
  const doctor = (repair: boolean, json = false) => runDoctor(file, { repair, json }, { system, defaultSpace: file })
  expect((await doctor(false)).exitCode).toBe(0)
  chmodSync(file, 0o644)
  expect((await doctor(false)).exitCode).toBe(3)
  const { output, exitCode } = await doctor(true, true)
  expect(exitCode).toBe(0)
  expect(JSON.parse(output)).toMatchObject({
    state: 'sound',
    repairs: ['Closed the files of the space to other users.'],
    findings: expect.arrayContaining([{ what: 'Integrity', found: 'ok' }]),
  })
  rmSync(only(file))
  chmodSync(file, 0o644)
  const repaired = await doctor(true)
  expect(repaired.exitCode).toBe(4)
  expect(repaired.output).toMatch(/^Closed the files of the space to other users\.\n {2}Node/)
  expect(repaired.output).toMatch(
    /! File +notes\.txt \(SHA-256 [0-9a-f]{64}\) is missing\n +Add it again, or restore a backup\.\n/,
  )
})
