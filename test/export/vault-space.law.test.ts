/** A space that was exported as a vault and imported into a new space is unchanged, and so is its export. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeName } from '../../src/export/export-target.ts'
import type { Block } from '../../src/markdown/block.ts'
import { titleFromPlain } from '../../src/markdown/inline-title.ts'
import { type ImportDocument, plainContent } from '../../src/space/import/imported-content.ts'
import { addImportedDocument } from '../../src/space/import/write-document.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { connect } from '../connect.ts'
import { tree } from '../markdown/trees.ts'
import { runs } from '../support/runs.ts'
import { exportOf, importOf, textsOf } from './vault-exports.ts'

const TITLES = [
  'Plan',
  'plan',
  'CON',
  '.hidden',
  'a/b',
  'a:b?',
  'é',
  'e\u0301',
  '年度计划',
  'x'.repeat(300),
  '[[#^|]]',
  'Ends. ',
]
const title = fc.constantFrom(...TITLES)
const WRITTEN = Date.parse('2024-03-01T12:00:00Z')

/** Values of each type that are difficult in a note. */
const values = {
  Text: fc.constantFrom('=1+1', 'true', '2024-03-01', 'a\nb', '"q"', '- x', '#', '[[Plan]]', ' a: b', '~'),
  Number: fc.constantFrom(0, -1.5, 1e15, 0.1),
  Flag: fc.boolean(),
  Day: fc.constantFrom('2024-02-29', '2024-02-29/2024-03-01'),
  Choice: fc.constantFrom('Yes', 'no', '1', 'null', 'a, b'),
  Tags: fc.uniqueArray(fc.constantFrom('a', 'b, c', 'true', '[x]'), { minLength: 1 }),
  Stars: fc.constantFrom(1, 3, 5),
}
const TYPES = {
  Text: 'text',
  Number: 'number',
  Flag: 'boolean',
  Day: 'date',
  Choice: 'singleSelect',
  Tags: 'multiSelect',
  Stars: 'rating',
}

/** If two have the same name, the later one gets a number. */
const nameOf = (one: { title: string }) => safeName(one.title).toLowerCase()

const item = fc.record({ title, blocks: tree, values: fc.record(values, { requiredKeys: [] }) })
const document = fc.record({
  title,
  folder: fc.constantFrom([], ['Work'], ['Work', 'In: it']),
  blocks: tree,
  collection: fc.option(fc.uniqueArray(item, { maxLength: 3, selector: nameOf }), { nil: undefined, freq: 2 }),
})

/** A task with a date and only spaces comes back without them. */
const withoutBlankTasks = (blocks: readonly Block[]): Block[] =>
  blocks
    .filter(({ listStyle, text }) => listStyle !== 'task' || text === '' || !/^(?:\s|&#32;)*$/.test(text))
    .map((block) => ({ ...block, ...(block.content && { content: withoutBlankTasks(block.content) }) }))

type GeneratedDocument = typeof document extends fc.Arbitrary<infer Made> ? Made : never

function contentOf({ title: text, folder, blocks, collection }: GeneratedDocument, index: number): ImportDocument {
  const content = plainContent(withoutBlankTasks(blocks))
  const about = { title: text, place: { folder }, createdAt: WRITTEN, modifiedAt: WRITTEN }
  if (collection === undefined) return { ...about, ...content }
  const items = collection.map((one): [Block, object] => [
    { type: 'collectionItem', text: titleFromPlain(one.title), content: withoutBlankTasks(one.blocks) },
    one.values,
  ])
  const block: Block = { type: 'collection', text: `Things ${index}`, content: items.map(([made]) => made) }
  const properties = Object.entries(TYPES).map(([name, type]) => ({ name, type: type as 'text' }))
  const collections = new Map([
    [
      block,
      { titleName: 'Name', properties, relations: [], values: new Map(items) as Map<Block, Record<string, unknown>> },
    ],
  ])
  return { ...about, ...content, blocks: [...content.blocks, block], collections }
}

/** The same spaces in every run; others with `FC_SEED`. */
const SEED = Number(process.env.FC_SEED ?? 1)

test('whatever documents, folders and collections it has', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(document, { minLength: 1, maxLength: 3, selector: nameOf }), async (documents) => {
      const connected = await connect()
      for (const [index, one] of documents.entries()) {
        const origin = { source: 0, path: String(index), hash: '' }
        await connected.space.write(OPERATOR_LINK, async (view) =>
          addImportedDocument(view, await view.newId(), contentOf(one, index), new Map(), origin, null),
        )
      }
      const first = await exportOf(connected)
      const back = await importOf(first.path)
      expect(back.problems.filter((problem) => !problem.endsWith('is kept as it is.'))).toEqual([])
      const second = await exportOf(back)
      expect(textsOf(second.path)).toEqual(textsOf(first.path))
    }),
    { seed: SEED, numRuns: runs(4, 40) },
  )
})
