/** A block's own revision in blocks_update: what counts as changed since, in which document, and what it costs. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { Statement } from '../../../storage/statement.ts'
import { type Answer, connect } from '../../connect.ts'
import { documentOf } from '../../document.ts'

async function build() {
  const connected = await connect()
  const read = (id: string): Promise<Answer> => connected.call('blocks_get', { id })
  const document = async (markdown: string) => {
    const id = await documentOf(connected, markdown)
    const { content = [] } = await read(id)
    return { id, blocks: content.map((block: Answer): string => block.id) as string[] }
  }
  const update = (...blocks: object[]): Promise<Answer> => connected.call('blocks_update', { blocks })
  const conflict = async (...blocks: object[]) => {
    const { code, error } = await connected.faults('blocks_update', { blocks })
    expect(code).toBe('CONFLICT')
    return error
  }
  const move = (ids: string | readonly string[], pageId: string) =>
    connected.call('blocks_move', { blockIds: [ids].flat(), position: { position: 'end', pageId } })
  return { ...connected, read, document, update, conflict, move }
}

const text = ({ markdown }: Answer): string => markdown

test('a block that was changed and moved is not overwritten when its new document reaches the same revision', async () => {
  const { read, document, update, conflict, move } = await build()
  const a = await document('one\n\ntwo')
  const [one = '', two = ''] = a.blocks
  await update({ id: two, markdown: 'TWO' })
  const { revision } = await read(one)
  await update({ id: one, markdown: 'theirs' })
  const b = await document('other')
  await move(one, b.id)
  expect((await read(b.id)).revision).toBe(revision)
  expect(await conflict({ id: one, markdown: 'mine', revision })).toBe(
    `At blocks[0].revision: Expected block ${one} as it was read at revision ${revision}, found that it was changed in another document and moved here; nothing was written, read it again and send its documentId with the revision.`,
  )
  await update({ id: b.blocks[0], markdown: 'OTHER' })
  await conflict({ id: one, markdown: 'mine', revision })
  expect(text(await read(one))).toBe('theirs')
  // Whoever read it here says so.
  await update({ id: one, markdown: 'mine', revision, documentId: b.id })
  expect(text(await read(one))).toBe('mine')
})

test('so is one that came by way of a third document', async () => {
  const { document, update, conflict, move, read } = await build()
  const a = await document('one\n\ntwo')
  const [one = ''] = a.blocks
  const { revision } = await read(one)
  await update({ id: one, markdown: 'theirs' })
  const others = [await document('b'), await document('c')]
  for (const { id } of others) await move(one, id)
  await update({ id: others[1]?.blocks[0], markdown: 'C' })
  await conflict({ id: one, markdown: 'mine', revision })
})

test('one that was only moved, was changed before, or came to its document later, is written', async () => {
  const { document, update, move, read } = await build()
  const a = await document('one\n\ntwo\n\nthree')
  const [one = '', two = '', three = ''] = a.blocks
  await update({ id: one, markdown: 'ONE' })
  await update({ id: three, markdown: 'THREE' })
  const b = await document('b')
  await update({ id: b.blocks[0], markdown: 'B' })
  await move(one, b.id)
  await move(two, b.id)
  for (const id of [one, two]) await update({ id, markdown: 'again', revision: (await read(id)).revision })
  // Added to the document, changed and moved after that had the revision.
  const late = (await document('late\n\nlater')).blocks
  await move(late[0] ?? '', a.id)
  await update({ id: late[0], markdown: 'LATE' })
  const c = await document('c')
  await move(late[0] ?? '', c.id)
  await update({ id: late[0], markdown: 'again', revision: (await read(c.id)).revision })
  const found = await Promise.all([one, two, late[0] ?? ''].map(read))
  expect(found.map(text)).toEqual(['again', 'again', 'again'])
})

test('a move to another document is a change, a move within one is none', async () => {
  const { document, update, conflict, move, read } = await build()
  const a = await document('one\n\ntwo')
  const [one = '', two = ''] = a.blocks
  const { revision } = await read(one)
  await move(one, a.id)
  await update({ id: one, markdown: 'ONE', revision })
  const b = await document('b')
  for (let at = 0; at < 3; at++) await update({ id: b.blocks[0], markdown: `b ${at}` })
  const later = await read(two)
  await move(two, b.id)
  expect(await conflict({ id: two, markdown: 'mine', revision: later.revision })).toContain('was changed since')
})

test('a reminder, which leaves the revision as it is, does not hide a change', async () => {
  const { call, document, update, conflict, read } = await build()
  const { blocks } = await document('one\n\n- [ ] two')
  const [one = '', task = ''] = blocks
  const { revision } = await read(one)
  await update({ id: one, markdown: 'theirs' })
  for (const hour of [8, 9]) {
    await call('reminders_add', { reminders: [{ blockId: task, remindAt: `2030-01-01T0${hour}:00Z` }] })
  }
  await conflict({ id: one, markdown: 'mine', revision })
})

test('with partial, the others are written, and the conflict names the present text', async () => {
  const { call, document, update, read, faults } = await build()
  const { id, blocks } = await document('one\n\ntwo\n\nthree')
  const [one = '', two = '', three = ''] = blocks
  const { revision } = await read(id)
  await update({ id: one, markdown: 'theirs' })
  const entries = [
    { id: one, markdown: 'mine', revision },
    { id: two, markdown: 'TWO', revision },
    { id: three, markdown: 'x', revision, expected: { markdown: 'other' } },
    { id: one, markdown: 'again', revision, expected: { markdown: 'theirs' } },
  ]
  expect((await faults('blocks_update', { blocks: entries })).details).toHaveLength(3)
  const answer = await call('blocks_update', { blocks: entries, partial: true, answer: 'ids' })
  expect(answer).toEqual({
    items: [{ id: two }],
    conflicts: [
      { index: 0, id: one, found: { markdown: 'theirs' } },
      { index: 2, id: three, found: { markdown: 'three' } },
      { index: 3, id: one, found: { markdown: 'theirs' } },
    ],
  })
  expect((await read(id)).content.map(text)).toEqual(['theirs', 'TWO', 'three'])
})

test('with partial, content that is no longer as it was read is a conflict of its entry', async () => {
  const { call, document, update, read } = await build()
  const { id, blocks } = await document('one\n\n<page><pageTitle>Page</pageTitle><content>\ninner\n</content></page>')
  const [one = '', page = ''] = blocks
  const before = await read(page)
  await update({ id: before.content[0].id, markdown: 'INNER' })
  const entries = [
    { ...before, markdown: 'New' },
    { id: one, markdown: 'ONE', revision: before.revision },
  ]
  const answer = await call('blocks_update', { blocks: entries, partial: true, answer: 'ids' })
  expect(answer).toEqual({
    items: [{ id: one }],
    conflicts: [{ index: 0, id: page, found: { markdown: 'Page' } }],
  })
  expect((await read(id)).content.map(text)).toEqual(['ONE', 'Page'])
})

/** How many statements this work runs on either engine, and how many of them read history. */
async function statementsOf(work: () => Promise<unknown>): Promise<{ all: number; ofHistory: number }> {
  const compile = vi.spyOn(Statement.prototype, 'compile')
  onTestFinished(() => compile.mockRestore())
  await work()
  const texts = compile.mock.results.map(({ value }): string => value.text)
  compile.mockRestore()
  return {
    all: texts.length,
    ofHistory: texts.filter((text) => /\bFROM (?:change|call_document)\b/.test(text)).length,
  }
}

