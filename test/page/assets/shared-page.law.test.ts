/**
 * People and an agent change a page at the same time, on a real space. Whatever the order in which their calls arrive and
 * are refused, all see the same page in the end, no word that somebody typed is lost, and no block is there twice.
 */
import fc from 'fast-check'
import { EditorState, type Selection, TextSelection } from 'prosemirror-state'
import { expect, test } from 'vitest'
import { writeTableGrid } from '../../../src/markdown/table-grid.ts'
import { BlockRange } from '../../../src/page/assets/editor/block-range.ts'
import { schema } from '../../../src/page/assets/model/editor-schema.ts'
import { blockOf, idOf, isTextNode, type PageBlock } from '../../../src/page/assets/model/page-block.ts'
import type { ChangeStep } from '../../../src/page/assets/model/page-changes.ts'
import { PageModel } from '../../../src/page/assets/model/page-model.ts'
import { isName, newName } from '../../../src/page/assets/unsent/placeholders.ts'
import { type Answer, connect } from '../../connect.ts'
import { documentOf } from '../../document.ts'
import { runs } from '../../support/runs.ts'

type Call = (tool: string, input: object) => Promise<Answer>

const blocksOf = (content: Answer[]): PageBlock[] =>
  content.map(({ id, markdown, type, indentationLevel, listStyle, number, decorations, textStyle, taskInfo }) => ({
    id,
    markdown,
    fields: JSON.parse(JSON.stringify({ type, indentationLevel, listStyle, number, decorations, textStyle, taskInfo })),
  }))

const readPage = async (call: Call, id: string): Promise<PageBlock[]> =>
  blocksOf((await call('blocks_get', { id, maxDepth: 1, format: 'json' })).content ?? [])

/** The next place that is not within a word. */
function betweenWords(text: string, at: number): number {
  const [rest = ''] = /^\w*/.exec(text.slice(at)) ?? []
  return /\w$/.test(text.slice(0, at)) ? at + rest.length : at
}

/** A browser in which somebody edits. */
class Person {
  state: EditorState
  readonly model: PageModel
  readonly #call: Call
  readonly #queue: ChangeStep[][] = []
  readonly #ids = new Map<string, string>()

  constructor(call: Call, pageId: string, blocks: PageBlock[]) {
    this.#call = call
    this.model = new PageModel(pageId, blocks)
    this.state = EditorState.create({ schema, doc: this.model.createDocument() })
  }

  get isSettled(): boolean {
    return this.#queue.length === 0
  }

  /** @returns the words that were deleted */
  edit(kind: number, at: number, word: string): string[] {
    const { doc, tr } = this.state
    const index = at % doc.childCount
    const node = doc.child(index)
    const start = doc.content.content.slice(0, index).reduce((sum, { nodeSize }) => sum + nodeSize, 0)
    const inside = start + 1 + betweenWords(node.textContent, at % (node.content.size + 1))
    switch (kind % 6) {
      case 0:
      case 1:
        this.state = this.state.apply(tr.insertText(` ${word} `, inside))
        return []
      case 2: {
        this.state = this.state.apply(
          tr.split(inside, 1, [{ type: node.type, attrs: { ...node.attrs, id: newName() } }]),
        )
        return []
      }
      case 3:
        if (index > 0 && isTextNode(node)) this.state = this.state.apply(tr.join(start))
        return []
      case 4: {
        if (doc.childCount < 2) return []
        this.state = this.state.apply(tr.delete(start, start + node.nodeSize))
        return node.textContent.split(/\s+/)
      }
      default: {
        if (doc.childCount < 2) return []
        tr.delete(start, start + node.nodeSize)
        const target = at % 2 === 0 ? 0 : tr.doc.content.size
        this.state = this.state.apply(tr.insert(target, node))
        return []
      }
    }
  }

  send(): void {
    const { steps } = this.model.send(this.state.doc)
    if (steps.length > 0) this.#queue.push(steps)
  }

