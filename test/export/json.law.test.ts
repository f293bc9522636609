/** A whole space as JSON, and back. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runExport } from '../../src/export/run-export.ts'
import { type LoadOptions, loadSpace } from '../../src/import/json/load-space.ts'
import { readSpaceExport } from '../../src/import/json/space-export.ts'
import { openSource } from '../../src/import/open-source.ts'
import { type OpenSpace, openSpace } from '../../src/space/open-space.ts'
import { dumpedTables } from '../../storage/dump.ts'
import { BASE_SCHEMA, SCHEMA_VERSION, schemaVersion } from '../../storage/sqlite/migrations.ts'
import { folder } from '../program.ts'
import { answersOf, unpack } from '../schemas/fixtures.ts'
import { readings } from '../schemas/readings.ts'
import { FILE_LAWS } from '../sound.ts'
import { quickPasswords } from '../support/quick-passwords.ts'

const NOW = answersOf('29-former').now

async function opened(file: string): Promise<OpenSpace> {
  const space = await openSpace(file, { clock: () => NOW, historyRetention: Infinity })
  onTestFinished(() => space.close())
  return space
}

/** A space with one thing of each kind. */
async function filled(): Promise<OpenSpace> {
  const file = join(folder(), 'space.sqlite')
  unpack('29-former', file)
  return opened(file)
}

const PASSPHRASE = 'correct horse battery'

async function load(path: string, file = join(folder(), 'new.sqlite'), options: Partial<LoadOptions> = {}) {
  const source = await openSource(path, file)
  onTestFinished(() => source.close())
  const about = await readSpaceExport(source)
  if (about === undefined) throw new Error('Expected the export of a space.')
  const loading = { newSigningSecret: () => 'whsec_new', clock: () => NOW, ...options }
  return { file, about, ...(await loadSpace(file, source, about, loading)) }
}

/** The texts of an export, by path. */
const textsIn = (path: string): Map<string, string> =>
  new Map(
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
      .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]),
  )

function assertLaws(file: string): void {
  const sqlite = new Sqlite(file, { readonly: true })
  onTestFinished(() => void sqlite.close())
  for (const [law, broken] of FILE_LAWS) expect(sqlite.prepare(broken).pluck().get(), law).toBe(0)
}

describe.each([
  { name: 'folder', passphrase: PASSPHRASE },
  { name: 'space.zip', passphrase: PASSPHRASE },
  { name: 'folder', passphrase: undefined },
])('exported to a $name with the passphrase $passphrase and imported into a new file', ({ name, passphrase }) => {
  test('a space responds to every reading tool as before, including IDs, times, history and access', async () => {
    quickPasswords()
    const space = await filled()
    const path = join(folder(), name)
    const report = await runExport(space, path, { format: 'json', documents: [], now: NOW, passphrase })
    const before = await readings(space)
    expect(report.problems).toEqual([])
    const { file, problems } = await load(path, undefined, { passphrase })
    expect(problems).toEqual([])
    const after = await readings(await opened(file))
    for (const [index, { asked, answer }] of before.entries()) {
      expect([after[index]?.asked, after[index]?.answer], asked).toEqual([asked, answer])
    }
    assertLaws(file)
  })
})

test('the export of an import is the same', async () => {
  const [first, second] = [folder(), folder()]
  await runExport(await filled(), join(first, 'a'), { format: 'json', documents: [], now: NOW })
  const { file } = await load(join(first, 'a'))
  await runExport(await opened(file), join(second, 'b'), { format: 'json', documents: [], now: NOW })
  const texts = textsIn(join(first, 'a'))
  expect(texts.size).toBe(dumpedTables().length)
  const again = textsIn(join(second, 'b'))
  // Writing the full-text index counts as a change, and an import counts the bytes without the secrets left out.
  for (const all of [texts, again]) for (const name of ['change_counter', 'byte_count']) all.delete(`${name}.jsonl`)
  // Each export is an entry of the log.
  for (const all of [texts, again]) {
    const entries = all.get('write_log.jsonl')?.split('\n') ?? []
    const last = entries.findLastIndex((line) => line.includes('"endpoint":"export"'))
    all.set('write_log.jsonl', entries.filter((_, index) => index !== last || all === texts).join('\n'))
    all.set('call_start.jsonl', all.get('call_start.jsonl')?.replace(/"call":\d+,/, '') ?? '')
  }
  expect(again).toEqual(texts)
  assertLaws(file)
})

test('every table of a space is in it, except what is derived, describes running processes, or ends within minutes', async () => {
  const space = await filled()
  const sqlite = new Sqlite(space.file, { readonly: true })
  onTestFinished(() => void sqlite.close())
  const all = sqlite.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
  const left = all.filter((name) => !/^(?:sqlite_|search)/.test(name) && !dumpedTables().includes(name))
  expect(left.sort()).toEqual(['block_link', 'block_tag', 'import_job', 'unindexed_block', 'upload', 'webhook_lease'])
})

