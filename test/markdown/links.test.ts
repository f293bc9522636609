import { describe, expect, test } from 'vitest'
import { blockLinks, restoreBlockLinks, withDestinations } from '../../src/markdown/links.ts'
import { blockLinksAside } from '../../src/markdown/read-aside.ts'

describe('blockLinks', () => {
  test('should list the blocks in order, each as often as it is linked', () => {
    const text = '[a](block://1) **[b *c*](<block://2> "t")** [d](block://1) <block://3>'
    expect(blockLinks(text).map(({ id }) => id)).toEqual(['1', '2', '1', '3'])
    expect(blockLinks(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      'block://1',
      '<block://2>',
      'block://1',
      'block://3',
    ])
  })

  test.each(['`[a](block://1)`', '\\[a](block://1)', '[a](https://block://1)', 'block://1', '$[a](block://1)$', ''])(
    'should not see a link in %s',
    (text) => expect(blockLinks(text)).toEqual([]),
  )
})

describe('blockLinks of a table', () => {
  test('should list the blocks that cells link to, and where', () => {
    const table = '| `a | b` |\n| --- | --- |\n| [c \\| d](block://1) | [ő](block://2) [e](block://3) |'
    const links = blockLinks(table, true)
    expect(links.map(({ id }) => id)).toEqual(['1', '2', '3'])
    expect(links.map(({ start, end }) => table.slice(start, end))).toEqual(['block://1', 'block://2', 'block://3'])
  })

  test('should take a backtick in one cell for none beside one in another', () => {
    expect(blockLinks('| ` | [a](block://1) | ` |\n| --- | --- | --- |', true)).toHaveLength(1)
    expect(blockLinks('| ` | [a](block://1) | ` |')).toEqual([])
  })
})

describe('withDestinations', () => {
  const mapped = (text: string, map: (id: string) => string) => withDestinations(text, blockLinks(text), map)

  test('should replace whole destinations and nothing else', () => {
    const text = '_a_ [x [y]](block://1 "t")  `[a](block://1)` [b]( <block://2> )\n<block://3> \\*'
    expect(mapped(text, (id) => `invalid:${id}`)).toBe(
      '_a_ [x [y]](invalid:1 "t")  `[a](block://1)` [b]( invalid:2 )\n<invalid:3> \\*',
    )
  })

  test('should give a text without such links back as it is', () => {
    const text = '[a](https://x) **b'
    expect(mapped(text, () => 'never')).toBe(text)
  })
})

describe('restoreBlockLinks', () => {
  const stored = '[A](block://1) [B](block://2) [C](block://3)'

  test.each([
    ['[B](invalid:out_of_scope)', '[B](block://2)'],
    ['[new](invalid:out_of_scope) [A](invalid:out_of_scope)', '[new](block://2) [A](block://1)'],
    ['[B](block://2) [new](invalid:out_of_scope) [A](block://1)', '[B](block://2) [new](block://3) [A](block://1)'],
    [
      '[w](invalid:out_of_scope) [x](invalid:out_of_scope) [y](invalid:out_of_scope) [z](invalid:out_of_scope)',
      '[w](block://1) [x](block://2) [y](block://3) [z](invalid:out_of_scope)',
    ],
    ['`[A](invalid:out_of_scope)`', '`[A](invalid:out_of_scope)`'],
    ['[A](other)', '[A](other)'],
  ])('should make of %s %s', (text, restored) => expect(restoreBlockLinks(text, stored)).toBe(restored))

  test('should undo what was shown for a block out of reach', () => {
    const hide = (id: string) => (id === '2' ? `block://${id}` : 'invalid:out_of_scope')
    const shown = withDestinations(stored, blockLinks(stored), hide)
    expect(restoreBlockLinks(shown, stored)).toBe(stored)
  })

  test('should leave a text alone when nothing is stored for it', () => {
    expect(restoreBlockLinks('[A](invalid:out_of_scope)', 'no links')).toBe('[A](invalid:out_of_scope)')
  })
})

describe('blockLinksAside', () => {
  test.each([
    ['text', '[a](block://1) `[b](block://2)` ', false],
    ['table', '| ` | [a](block://1) | <block://2> |\n| --- | --- | --- |\n', true],
  ])('should find in a long %s what is found in a short one', async (_, markdown, isTable) => {
    const text = isTable
      ? markdown + '| ` | [a](block://1) | <block://2> |\n'.repeat(4_000).trimEnd()
      : markdown.repeat(4_000)
    const links = await blockLinksAside(text, isTable)
    expect(links).toEqual(blockLinks(text, isTable))
    expect(links.length).toBeGreaterThanOrEqual(4_000)
  })
})