  /** Delivers the first waiting call. If it is refused, its parts are delivered one by one, as the page does. */
  async deliver(): Promise<void> {
    const steps = this.#queue.shift()
    if (steps === undefined) return
    try {
      await this.#deliverAll(steps)
    } catch {
      for (const step of steps) await this.#deliverAll([step]).catch(() => this.#saveWords(step))
    }
  }

  async #deliverAll(steps: ChangeStep[]): Promise<void> {
    const named = steps.map((step) => ({ tool: step.tool, arguments: this.#withIds(step.arguments) }))
    const { items } = await this.#call('batch', { steps: named, format: 'json' })
    for (const [index, { added = [] }] of steps.entries()) {
      for (const [at, name] of added.entries()) {
        const id = items[index].ids[at]
        this.#ids.set(name, id)
        this.state = this.state.apply(this.model.rename(this.state, name, id))
      }
    }
  }

  /** Keeps both versions of a text that was refused. */
  async #saveWords({ tool, arguments: input }: ChangeStep): Promise<void> {
    if (tool !== 'blocks_update' && tool !== 'blocks_add') return
    const blocks = input.blocks as { markdown?: string }[]
    for (const { markdown } of blocks) {
      if (markdown === undefined) continue
      await this.#call('blocks_add', { markdown, position: { position: 'end', pageId: this.model.pageId } })
    }
  }

  #withIds(input: object): object {
    return JSON.parse(JSON.stringify(input), (_, value) =>
      typeof value === 'string' ? (this.#ids.get(value) ?? value) : value,
    )
  }

  async receive(): Promise<string[]> {
    if (!this.isSettled) return []
    const blocks = await readPage(this.#call, this.model.pageId)
    const before = this.state
    const { transaction, disputed, missing } = this.model.receive(before, { order: blocks.map(({ id }) => id), blocks })
    expect(missing).toEqual([])
    this.state = before.apply(transaction)
    this.state.doc.check()
    return disputed
  }

  get blocks(): PageBlock[] {
    return this.state.doc.content.content.map(blockOf)
  }
}

const step = fc.record({
  who: fc.nat(2),
  what: fc.constantFrom('edit', 'edit', 'edit', 'send', 'deliver', 'receive', 'type'),
  kind: fc.nat(5),
  at: fc.nat(200),
})

test('people and an agent change a page together', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const connected = await connect()
      const { call } = connected
      const pageId = await documentOf(connected, '# One two\n\nthree four five\n\n- six seven\n  - eight\n\n- [ ] nine')
      const first = await readPage(call, pageId)
      const people = [0, 1].map(() => new Person(call, pageId, first))
      const typed = new Set<string>()
      const deleted = new Set<string>()
      for (const [index, { who, what, kind, at }] of steps.entries()) {
        const person = people[who]
        const word = `q${index}z`
        if (person === undefined) {
          // An agent changes a block as it reads it.
          const blocks = await readPage(call, pageId)
          const block = blocks[at % Math.max(1, blocks.length)]
          if (block === undefined) continue
          typed.add(word)
          await call('blocks_update', { blocks: [{ id: block.id, markdown: `${block.markdown} ${word}` }] })
        } else if (what === 'edit' || what === 'type') {
          const gone = person.edit(what === 'type' ? 0 : kind, at, word)
          for (const one of gone) deleted.add(one)
          if (person.state.doc.textContent.includes(word)) typed.add(word)
        } else if (what === 'send') person.send()
        else if (what === 'deliver') await person.deliver()
        else await person.receive()
      }
      for (let round = 0; round < 4; round++) {
        for (const person of people) {
          person.send()
          while (!person.isSettled) await person.deliver()
          await person.receive()
        }
      }
      const end = await readPage(call, pageId)
      const text = end.map(({ markdown }) => markdown).join('\n')
      for (const person of people) {
        expect(person.blocks.filter(({ id }) => !isName(id))).toEqual(end.length === 0 ? [] : person.blocks)
        expect(person.blocks.map(({ id, markdown }) => [id, markdown])).toEqual(
          end.map(({ id, markdown }) => [id, markdown]),
        )
      }
      for (const word of typed) if (!deleted.has(word)) expect(text).toContain(word)
      expect(new Set(end.map(({ id }) => id)).size).toBe(end.length)
    }),
    { numRuns: runs(12, 2_000) },
  )
})

