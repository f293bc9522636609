/** What an agent asks for is shown, whatever the fields of a tool are. */
import { describe, expect, test } from 'vitest'
import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import type { JsonSchema } from '../../src/call/input/arguments.ts'
import { PairCount } from '../../src/difference/pair-count.ts'
import { parseUnifiedDiff } from '../../src/difference/read-diff.ts'
import { writeUnifiedDiff } from '../../src/difference/unified-diff.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { askedArguments } from '../../src/space/proposals/asked-arguments.ts'
import type { StoredStep } from '../../src/space/proposals/proposal.ts'
import type { ProposedFile } from '../../src/space/proposals/proposed-files.ts'
import { endpoints } from '../../tools/index.ts'
import { buildSpace } from '../build.ts'
import { connect } from '../connect.ts'

const catalog = toolCatalogFor(endpoints, 'full')
const WRITING = endpoints.filter(({ effect }) => effect !== 'read' && effect !== 'decide').map(({ name }) => name)
/** Levels of blocks within blocks that are made up. */
const NESTING = 2

/** Makes up arguments with every field of a schema, each with a value of its own. */
class Samples {
  /** By the path of the field: `blocks[].color`. */
  readonly values = new Map<string, string | number | boolean>()
  #count = 0

  /** @param choice  which alternative of a field that has several */
  of(schema: JsonSchema, root: JsonSchema, path: string, choice: number, level = 0): unknown {
    const { $ref, anyOf, properties, items, type } = schema
    if ($ref !== undefined) {
      const referred = $ref === '#' ? root : root.$defs?.[$ref.replace('#/$defs/', '')]
      return level < NESTING && referred ? this.of(referred, root, path, choice, level + 1) : undefined
    }
    if (anyOf !== undefined) return this.of(anyOf[choice % anyOf.length] ?? {}, root, path, choice, level)
    if (properties !== undefined) {
      const fields = Object.entries(properties).map(([key, one]) => [
        key,
        this.of(one, root, `${path}.${key}`, choice, level),
      ])
      return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
    }
    if (items !== undefined) return [this.of(items, root, `${path}[]`, choice, level)]
    if (type === 'object') return { 'a key': this.#text(path) }
    if (type === 'boolean') return this.#note(path, true)
    if (type === 'integer' || type === 'number') return this.#note(path, 7_000 + this.#count)
    return type === 'null' ? undefined : this.#text(path)
  }

  #text = (path: string) => this.#note(path, `words ${this.#count}`)

  #note<Value extends string | number | boolean>(path: string, value: Value): Value {
    this.#count++
    this.values.set(path, value)
    return value
  }
}

const linesIn = (diff: string): string[] =>
  parseUnifiedDiff(diff).flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines.map(({ text }) => text)))

