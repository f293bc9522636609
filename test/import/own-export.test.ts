/** An export that is edited and imported again changes the same documents. */
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { obsidianFormat } from '../../src/import/markdown/markdown-format.ts'
import { openSource } from '../../src/import/open-source.ts'
import { type ImportOptions, runImport } from '../../src/import/run-import.ts'
import { leaveOutSpaces } from '../../src/import/spaces/leave-out-spaces.ts'
import { type Answer, type Connected, connect } from '../connect.ts'
import { exportOf } from '../export/vault-exports.ts'
import { bodyOf, problemLines } from './importing.ts'

/** A space, its export, and what can be done with both. */
async function exported(
  documents: Record<string, string>,
  more: (space: Connected) => Promise<unknown> = async () => {},
) {
  const connected = await connect()
  const { call, space } = connected
  for (const [title, markdown] of Object.entries(documents))
    await call('documents_add', { documents: [{ title, markdown }] })
  await more(connected)
  const { path } = await exportOf(connected)
  const at = (file: string) => join(path, file)
  const list = async () =>
    ((await call('documents_list')).items as Answer[]).filter(({ isDeleted }) => isDeleted !== true)
  const idOf = async (title: string): Promise<string> => (await list()).find((one) => one.title === title)?.id
  return {
    ...connected,
    path,
    list,
    idOf,
    read: async (title: string) => bodyOf(await call('blocks_get', { id: await idOf(title), format: 'markdown' })),
    blocks: async (title: string) => ((await call('blocks_get', { id: await idOf(title) })).content ?? []) as Answer[],
    text: (file: string) => readFileSync(at(file), 'utf8'),
    edit: (file: string, from: string | RegExp, to: string) =>
      writeFileSync(at(file), readFileSync(at(file), 'utf8').replace(from, to)),
    move(from: string, to: string) {
      mkdirSync(dirname(at(to)), { recursive: true })
      renameSync(at(from), at(to))
    },
    copy: (from: string, to: string) => cpSync(at(from), at(to)),
    remove: (file: string) => rmSync(at(file)),
    write: (file: string, text: string) => writeFileSync(at(file), text),
    async import(options: Partial<ImportOptions> = {}, from = path) {
      const source = await leaveOutSpaces(await openSource(from, ':memory:'))
      onTestFinished(() => source.close())
      return runImport(space, source, { format: obsidianFormat, into: null, isDryRun: false, ...options })
    },
    export: async () => (await exportOf(connected, [], path)).report,
    files: () =>
      readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('.scriptorium'))
        .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
        .sort(),
  }
}

const TWO = { One: 'To two.\n\nStays.', Two: 'Some words.\n\nOther words.' }