test('a caret keeps its place while others change what is before it', () => {
  const blocks: PageBlock[] = ['one', 'two three'].map((markdown, index) => ({
    id: `${index}`,
    fields: { type: 'text' },
    markdown,
  }))
  const model = new PageModel('p', blocks)
  let state = EditorState.create({ schema, doc: model.createDocument() })
  state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 5 + 1 + 4)))
  const changed = [{ ...(blocks[1] as PageBlock), markdown: 'zero two three' }, blocks[0] as PageBlock]
  const { transaction } = model.receive(state, { order: ['1', '0'], blocks: changed })
  state = state.apply(transaction)
  expect(state.doc.content.content.map(idOf)).toEqual(['1', '0'])
  expect(state.doc.textBetween(state.selection.head, state.doc.firstChild?.nodeSize ?? 0)).toBe('three')
})

test('what is selected stays selected while others move it', () => {
  const blocks: PageBlock[] = ['one', 'two', 'six'].map((markdown, index) => ({
    id: `${index}`,
    fields: { type: 'text' },
    markdown,
  }))
  const after = (select: (state: EditorState) => Selection, order: string[]) => {
    const model = new PageModel('p', blocks)
    let state = EditorState.create({ schema, doc: model.createDocument() })
    state = state.apply(state.tr.setSelection(select(state)))
    return state.apply(model.receive(state, { order, blocks: [] }).transaction)
  }
  const whole = ({ doc }: EditorState) => BlockRange.create(doc, [0, 5])
  for (const order of [
    ['1', '0', '2'],
    ['2', '0', '1'],
    ['0', '2', '1'],
  ]) {
    const { doc, selection } = after(whole, order)
    const chosen = selection instanceof BlockRange ? selection.positions.map((at) => doc.nodeAt(at)?.textContent) : []
    expect(chosen.sort()).toEqual(['one', 'two'])
  }
  const part = ({ doc }: EditorState) => TextSelection.create(doc, 6, 9)
  for (const order of [
    ['1', '0', '2'],
    ['0', '2', '1'],
  ]) {
    const { doc, selection } = after(part, order)
    expect(doc.textBetween(selection.from, selection.to)).toBe('two')
  }
})

test('a caret keeps its place among the words of a block that others move and change', () => {
  const blocks = ['one', 'two', 'p0w'].map(
    (markdown, index): PageBlock => ({
      ...{ id: `${index}`, fields: { type: 'text' }, markdown },
    }),
  )
  const model = new PageModel('p', blocks)
  let state = EditorState.create({ schema, doc: model.createDocument() })
  state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 14)))
  const changed: PageBlock[] = [{ id: '2', fields: { type: 'text' }, markdown: 'p1w6 p0w' }]
  state = state.apply(model.receive(state, { order: ['2', '0', '1'], blocks: changed }).transaction)
  state = state.apply(state.tr.insertText('11'))
  expect(state.doc.firstChild?.textContent).toBe('p1w6 p0w11')
})

test('words that others add at the caret stand behind it, so that a word that is being typed goes on', () => {
  const model = new PageModel('p', [{ id: '0', fields: { type: 'text' }, markdown: 'one p0w7' }])
  let state = EditorState.create({ schema, doc: model.createDocument() })
  state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 9)))
  const blocks: PageBlock[] = [{ id: '0', fields: { type: 'text' }, markdown: 'one p0w7 a1w74' }]
  state = state.apply(model.receive(state, { order: ['0'], blocks }).transaction)
  state = state.apply(state.tr.insertText('2'))
  expect(state.doc.textContent).toBe('one p0w72 a1w74')
})

