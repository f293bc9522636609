/** A source that is read in a thread: the same result, and no file that takes too long stops the others. */
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { IMPORTS_AT_ONCE } from '../../src/base/limits.ts'
import { findFormat } from '../../src/import/import-formats.ts'
import { openInThread } from '../../src/import/import-thread.ts'
import { importTurns } from '../../src/import/import-turns.ts'
import { openSource } from '../../src/import/open-source.ts'
import { runImport } from '../../src/import/run-import.ts'
import { leaveOutSpaces } from '../../src/import/spaces/leave-out-spaces.ts'
import { openSpace } from '../../src/space/open-space.ts'
import { connect } from '../connect.ts'
import { png } from '../picture.ts'
import { folder } from '../program.ts'
import { type Files, problemLines } from './importing.ts'
import { entriesOf, zipOf } from './zips.ts'

/** Text in which the search for code takes quadratic time: runs of backticks of all lengths, none of them closed. */
const SLOW = Array.from({ length: 2_500 }, (_, index) => '`'.repeat(index + 1)).join('a')

const FILES: Files = {
  'Home.md':
    '---\ntags: [a]\n---\n# Home\n\nSee [[Plan#Next|next]], ![[dot.png]] and [a file](notes.bin).\n\n- [ ] Task 📅 2024-03-01\n',
  'Plan.md': '## Next\n\n%% Anna 2024-03-01T12:00:00.000Z: a comment %%\n\n![[Board.excalidraw]]\n',
  'Board.excalidraw': JSON.stringify({
    type: 'excalidraw',
    elements: [{ id: 'r', type: 'rectangle', x: 0, y: 0, label: { text: 'Box' } }],
    files: { f: { id: 'f', dataURL: 'data:image/png;base64,AAAA' } },
    appState: { viewBackgroundColor: '#eeeeee' },
  }),
  'Map.canvas': JSON.stringify({ nodes: [{ id: 'n', type: 'text', text: 'Node' }] }),
  'dot.png': png(2, 2),
  'notes.bin': 'x'.repeat(3_000_000),
  'Old/same.bin': 'not linked',
}

function writeFiles(files: Files): string {
  const root = folder()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return root
}

async function bytesOfSpace(): Promise<Uint8Array> {
  const file = join(folder(), 'a.sqlite')
  await (await openSpace(file)).close()
  return readFileSync(file)
}