describe('an export that is imported into its space', () => {
  test('changes nothing if nothing changed', async () => {
    const space = await exported(TWO)
    const { counts, problems } = await space.import()
    expect([counts, problems]).toMatchObject([{ added: 0, updated: 0, unchanged: 2 }, []])
    expect((await space.list()).length).toBe(2)
  })

  test('updates the documents of edited notes, once, in a call that can be undone; then the export is the same', async () => {
    const space = await exported(TWO)
    const before = await space.blocks('Two')
    space.edit('One.md', 'Stays', 'Is new')
    space.edit('Two.md', 'Some words', 'More words')
    expect((await space.import()).counts).toMatchObject({ added: 0, updated: 2, unchanged: 0, conflicts: 0, failed: 0 })
    expect((await space.import()).counts).toMatchObject({ added: 0, updated: 0, unchanged: 2, conflicts: 0, failed: 0 })
    expect((await space.list()).map(({ title }) => title).sort()).toEqual(['One', 'Two'])
    const after = await space.blocks('Two')
    expect(after.map(({ id, markdown }) => [id, markdown])).toEqual([
      [before[0]?.id, 'More words.'],
      [before[1]?.id, 'Other words.'],
    ])
    expect(await space.export()).toMatchObject({ problems: [], counts: { kept: 0 } })
    expect(space.files()).toEqual(['One.md', 'Two.md'])
    space.edit('Two.md', 'More words', 'Even more')
    expect((await space.import()).counts).toMatchObject({ updated: 1, conflicts: 0 })
    const { items } = await space.call('history_list', { format: 'json', limit: 1 })
    await space.call('history_undo', { calls: [items[0].callId] })
    expect(await space.read('Two')).toBe('More words.\n\nOther words.')
  })

  test('goes on after several edits without another export', async () => {
    const space = await exported(TWO)
    for (const words of ['first', 'second', 'third']) {
      space.edit('Two.md', /^.* words\.$|^(?:first|second)$/m, words)
      expect((await space.import()).counts).toMatchObject({ updated: 1, conflicts: 0 })
    }
    expect(await space.read('Two')).toBe('third\n\nOther words.')
  })

  test('renames and moves documents as their files, and edits them at the same time', async () => {
    const space = await exported(TWO)
    const id = await space.idOf('Two')
    space.move('Two.md', 'work/Zwei.md')
    space.edit('work/Zwei.md', 'Other', 'Last')
    expect((await space.import()).counts).toMatchObject({ added: 0, updated: 1, conflicts: 0 })
    const found = (await space.list()).find((one) => one.id === id)
    expect(found).toMatchObject({ title: 'Zwei' })
    expect(await space.read('Zwei')).toBe('Some words.\n\nLast words.')
    expect(await space.export()).toMatchObject({ problems: [], counts: { kept: 0 } })
    expect(space.files()).toEqual(['One.md', 'work/Zwei.md'])
    expect((await space.import()).counts).toMatchObject({ updated: 0, unchanged: 2 })
  })

  test('two notes that swapped their names are renamed', async () => {
    const space = await exported(TWO)
    const [one, two] = [await space.idOf('One'), await space.idOf('Two')]
    space.move('One.md', 'x.md')
    space.move('Two.md', 'One.md')
    space.move('x.md', 'Two.md')
    expect((await space.import()).counts).toMatchObject({ updated: 2, conflicts: 0, added: 0 })
    expect([await space.idOf('One'), await space.idOf('Two')]).toEqual([two, one])
  })

  test('lists missing notes and keeps their documents, or deletes those that did not change', async () => {
    const space = await exported({ ...TWO, Three: 'Three.' })
    space.remove('Two.md')
    space.remove('Three.md')
    const [block] = await space.blocks('Three')
    await space.call('blocks_update', { blocks: [{ id: block?.id, markdown: 'Changed.' }] })
    const report = await space.import()
    expect(problemLines(report)).toEqual([
      'Three.md gone: It is not in the source any more: its document is kept.',
      'Two.md gone: It is not in the source any more: its document is kept.',
    ])
    expect((await space.list()).length).toBe(3)
    const deleting = await space.import({ deletes: true })
    expect(problemLines(deleting)).toEqual([
      'Three.md conflict: It is not in the source any more, but its document changed here since: it is kept.',
      'Two.md gone: It is not in the source any more: its document is in the trash.',
    ])
    expect(deleting.counts).toMatchObject({ deleted: 1, conflicts: 1 })
    expect((await space.list()).map(({ title }) => title).sort()).toEqual(['One', 'Three'])
  })

  test('leaves what changed on both sides, but not what is the same on both', async () => {
    const space = await exported({ ...TWO, Three: 'Three.' })
    for (const title of ['One', 'Two', 'Three']) {
      const [block] = await space.blocks(title)
      await space.call('blocks_update', { blocks: [{ id: block?.id, markdown: `Here ${title}.` }] })
    }
    space.edit('Two.md', 'Some words.', 'There.')
    space.edit('Three.md', 'Three.', 'Here Three.')
    const report = await space.import()
    expect(problemLines(report)).toEqual([
      'Two.md conflict: It changed here and in the source since it was exported: the document here is left as it is.',
    ])
    expect(report.counts).toMatchObject({ updated: 0, unchanged: 2, conflicts: 1 })
    expect(await space.read('Two')).toBe('Here Two.\n\nOther words.')
  })

  test('a new note becomes one document, and gets its ID with the next export', async () => {
    const space = await exported(TWO)
    space.write('New.md', 'To [Two](Two.md).\n')
    expect((await space.import()).counts).toMatchObject({ added: 1 })
    expect((await space.import()).counts).toMatchObject({ added: 0, updated: 0 })
    expect(await space.read('New')).toBe(`To [Two](block://${await space.idOf('Two')}).`)
    expect(await space.export()).toMatchObject({ problems: [], counts: { kept: 0 } })
    expect(space.text('New.md')).toContain(`id: ${await space.idOf('New')}`)
    space.edit('New.md', 'To', 'Back to')
    expect((await space.import()).counts).toMatchObject({ added: 0, updated: 1 })
  })

  test('a copy of a note becomes a document of its own, once', async () => {
    const space = await exported(TWO)
    space.copy('Two.md', 'Two copy.md')
    const report = await space.import()
    expect(problemLines(report)).toEqual([
      'Two copy.md changed: It has the ID of Two.md, so it became a document of its own.',
    ])
    expect(report.counts).toMatchObject({ added: 1, unchanged: 2 })
    expect((await space.import()).counts).toMatchObject({ added: 0, updated: 0 })
    await space.export()
    expect(space.files()).toEqual(['One.md', 'Two copy.md', 'Two.md'])
    expect(space.text('Two copy.md')).toContain(`id: ${await space.idOf('Two copy')}`)
    expect((await space.import()).problems).toEqual([])
  })

  test('a note without its front matter is the document that was exported to its path', async () => {
    const space = await exported(TWO)
    space.write('Two.md', 'Without.\n')
    expect((await space.import()).counts).toMatchObject({ added: 0, updated: 1 })
    expect(await space.read('Two')).toBe('Without.')
  })

  test('a document of another space is a new one, and the report says so', async () => {
    const [space, other] = [await exported(TWO), await exported({ Else: 'Else.' })]
    other.edit('.scriptorium/manifest.json', /"space": "[^"]*"/, '"space": "another"')
    space.write('Else.md', other.text('Else.md').replace(/id: \d+/, 'id: 987654321098'))
    const report = await space.import()
    expect(problemLines(report)).toEqual(['Else.md changed: No document here has its ID, so it became a new one.'])
    const whole = await space.import({}, other.path)
    expect(problemLines(whole)).toEqual([
      '.scriptorium/manifest.json changed: It is an export of another space, so its documents get IDs of their own here.',
    ])
  })

  test('a document in the trash is a conflict if its note changed, and one that is deleted for good is new', async () => {
    const space = await exported(TWO)
    await space.call('documents_delete', { documentIds: [await space.idOf('One'), await space.idOf('Two')] })
    space.edit('Two.md', 'Some', 'More')
    expect(problemLines(await space.import())).toEqual([
      'Two.md conflict: It was thrown away here: restore it, or empty the trash, and import it again.',
    ])
  })

  test('a dry run says the same and writes nothing', async () => {
    const space = await exported(TWO)
    space.edit('Two.md', 'Some', 'More')
    const manifest = space.text('.scriptorium/manifest.json')
    expect((await space.import({ isDryRun: true })).counts).toMatchObject({ added: 0, updated: 1, unchanged: 1 })
    expect(await space.read('Two')).toBe('Some words.\n\nOther words.')
    expect(space.text('.scriptorium/manifest.json')).toBe(manifest)
  })
})