describe('the arguments of a proposal', () => {
  test.each(WRITING)('are shown with every field of %s', async (tool) => {
    const { space } = await buildSpace()
    const { schema = {} } = catalog.find(tool) ?? {}
    for (const choice of [0, 1, 2]) {
      const samples = new Samples()
      const given = samples.of(schema, schema, '', choice) as StoredStep['arguments']
      const steps = [{ tool, arguments: given }]
      const shown = await space.read(OPERATOR_LINK, (view) => askedArguments(view, steps, ''))
      const lines = linesIn(shown ?? '')
      expect(samples.values.size).toBeGreaterThan(0)
      for (const [path, value] of samples.values) {
        const words = typeof value === 'string' ? JSON.stringify(value) : String(value)
        expect(
          // A list of numbers is one value.
          [`: ${words}, `, `: [${words}], `].some((one) => lines.some((line) => `${line}, `.includes(one))),
          `${tool} ${path} is not shown`,
        ).toBe(true)
      }
    }
  })

  test('are left out where the difference shows them, and only there', async () => {
    const { space } = await buildSpace()
    const fields = 'deadline date: 2026-12-01, repeat: {type: fixed, weekly: {days: [monday, friday]}}'
    const details = [{ sign: '+', text: `"Dig, color: red" (1): ${fields}` }] as const
    const text = { title: 'Plan', before: 'old', after: 'old\n\n- [ ] Dig\n\nTwo\n\nlines', details }
    const diff = writeUnifiedDiff(text, new PairCount(1_000))
    const asked = async (given: StoredStep['arguments']) =>
      linesIn(
        (await space.read(OPERATOR_LINK, (view) => askedArguments(view, [{ tool: 'x', arguments: given }], diff))) ??
          '',
      )
    expect(await asked({ markdown: '- [ ] Dig', deadlineDate: '2026-12-01', other: 'Two\nlines' })).toEqual([])
    expect(await asked({ repeat: { type: 'fixed', weekly: { days: ['monday', 'friday'] } } })).toEqual([])
    // Quoted words are no field.
    expect(await asked({ color: 'red', days: ['sunday'] })).toEqual(['color: red', 'days 1: sunday'])
    expect(await asked({ markdown: 'old', deadlineDate: '2026-12-02', scheduleDate: '2026-12-01' })).toEqual([
      'markdown: old',
      'deadline date: 2026-12-02',
      'schedule date: 2026-12-01',
    ])
    expect(await asked({ markdown: 'Two\nwords', empty: '', none: null, list: [], points: [[0, 1]] })).toEqual([
      'markdown',
      '  | Two',
      '  | words',
      'empty: ""',
      'none: none',
      'list: []',
      'points: [[0, 1]]',
    ])
  })

  test('are left out where details name them, or the document has them already', async () => {
    const { space, call } = await connect()
    const { items } = await call('documents_add', {
      documents: [{ title: 'Plan', markdown: '```\none\ntwo\nthree\n```' }],
    })
    const [folder] = (await call('folders_add', { folders: [{ name: 'Clients' }] })).items
    const { content } = await call('blocks_get', { id: items[0].id })
    const details = [
      { sign: '+', text: `document "Plan" (${items[0].id}): folder: "Clients" (${folder.id})` },
      { sign: '+', text: 'property "Price" of "Suppliers" (100000000009): type: number' },
    ] as const
    const after = '<title>Crane &amp; Co &lt;1></title>\n<property name="unitPrice">1200</property>\n\nfour'
    const diff = writeUnifiedDiff({ title: 'Plan', before: '', after, details }, new PairCount(1_000))
    const asked = async (given: StoredStep['arguments']) => {
      const steps = [{ tool: 'x', arguments: given }]
      return linesIn((await space.read(OPERATOR_LINK, (view) => askedArguments(view, steps, diff))) ?? '')
    }
    expect(await asked({ documentIds: [items[0].id], folderId: folder.id, name: 'Price' })).toEqual([])
    expect(await asked({ title: 'Crane & Co <1>', properties: { unitPrice: 1200 } })).toEqual([])
    const named = `id: "one two three" (${content[0].id})`
    expect(await asked({ id: content[0].id, rawCode: 'one\ntwo\nthree\nfour' })).toEqual([named])
    expect(await asked({ id: content[0].id, rawCode: 'one' })).toEqual([named, 'raw code: one'])
    expect(await asked({ price: 1200, title: 'Crane &amp; Co', rawCode: 'one\ntwo\nfour' })).toEqual([
      'price: 1200',
      'title: "Crane &amp; Co"',
      'raw code',
      '  | one',
      '  | two',
      '  | four',
    ])
  })

  test('name what IDs stand for, unless it is in sight', async () => {
    const { space, call } = await connect()
    const { items } = await call('documents_add', {
      documents: [{ title: 'Plan', markdown: 'one' }, { title: 'Other' }],
    })
    const [plan, other] = items.map(({ id }: { id: string }) => id)
    const folders = await call('folders_add', { folders: [{ name: 'Clients' }] })
    const [{ id: folder }] = folders.items
    const { commentId } = await call('comments_add', { comments: [{ blockId: other, content: 'a remark' }] })
    const calls = (await call('history_list', { limit: 1 })).items
    const diff = writeUnifiedDiff({ title: 'Plan', before: 'one', after: 'two' }, new PairCount(10))
    const steps = [
      { tool: 'a', as: 'first', arguments: { blockIds: [plan, other], folderId: folder, nothing: '123456789012' } },
      { tool: 'b', arguments: { commentId, calls: [calls[0].callId], to: '$first' } },
    ]
    const shown = (await space.read(OPERATOR_LINK, (view) => askedArguments(view, steps, diff))) ?? ''
    expect(parseUnifiedDiff(shown).map(({ title }) => title)).toEqual(['1. a', '2. b'])
    expect(linesIn(shown)).toEqual([
      'as: first',
      `block 2: "Other" (${other})`,
      `folder: folder "Clients" (${folder})`,
      'nothing: 123456789012',
      `comment: comment by tester (${commentId}) on "Other" (${other})`,
      `calls 1: comments_add by tester (${calls[0].callId})`,
      'to: "$first"',
    ])
  })

  test('have the text of a short file, and the hash of any other', async () => {
    const { space } = await buildSpace()
    const file = { name: 'run.sh', mediaType: 'text/x-sh', size: 5, hash: 'a'.repeat(64) }
    const files: ProposedFile[] = [
      { ...file, step: 0, text: 'a\n\nb' },
      { ...file, step: 1 },
    ]
    const steps = [0, 1].map(() => ({ tool: 'files_add', arguments: { fileName: 'run.sh' } }))
    const shown = (await space.read(OPERATOR_LINK, (view) => askedArguments(view, steps, '', files))) ?? ''
    expect(linesIn(shown)).toEqual([
      'file name: run.sh',
      'content',
      '  | a',
      '  | ',
      '  | b',
      'file name: run.sh',
      `content: (text/x-sh, 5 bytes, SHA-256 ${'a'.repeat(64)})`,
    ])
  })

  test('that nobody could read are too many', async () => {
    const { space } = await buildSpace()
    const steps = [{ tool: 'x', arguments: { markdown: 'x'.repeat(2_000_001) } }]
    expect(await space.read(OPERATOR_LINK, (view) => askedArguments(view, steps, ''))).toBeUndefined()
  })
})
