/** What belongs to spaces is no document: exports are refused, and databases, what is beside them and backups are left out. */
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { runExport } from '../../src/export/run-export.ts'
import { enexFormat } from '../../src/import/enex/enex-format.ts'
import type { ImportReport } from '../../src/import/import-report.ts'
import { markdownFormat } from '../../src/import/markdown/markdown-format.ts'
import { openSource } from '../../src/import/open-source.ts'
import { openUpload } from '../../src/import/open-upload.ts'
import { type ImportOptions, runImport } from '../../src/import/run-import.ts'
import { leaveOutSpaces } from '../../src/import/spaces/leave-out-spaces.ts'
import { ArchiveNotSearched, searchLimit, zipHas } from '../../src/import/spaces/search-zip.ts'
import { textbundleFormat } from '../../src/import/textbundle/textbundle-format.ts'
import { openSpace } from '../../src/space/open-space.ts'
import { NOW } from '../build.ts'
import { type Connected, connect } from '../connect.ts'
import { folder } from '../program.ts'
import { entriesOf, zipAt, zipOf } from './zips.ts'

const OF_SPACE = 'It is a space, or belongs to one, and is no document.'
const HOLDS_SPACE = 'It is an archive that contains a space.'
const NOTE = 'A note.\n'

/** The bytes of a space, and of its database of usage. */
let space: Buffer
let usage: Buffer
/** The bytes of a database of another program, and of its log. */
let foreign: Buffer
let foreignLog: Buffer

beforeEach(async () => {
  if (space !== undefined) return
  const path = folder()
  const file = join(path, 'a.sqlite')
  await (await openSpace(file)).close()
  space = readFileSync(file)
  usage = Buffer.from(space)
  // "ScrU" in ASCII.
  usage.writeUInt32BE(0x53637255, 68)
  const other = join(path, 'b.db')
  const sqlite = new Sqlite(other)
  sqlite.pragma('journal_mode = WAL')
  sqlite.exec('CREATE TABLE a (b); INSERT INTO a VALUES (1)')
  copyFileSync(`${other}-wal`, `${other}-log`)
  sqlite.close()
  foreign = readFileSync(other)
  foreignLog = readFileSync(`${other}-log`)
})

type Files = Record<string, string | Uint8Array>

function folderOf(files: Files, path = folder()): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), content)
  }
  return path
}

interface Imported extends Connected {
  report: ImportReport
  /** The names of imported files. */
  files: string[]
  /** Lines of the report about what was left out. */
  left: string[]
}

async function imported(path: string, options: Partial<ImportOptions> = {}): Promise<Imported> {
  const connected = await connect()
  const opened = await openSource(path, connected.space.file)
  onTestFinished(() => opened.close())
  const source = await leaveOutSpaces(opened)
  const chosen = { format: markdownFormat, into: null, isDryRun: false, ...options }
  return resultOf(connected, await runImport(connected.space, source, chosen))
}

async function resultOf(connected: Connected, report: ImportReport): Promise<Imported> {
  const { resources } = await connected.client.listResources()
  const files = resources.filter(({ uri }) => uri.includes('/files/')).map(({ name }) => name)
  const problems = report.problems.filter(({ kind }) => kind !== 'changed')
  const left = problems.map(({ path, kind, message }) => `${kind} ${path}: ${message}`)
  return { ...connected, report, files: files.sort(), left }
}

const leftOut = (path: string, message = OF_SPACE): string => `left out ${path}: ${message}`

/** The path of a file in the store of a space. */
const stored = (bytes: string): string => {
  const hash = createHash('sha256').update(bytes).digest('hex')
  return `${hash.slice(0, 2)}/${hash.slice(2)}`
}