/** The open files of this process in a folder. */
const descriptorsIn = (path: string): string[] =>
  readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${name}`)
      return target.startsWith(path) ? [`${name} ${target}`] : []
    } catch {
      return []
    }
  })

async function importedFrom(path: string, opened: Awaited<ReturnType<typeof openInThread>>) {
  onTestFinished(() => opened.source.close())
  const connected = await connect()
  const options = { format: opened.format, into: null, isDryRun: false }
  const report = await runImport(connected.space, opened.source, options)
  return { ...connected, report, path }
}

/** All documents with their blocks, in which IDs are replaced, since they are drawn in another order. */
async function contentOf({ call, report }: Awaited<ReturnType<typeof importedFrom>>): Promise<string> {
  const { items } = await call('documents_list')
  const pages: unknown[] = []
  for (const { id, title } of items) {
    const page = await call('blocks_get', { id, fetchMetadata: true })
    const boards = (page.content ?? []).filter(({ type }: { type: string }) => type === 'whiteboard')
    const drawn = []
    for (const { id: whiteboardBlockId } of boards) drawn.push(await call('elements_list', { whiteboardBlockId }))
    pages.push([title, page, drawn])
  }
  const text = JSON.stringify([pages.sort(), report.counts, problemLines(report)], undefined, 1)
  return text.replace(/\b\d{12}\b/g, 'ID').replace(/[\w-]{60,}/g, 'TOKEN')
}

test('it imports the same as one that is read without a thread', async () => {
  const space = await bytesOfSpace()
  const packed = await zipOf(entriesOf({ 'inner.sqlite': space }))
  const path = writeFiles({ ...FILES, 'Old/other.sqlite': space, 'Old/packed.zip': packed })
  const source = await leaveOutSpaces(await openSource(path, ':memory:'))
  const plain = await importedFrom(path, { source, format: await findFormat(source) })
  const threaded = await importedFrom(path, await openInThread({ isUpload: false, path, space: ':memory:' }))
  expect(threaded.report.counts).toMatchObject({ added: 4, failed: 0, files: 4 })
  expect(await contentOf(threaded)).toBe(await contentOf(plain))
  expect(problemLines(threaded.report)).toEqual(
    expect.arrayContaining([
      'Old/other.sqlite left out: It is a space, or belongs to one, and is no document.',
      'Old/packed.zip left out: It is an archive that contains a space.',
    ]),
  )
})

test('the space that is imported into is left out, and no descriptor of it is opened or closed', async () => {
  const path = writeFiles(FILES)
  const file = join(path, 'my.sqlite')
  const space = await openSpace(file)
  onTestFinished(() => space.close())
  const before = descriptorsIn(path)
  const { source, format } = await openInThread({ isUpload: false, path, space: file })
  const report = await runImport(space, source, { format, into: null, isDryRun: false })
  await source.close()
  expect(problemLines(report)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^my\.sqlite left out/), expect.stringMatching(/^my\.sqlite-wal/)]),
  )
  expect(before.length).toBeGreaterThan(0)
  expect(descriptorsIn(path).filter((one) => before.includes(one))).toEqual(before)
})

test('errors of the source are those of a source without a thread', async () => {
  const path = writeFiles({ 'a.bin': 'x' })
  await expect(openInThread({ isUpload: false, path, space: ':memory:' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining('Expected files of a known format'),
  })
  await expect(openInThread({ isUpload: false, path: join(path, 'none'), space: ':memory:' })).rejects.toThrow(
    'Expected a folder or a file to import, found none',
  )
})

test('an import whose idle thread was ended for others continues with another one', async () => {
  const path = writeFiles(FILES)
  const opened = await openInThread({ isUpload: false, path, space: ':memory:' })
  const { plan } = opened.format
  const giveTurnAway = async () => {
    const later = performance.now() + 60_000
    const watch = vi.spyOn(performance, 'now').mockReturnValue(later)
    const others = Array.from({ length: IMPORTS_AT_ONCE }, () => ({ giveUp: () => {} }))
    for (const other of others) await importTurns.run(other, async () => {})
    watch.mockRestore()
    for (const other of others) importTurns.end(other)
  }
  opened.format.plan = async (...given) => {
    const planned = await plan(...given)
    await giveTurnAway()
    return planned
  }
  await giveTurnAway()
  const { report } = await importedFrom(path, opened)
  expect(report.counts).toMatchObject({ added: 4, failed: 0, files: 3 })
})

test('a file that takes too long is left out, the others are imported with their files', async () => {
  const path = writeFiles({ ...FILES, 'Slow.md': `${SLOW}\n`, 'Vault.base': 'views: []\n' })
  const location = { isUpload: false, path, space: ':memory:' } as const
  const { report, call } = await importedFrom(path, await openInThread(location, { stepSeconds: 0.4 }))
  expect(problemLines(report)).toContain('Slow.md failed: It takes longer than 0.4 seconds to read.')
  expect(report.counts).toMatchObject({ failed: 1 })
  const { items } = await call('documents_list')
  expect(items.map(({ title }: { title: string }) => title).sort()).toEqual([
    ...['Files', 'Home', 'Map', 'Plan', 'Vault'],
  ])
})

test('its temporary files are deleted with it', async () => {
  vi.stubEnv('TMPDIR', folder())
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const path = writeFiles({ 'a.enex': '<en-export></en-export>' })
  const { source, format } = await openInThread({ isUpload: false, path, space: ':memory:' })
  await format.plan(source)
  const added = () => readdirSync(tmpdir()).filter((name) => name.startsWith('scriptorium-source-'))
  expect(added()).toHaveLength(1)
  await source.close()
  expect(added()).toEqual([])
})
