import { describe, expect, test } from 'vitest'
import { blockLinks, mapBlockLinks, restoreBlockLinks } from '../../src/markdown/links.ts'

describe('blockLinks', () => {
  test('should list the blocks in order, each as often as it is linked', () => {
    expect(blockLinks('[a](block://1) **[b *c*](<block://2> "t")** [d](block://1) <block://3>')).toEqual([
      '1',
      '2',
      '1',
      '3',
    ])
  })

  test.each(['`[a](block://1)`', '\\[a](block://1)', '[a](https://block://1)', 'block://1', '$[a](block://1)$', ''])(
    'should not see a link in %s',
    (text) => expect(blockLinks(text)).toEqual([]),
  )
})

describe('mapBlockLinks', () => {
  test('should replace whole destinations and nothing else', () => {
    const text = '_a_ [x [y]](block://1 "t")  `[a](block://1)` [b]( <block://2> )\n<block://3> \\*'
    expect(mapBlockLinks(text, (id, label) => `invalid:${id}:${label.length}`)).toBe(
      '_a_ [x [y]](invalid:1:5 "t")  `[a](block://1)` [b]( invalid:2:1 )\n<invalid:3:9> \\*',
    )
  })

  test('should give a text without such links back as it is', () => {
    const text = '[a](https://x) **b'
    expect(mapBlockLinks(text, () => 'never')).toBe(text)
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
    const shown = mapBlockLinks(stored, (id) => (id === '2' ? `block://${id}` : 'invalid:out_of_scope'))
    expect(restoreBlockLinks(shown, stored)).toBe(stored)
  })

  test('should leave a text alone when nothing is stored for it', () => {
    expect(restoreBlockLinks('[A](invalid:out_of_scope)', 'no links')).toBe('[A](invalid:out_of_scope)')
  })
})