describe.each([
  { kind: 'a folder', pathOf: async (files: Files) => folderOf(files) },
  { kind: 'a zip', pathOf: async (files: Files) => zipAt(await zipOf(entriesOf(files))) },
])('in $kind', ({ pathOf }) => {
  test('a space, its side files and its backups are left out, whatever their names', async () => {
    const path = await pathOf({
      'a.md': NOTE,
      'work/my.sqlite': space,
      'work/my.sqlite-wal': foreignLog,
      'work/my.sqlite-shm': 'words',
      'work/my.sqlite.usage': usage,
      'work/my.sqlite.usage-wal': 'words',
      'work/my.sqlite.sign-in': 'words',
      'work/my.sqlite.sha256': 'words',
      [`work/my.sqlite.files/${stored('bytes')}`]: 'bytes',
      'work/my.sqlite.files/passing-1-ab': 'bytes',
      'work/my.sqlite.before-schema-24': space,
      'backups/my-2026-11-23T143109Z.sqlite': space,
      [`backups/lost.files/${stored('bytes')}`]: 'bytes',
      'backups/lost.sqlite-wal': foreignLog,
      'photo.png': space,
    })
    const { left, files, report } = await imported(path)
    expect(left).toEqual(
      [
        `backups/lost.files/${stored('bytes')}`,
        'backups/lost.sqlite-wal',
        'backups/my-2026-11-23T143109Z.sqlite',
        'photo.png',
        'work/my.sqlite',
        'work/my.sqlite-shm',
        'work/my.sqlite-wal',
        'work/my.sqlite.before-schema-24',
        `work/my.sqlite.files/${stored('bytes')}`,
        'work/my.sqlite.files/passing-1-ab',
        'work/my.sqlite.sha256',
        'work/my.sqlite.sign-in',
        'work/my.sqlite.usage',
        'work/my.sqlite.usage-wal',
      ].map((one) => leftOut(one)),
    )
    expect([files, report.counts.added]).toEqual([[], 1])
  })

  test('databases of other programs stay files, with their logs', async () => {
    const path = await pathOf({ 'a.md': NOTE, 'b.db': foreign, 'b.db-wal': foreignLog, 'c-wal': 'words' })
    const { left, files } = await imported(path)
    expect([left, files]).toEqual([[], ['b.db', 'b.db-wal', 'c-wal']])
  })

  test('a space of any size is left out, also as a note', async () => {
    const longer = Buffer.concat([space, Buffer.from('x')])
    const path = await pathOf({ 'a.md': NOTE, 'b.md': longer, 'c.bin': longer, 'd.bin': space.subarray(0, 1_000) })
    const { left, files } = await imported(path)
    expect([left, files]).toEqual([['b.md', 'c.bin', 'd.bin'].map((one) => leftOut(one)), []])
  })

  test('archives that contain a space, at any depth, are left out, and others stay', async () => {
    const holding = await zipOf(entriesOf({ 'x/my.sqlite': space }))
    const path = await pathOf({
      'a.md': NOTE,
      'holding.zip': holding,
      'deep.dat': await zipOf(entriesOf({ 'inner.bin': await zipOf(entriesOf({ 'holding.zip': holding })) })),
      'exported.zip': await zipOf(entriesOf({ 'a/Scriptorium.json': '{"format": "scriptorium-space","version":9}' })),
      'table.zip': await zipOf(entriesOf({ 'tables/webhook.jsonl': '{"n":1,"secret":"whsec_a"}\n' })),
      'plain.zip': await zipOf(entriesOf({ 'b.db': foreign, 'scriptorium.json': '{"format":"other"}' })),
      'broken.zip': holding.subarray(0, holding.length - 30),
    })
    const { left, files } = await imported(path)
    expect(left).toEqual(
      ['deep.dat', 'exported.zip', 'holding.zip', 'table.zip'].map((one) => leftOut(one, HOLDS_SPACE)),
    )
    expect(files).toEqual(['broken.zip', 'plain.zip'])
  })

  test('archives that lie too deep in one another to be searched are left out', async () => {
    let zip = await zipOf(entriesOf({ 'a.txt': 'words' }))
    for (let depth = 0; depth < 4; depth++) zip = await zipOf(entriesOf({ 'a.zip': zip }))
    const { left, files } = await imported(await pathOf({ 'a.md': NOTE, 'b.bin': zip }))
    expect(left).toEqual([leftOut('b.bin', 'It is an archive with too much in it to search it for spaces.')])
    expect(files).toEqual([])
  })

  test('rows with secrets of an export that is not whole are left out', async () => {
    const path = await pathOf({
      'a.md': NOTE,
      'tables/webhook.jsonl': '{"n":1,"id":"wh_1","secret":"whsec_a"}\n',
      'tables/space.jsonl': '{"n":1,"secret":"ab"}\n',
      'mine/webhook.jsonl': '{"n":1,"secret":"a","mine":true}\n',
      'mine/space.jsonl': 'words',
    })
    const { left, files } = await imported(path)
    expect(left).toEqual([leftOut('tables/space.jsonl'), leftOut('tables/webhook.jsonl')])
    expect(files).toEqual(['space.jsonl', 'webhook.jsonl'])
  })

  test('a dry run reports the same', async () => {
    const path = await pathOf({
      'a.md': NOTE,
      'b.sqlite': space,
      'c.bin': Buffer.concat([space, Buffer.from('x')]),
      'd.zip': await zipOf(entriesOf({ 'my.sqlite': space })),
      'e.bin': '',
    })
    const { left, files } = await imported(path, { isDryRun: true })
    expect(left).toEqual((await imported(path)).left)
    expect(left).toContain(leftOut('e.bin', 'The file is empty.'))
    expect(left).toHaveLength(4)
    expect(files).toEqual([])
  })

  test('the export of a space is refused at any depth, and nothing is imported', async () => {
    const { space: exportedSpace } = await connect()
    const path = join(folder(), 'out')
    await runExport(exportedSpace, path, { format: 'json', documents: [], now: NOW })
    const files: Files = { 'a.md': NOTE }
    for (const { parentPath, name } of readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )) {
      files[join('deep/in/it', parentPath.slice(path.length), name)] = readFileSync(join(parentPath, name))
    }
    await expect(imported(await pathOf(files))).rejects.toThrow(
      'Expected documents to import, found the export of a whole space, deep/in/it/scriptorium.json; run `scriptorium import` on the folder or zip of that file, with --space and a new file, to make a space of it, or leave it out.',
    )
  })
})