describe('an export that was tampered with', () => {
  async function tampered(change: (path: string) => void) {
    const path = join(folder(), 'out')
    await runExport(await filled(), path, { format: 'json', documents: [], now: NOW })
    change(path)
    const file = join(folder(), 'new.sqlite')
    return { file, loading: load(path, file) }
  }
  const replace = (path: string, table: string, row: string) =>
    writeFileSync(join(path, 'tables', `${table}.jsonl`), row)

  test.each([
    [
      'no JSON',
      'block',
      '{',
      'Expected rows of a space in tables/block.jsonl, found something else; export the space again.',
    ],
    [
      'an unknown column',
      'folder',
      '{"n":1,"evil":2}',
      'Expected columns of folder in the export, found evil; export the space again.',
    ],
    [
      'an object as a value',
      'folder',
      '{"n":1,"name":{"a":1}}',
      'Expected rows of folder in the export, found Expected text, a number or null, found {"a":1}.; export the space again.',
    ],
    [
      'an unknown table',
      'sqlite_schema',
      '{"name":1}',
      'Expected tables of a space in the export, found sqlite_schema; export the space again.',
    ],
    [
      'rows that refer to nothing',
      'block',
      '',
      /^Expected rows that refer to one another in the export, found .+; export it again\.$/,
    ],
  ])('with %s is rejected, and leaves nothing', async (_, table, row, message) => {
    const { file, loading } = await tampered((path) => replace(path, table, row))
    await expect(loading).rejects.toThrow(message)
    expect(readdirSync(dirname(file))).toEqual([])
  })

  /** Says of an export that it has another schema. */
  const ofSchema = (schema: number) =>
    tampered((path) => {
      const about = JSON.parse(readFileSync(join(path, 'scriptorium.json'), 'utf8'))
      // The earliest schema has no members, and links and comments have fewer columns.
      const { member: _, ...numbers } = about.numbers
      writeFileSync(join(path, 'scriptorium.json'), JSON.stringify({ ...about, schema, numbers }))
      rmSync(join(path, 'tables/member.jsonl'))
      for (const [table, later] of [
        ['link', /,"(?:no_events":0|paused_at":null|is_calendar":0|made_by":null)(?=[,}])/g],
        ['comment', /,"(?:unconfirmed|thread|words)":null(?=[,}])/g],
        ['space', /,"(?:week_start|date_language)":null(?=[,}])/g],
        ['participant', /,"access":"full"(?=[,}])/g],
        [
          'write_log',
          /,"(?:origin|detail|erased|hash|content_hash|content_salt|names_hash|names_salt)":(?:null|"(?:[^"\\]|\\.)*")(?=[,}])/g,
        ],
      ] as const) {
        const file = join(path, `tables/${table}.jsonl`)
        writeFileSync(file, readFileSync(file, 'utf8').replaceAll(later, ''))
      }
    })

  test('of a future schema is rejected', async () => {
    const { loading } = await ofSchema(9999)
    await expect(loading).rejects.toThrow(/^Expected a schema from 29 to \d+ in the export, found 9999; use the newest/)
  })

  test('of a schema that is not migrated is rejected, with what to do first', async () => {
    const { loading } = await ofSchema(28)
    await expect(loading).rejects.toThrow(
      'found 28; import it with commit 29836bdd of Scriptorium, and export it again.',
    )
  })

  test('of the earliest schema is migrated', async () => {
    const { file, loading } = await ofSchema(BASE_SCHEMA)
    await loading
    const sqlite = new Sqlite(file, { readonly: true })
    onTestFinished(() => void sqlite.close())
    expect(schemaVersion(sqlite)).toBe(SCHEMA_VERSION)
    expect(sqlite.prepare("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'").pluck().get()).toBeGreaterThan(
      50,
    )
    assertLaws(file)
  })

  test('in the bytes of a file lacks that file, and the report says so', async () => {
    const path = join(folder(), 'out')
    await runExport(await filled(), path, { format: 'json', documents: [], now: NOW })
    const [first] = readdirSync(join(path, 'files'))
    const [name] = readdirSync(join(path, 'files', first ?? ''))
    writeFileSync(join(path, 'files', first ?? '', name ?? ''), 'other bytes')
    expect((await load(path)).problems).toEqual([
      { path: `files/${first}/${name}`, kind: 'left out', message: 'The bytes of a file are damaged.' },
    ])
  })

  test('a folder without an export of a space is rejected', async () => {
    const path = folder()
    mkdirSync(join(path, 'tables'))
    writeFileSync(join(path, 'scriptorium.json'), '{"format":"other"}')
    expect(await readSpaceExport(await openSource(path, ':memory:'))).toBeUndefined()
  })
})