describe('what is more than a note', () => {
  test('daily notes, whiteboards, files and collections stay what they are, and only what was edited changes', async () => {
    const space = await exported({ Plan: '# Goals\n\nMany.\n\nFew.' }, async ({ call }) => {
      const { items } = await call('documents_list')
      await call('blocks_add', {
        position: { position: 'end', date: '2026-11-20' },
        blocks: [{ type: 'text', markdown: 'Rain.' }],
      })
      const pageId = items[0].id
      const text = Buffer.from('bytes').toString('base64')
      await call('files_add', { position: { position: 'end', pageId }, data: text, fileName: 'a: b.txt' })
      await call('whiteboards_add', { position: { position: 'end', pageId } })
      const { items: made } = await call('collections_add', {
        ...{
          position: { position: 'end', pageId },
          schema: { name: 'Books', properties: [{ name: 'n', type: 'number' }] },
        },
      })
      const collectionId = made?.[0]?.id ?? (await call('collections_list')).items[0].id
      await call('items_add', {
        collectionId,
        items: [
          { title: 'Emma', properties: { n: 1 } },
          { title: 'Ulysses', properties: { n: 2 } },
        ],
      })
    })
    expect((await space.import()).counts).toMatchObject({ added: 0, updated: 0, unchanged: 2, failed: 0, conflicts: 0 })
    const before = await space.blocks('Plan')
    space.edit('Plan.md', 'Few.', 'Some, see [[#Goals]] and [[Daily/2026-11-20]].')
    space.edit('Books/Emma.md', 'n: 1', 'n: 5')
    space.move('Books/Ulysses.md', 'Books/Dubliners.md')
    const report = await space.import()
    expect([problemLines(report), report.counts]).toMatchObject([[], { added: 0, updated: 1, unchanged: 1 }])
    const after = await space.blocks('Plan')
    expect(after.map(({ id, type }) => [id, type])).toEqual(before.map(({ id, type }) => [id, type]))
    expect(after[2]?.markdown).toContain(`block://${before[0]?.id}`)
    const collectionId = after.find(({ type }) => type === 'collection')?.id
    const { items } = await space.call('items_list', { collectionId })
    expect(items.map(({ title, properties }: Answer) => [title, properties])).toEqual([
      ['Emma', { n: 5 }],
      ['Dubliners', { n: 2 }],
    ])
    expect((await space.list()).length).toBe(2)
    expect(await space.export()).toMatchObject({ problems: [], counts: { kept: 0 } })
    expect((await space.import()).counts).toMatchObject({ updated: 0, unchanged: 2 })
  })

  test('what text does not carry is kept in blocks that did not change', async () => {
    const space = await exported({ Plan: 'Red.\n\nPlain.' }, async ({ call }) => {
      const { items } = await call('documents_list')
      const { content } = await call('blocks_get', { id: items[0].id })
      await call('blocks_update', { blocks: [{ id: content[0].id, color: '#ef052a', font: 'serif' }] })
      await call('comments_add', { blockId: content[0].id, content: 'Why red?' })
    })
    const [red] = await space.blocks('Plan')
    space.edit('Plan.md', 'Plain.', 'Edited.')
    expect((await space.import()).counts).toMatchObject({ updated: 1 })
    expect((await space.blocks('Plan'))[0]).toEqual(red)
    space.edit('Plan.md', 'Red.', 'Still red.')
    expect((await space.import()).counts).toMatchObject({ updated: 1 })
    expect((await space.blocks('Plan'))[0]).toMatchObject({
      id: red?.id,
      color: red?.color,
      markdown: expect.stringContaining('Still red.'),
    })
  })

  test('a missing image or a Base that another program rewrote leaves the document as it is', async () => {
    const space = await exported({ Plan: 'Text.' }, async ({ call }) => {
      const { items } = await call('documents_list')
      await call('collections_add', {
        ...{
          position: { position: 'end', pageId: items[0].id },
          schema: { name: 'Books', properties: [{ name: 'n', type: 'number' }] },
        },
      })
    })
    const before = await space.blocks('Plan')
    space.edit('Books/Books.base', /^# scriptorium.*\n/, '')
    space.edit('Plan.md', 'Text.', 'Other.')
    const report = await space.import()
    expect(problemLines(report).filter((line) => line.startsWith('Plan.md'))).toEqual([
      expect.stringMatching(/^Plan.md conflict: Its collection Books\/Books.base is not shown/),
    ])
    expect(await space.blocks('Plan')).toEqual(before)
    expect((await space.list()).length).toBe(1)
  })
})