const cell = fc.constantFrom('', 'a', 'b', 'aa', 'a b')
const tableText = fc
  .nat(2)
  .chain((columns) =>
    fc.array(fc.array(cell, { minLength: columns + 1, maxLength: columns + 1 }), { minLength: 1, maxLength: 4 }),
  )
const block = fc.oneof(
  fc.record({ fields: fc.constant<PageBlock['fields']>({ type: 'text' }), markdown: cell }),
  tableText.map((rows) => ({
    fields: { type: 'table' } satisfies PageBlock['fields'],
    markdown: writeTableGrid({ rows, alignments: (rows[0] ?? []).map(() => undefined) }),
  })),
)

test('who types nothing sees what the server has, also in tables', () => {
  const page = fc.uniqueArray(fc.tuple(fc.nat(4), block), { minLength: 1, maxLength: 5, selector: ([id]) => id })
  fc.assert(
    fc.property(page, page, (before, after) => {
      const [old, now] = [before, after].map((blocks) =>
        blocks.map(([id, one]): PageBlock => ({ id: `${id}`, ...one })),
      )
      const model = new PageModel('p', old ?? [])
      const state = EditorState.create({ schema, doc: model.createDocument() })
      const { transaction } = model.receive(state, { order: (now ?? []).map(({ id }) => id), blocks: now ?? [] })
      const shown = transaction.doc.content.content.map(blockOf)
      expect(shown.map(({ id, markdown }) => [id, markdown])).toEqual(
        (now ?? []).map(({ id, markdown }) => [id, markdown]),
      )
    }),
    { numRuns: runs(500, 20_000) },
  )
})

test.each([
  ['while others add to the block', 'one two a7', 'one two three a7'],
  ['while others change what is before it', 'zero one two', 'zero one two three'],
])('a space that was just typed stays %s', (_, markdown, wanted) => {
  const block: PageBlock = { id: '1', fields: { type: 'text' }, markdown: 'one two' }
  const model = new PageModel('p', [block])
  let state = EditorState.create({ schema, doc: model.createDocument() })
  state = state.apply(state.tr.setSelection(TextSelection.atEnd(state.doc)))
  state = state.apply(state.tr.insertText(' '))
  state = state.apply(model.receive(state, { order: ['1'], blocks: [{ ...block, markdown }] }).transaction)
  state = state.apply(state.tr.insertText('three'))
  expect(state.doc.textContent).toBe(wanted)
})

test('a word that is begun with the same letter as one that others add goes on', () => {
  const block: PageBlock = { id: '1', fields: { type: 'text' }, markdown: 'one' }
  const model = new PageModel('p', [block])
  let state = EditorState.create({ schema, doc: model.createDocument() })
  state = state.apply(state.tr.setSelection(TextSelection.atEnd(state.doc)))
  state = state.apply(state.tr.insertText(' p'))
  state = state.apply(model.receive(state, { order: ['1'], blocks: [{ ...block, markdown: 'one pier' }] }).transaction)
  state = state.apply(state.tr.insertText('lan'))
  expect(state.doc.textContent).toBe('one pier plan')
})

test.each([
  ['stays while somebody has the caret in it', true, ['', 'theirs']],
  ['goes once others have written, if nobody has the caret in it', false, ['theirs']],
])('the empty block of a page without blocks %s', (_what, isWritten, shown) => {
  const model = new PageModel('p', [])
  const state = EditorState.create({ doc: model.createDocument() })
  const theirs = { id: '100000000001', fields: { type: 'text' as const }, markdown: 'theirs' }
  const { transaction } = model.receive(state, { order: [theirs.id], blocks: [theirs] }, isWritten)
  const after = state.apply(transaction)
  expect(after.doc.content.content.map((node) => node.textContent)).toEqual(shown)
  expect(model.isSent(after.doc)).toBe(!isWritten)
})