/** Statements of a call, including those that watch the space in between. */
const BOUND = 25

test('the number of statements depends neither on that of the blocks nor on how long ago each was read', async () => {
  const { call, faults, document, update, read, move } = await build()
  const { id, blocks } = await document(Array.from({ length: 60 }, (_, at) => `line ${at}`).join('\n\n'))
  const [first = '', ...others] = blocks
  const revisions: string[] = []
  for (let at = 0; at < 5; at++) {
    revisions.push((await read(id)).revision)
    await update({ id: first, markdown: `first ${at}` })
  }
  const entries = (some: readonly string[], fields: (at: number) => object) => ({
    blocks: some.map((block, at) => ({ id: block, markdown: `line ${at + 1}`, ...fields(at) })),
    answer: 'ids',
  })
  const revisionOf = (at: number) => ({ revision: revisions[at % revisions.length] })
  for (const some of [others.slice(0, 1), others]) {
    const { all, ofHistory } = await statementsOf(() => call('blocks_update', entries(some, revisionOf)))
    // The changes of the call, for the hash of its entry; the last changes of the blocks, and the calls that ended the revisions.
    expect(ofHistory).toBe(3)
    expect(all).toBeLessThan(BOUND)
  }
  const to = await document('to')
  await update(...others.map((block) => ({ id: block, markdown: 'changed' })))
  await move(others, to.id)
  const { revision } = await read(to.id)
  for (const some of [others.slice(0, 1), others]) {
    const { all, ofHistory } = await statementsOf(() =>
      faults(
        'blocks_update',
        entries(some, () => ({ revision })),
      ),
    )
    // The last changes, how the blocks left other documents, when they were added, and the calls on those documents.
    expect(ofHistory).toBe(4)
    expect(all).toBeLessThan(BOUND)
  }
})