test('an upload is searched in the same way', async () => {
  const connected = await connect()
  const upload = zipAt(await zipOf(entriesOf({ 'a.md': NOTE, 'b.sqlite': space, 'c.bin': 'words' })))
  const source = await openUpload(upload, 'notes')
  onTestFinished(() => source.close())
  const report = await runImport(connected.space, source, { format: markdownFormat, into: null, isDryRun: false })
  const { left, files } = await resultOf(connected, report)
  expect([left, files]).toEqual([[leftOut('b.sqlite')], ['c.bin']])
})

test('the space that is imported into is left out, and no descriptor of it is opened or closed', async () => {
  const path = folderOf({ 'a.md': NOTE })
  const file = join(path, 'my.sqlite')
  const open = await openSpace(file)
  onTestFinished(() => open.close())
  const descriptors = () =>
    readdirSync('/proc/self/fd').flatMap((name) => {
      try {
        const target = readlinkSync(`/proc/self/fd/${name}`)
        return target.startsWith(path) ? [`${name} ${target}`] : []
      } catch {
        return []
      }
    })
  const before = descriptors()
  const opened = await openSource(path, file)
  const source = await leaveOutSpaces(opened)
  const report = await runImport(open, source, { format: markdownFormat, into: null, isDryRun: false })
  expect(report.problems.map(({ path: left }) => left)).toEqual(['my.sqlite', 'my.sqlite-shm', 'my.sqlite-wal'])
  expect(report.counts.added).toBe(1)
  expect(descriptors().filter((one) => before.includes(one))).toEqual(before)
})

test('resources of Evernote and files of a TextPack are searched', async () => {
  const data = space.toString('base64')
  const enex = `<?xml version="1.0"?><en-export><note><title>N</title><content><![CDATA[<en-note>words</en-note>]]></content><resource><data encoding="base64">${data}</data><mime>application/octet-stream</mime><resource-attributes><file-name>my.sqlite</file-name></resource-attributes></resource></note></en-export>`
  const fromEvernote = await imported(folderOf({ 'a.enex': enex }), { format: enexFormat })
  expect([fromEvernote.left, fromEvernote.files]).toEqual([[leftOut('my.sqlite')], []])
  const pack = await zipOf(entriesOf({ 'text.md': '![](assets/a.bin)', 'info.json': '{}', 'assets/a.bin': space }))
  const fromPack = await imported(folderOf({ 'a.md': NOTE, 'b.textpack': pack }), { format: textbundleFormat })
  expect(fromPack.files).toEqual([])
  expect(fromPack.left).toEqual([leftOut('b.textpack', HOLDS_SPACE)])
})

test('a search ends after as many entries as the limit says', async () => {
  const zip = zipAt(await zipOf(entriesOf({ 'a.txt': 'a', 'b.txt': 'b', 'c.bin': 'c' })))
  const seen: string[] = []
  const visit = async ({ path }: { path: string }) => seen.push(path) === 0
  await expect(zipHas(zip, visit, { depth: 0, left: { entries: 2, bytes: 0 } })).rejects.toThrow(ArchiveNotSearched)
  expect(seen).toEqual(['a.txt', 'b.txt'])
  expect(await zipHas(zip, visit, searchLimit())).toBe(false)
})
