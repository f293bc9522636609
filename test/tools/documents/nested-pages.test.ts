/** The pages within documents, as the tree of the pages lists them. */
import { expect, test } from 'vitest'
import { nestedPages, type PagesIn } from '../../../src/space/documents/nested-pages.ts'
import { type AccessLink, OPERATOR_LINK } from '../../../src/space/model/space.ts'
import type { OpenSpace } from '../../../src/space/open-space.ts'
import { buildSpace } from '../../build.ts'
import { program } from '../../page/sample-space.ts'
import { countStatements } from '../../support/count-statements.ts'

const nested = (title: string, content = 'x'): string =>
  `<page><pageTitle>${title}</pageTitle><content>\n\n${content}\n\n</content></page>`

async function filled() {
  const { space } = await buildSpace()
  const anna = program(space, 'editor')
  const add = async (...documents: { title: string; markdown: string }[]): Promise<string[]> =>
    (await anna('documents_add', { documents })).items.map(({ id }: { id: string }) => id)
  return { space, anna, add }
}

interface Asked {
  folds?: [string, boolean][]
  documentId?: string
  nestedId?: string
}

const read = (
  space: OpenSpace,
  documents: readonly string[],
  { folds = [], ...shown }: Asked = {},
  link: AccessLink = OPERATOR_LINK,
): Promise<ReadonlyMap<string, PagesIn>> =>
  space.read(link, (view) => nestedPages(view, { documents, folds: new Map(folds), ...shown }))

const titlesIn = (pages: ReadonlyMap<string, PagesIn>, id = ''): string[] | undefined =>
  pages.get(id)?.pages.map(({ title }) => title)

test('closed documents only say how many pages they have', async () => {
  const { space, add } = await filled()
  const [with2 = '', without = ''] = await add(
    { title: 'Two', markdown: `${nested('A', nested('Inner'))}\n\ntext\n\n${nested('B')}` },
    { title: 'None', markdown: 'text' },
  )
  expect(await read(space, [with2, without])).toEqual(
    new Map([
      [with2, { count: 2, isOpen: false, pages: [] }],
      [without, { count: 0, isOpen: false, pages: [] }],
    ]),
  )
})

test('what is shown is open up to its document, unless somebody closed it', async () => {
  const { space, add } = await filled()
  const [id = ''] = await add({ title: 'Deep', markdown: nested('A', nested('B', nested('C'))) })
  const open = await read(space, [id], { documentId: id })
  const a = open.get(id)?.pages[0]?.id ?? ''
  const b =
    (
      await read(space, [id], {
        folds: [
          [id, true],
          [a, true],
        ],
      })
    ).get(a)?.pages[0]?.id ?? ''
  expect(titlesIn(open, id)).toEqual(['A'])
  expect(open.get(a)).toEqual({ count: 1, isOpen: false, pages: [] })
  const shown = await read(space, [id], { nestedId: b })
  expect([titlesIn(shown, id), titlesIn(shown, a), titlesIn(shown, b)]).toEqual([['A'], ['B'], ['C']])
  const closed = await read(space, [id], { documentId: id, nestedId: b, folds: [[a, false]] })
  expect([titlesIn(closed, id), titlesIn(closed, a), titlesIn(closed, b)]).toEqual([['A'], [], undefined])
})

test('pages within the items of collections are left out', async () => {
  const { space, anna, add } = await filled()
  const [id = ''] = await add({ title: 'Table', markdown: nested('Own') })
  const { collectionBlockId: collectionId } = await anna('collections_add', {
    schema: { name: 'Rows', properties: [] },
    position: { position: 'end', pageId: id },
  })
  const [item] = (await anna('items_add', { collectionId, items: [{ title: 'Row' }] })).items
  const inside = await anna('blocks_add', {
    markdown: nested('In the row'),
    position: { position: 'end', pageId: item.id },
  })
  const page = inside.items[0].id
  const pages = await read(space, [id], {
    documentId: id,
    nestedId: page,
    folds: [
      [page, true],
      [item.id, true],
    ],
  })
  expect(titlesIn(pages, id)).toEqual(['Own'])
})

test('nothing that is out of reach is told, whatever is asked for', async () => {
  const { space, anna, add } = await filled()
  const [id = '', hidden = ''] = await add(
    { title: 'Seen', markdown: nested('A') },
    { title: 'Hidden', markdown: nested('Secret', nested('Deep')) },
  )
  const secret = (await read(space, [hidden], { documentId: hidden })).get(hidden)?.pages[0]?.id ?? ''
  const folds: [string, boolean][] = [hidden, secret, '999999999999', 'unsorted'].map((one) => [one, true])
  const { n } = await space.read(OPERATOR_LINK, async (view) => view.getDocument(await view.readId(id)))
  const link: AccessLink = { ...OPERATOR_LINK, kind: 'selected', documents: new Set([n]) }
  const seen = () => read(space, [id, hidden], { documentId: hidden, nestedId: secret, folds }, link)
  expect(await seen()).toEqual(new Map([[id, { count: 1, isOpen: false, pages: [] }]]))
  await anna('documents_delete', { documentIds: [id] })
  expect(await seen()).toEqual(new Map())
})

test('many documents take as many statements as one', async () => {
  const { space, add } = await filled()
  const documents = Array.from({ length: 40 }, (_, index) => ({
    title: `Document ${index}`,
    markdown: nested(`Page ${index}`, nested('Inner')),
  }))
  const ids = await add(...documents)
  const [first = ''] = ids
  const page = (await read(space, [first], { documentId: first })).get(first)?.pages[0]?.id ?? ''
  const counter = countStatements()
  const countOf = async (listed: readonly string[], asked: Asked) => {
    counter.reset()
    await read(space, listed, asked)
    return counter.count
  }
  const one = await countOf([first], { documentId: first })
  const folds = ids.slice(0, 30).map((id): [string, boolean] => [id, true])
  expect(await countOf(ids, { documentId: first, folds })).toBe(one)
  // The pages around the one that is shown.
  expect(await countOf(ids, { documentId: first, nestedId: page, folds })).toBe(one === 0 ? 0 : one + 1)
})
