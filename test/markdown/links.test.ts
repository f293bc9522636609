import { describe, expect, test } from 'vitest'
import { findAddressesInWorker } from '../../src/markdown/markdown-in-worker.ts'
import {
  findAddresses,
  findPlainAddresses,
  mayContainAddress,
  mayContainUnsafe,
  replaceAddresses,
  restoreBlockLinks,
  restorePlainLinks,
} from '../../src/markdown/text-addresses.ts'

const urls = (text: string, isTable = false) => findAddresses(text, isTable).map(({ url }) => url)

describe('findAddresses', () => {
  test('should list the targets of links, images and autolinks, in order and as often as they occur', () => {
    const text = '[a](block://1) **[b *c*](<block://2> "t")** ![d](BLOCK://1) <block://3> [e](https://x)'
    expect(urls(text)).toEqual(['block://1', 'block://2', 'BLOCK://1', 'block://3', 'https://x'])
    expect(findAddresses(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      ...['block://1', '<block://2>', 'BLOCK://1', 'block://3', 'https://x'],
    ])
    expect(findAddresses(text).map(({ isPicture }) => isPicture)).toEqual([false, false, true, false, false])
  })

  test.each(['`[a](block://1)`', '\\[a](block://1)', 'block://1', '$[a](block://1)$', ''])(
    'should not find an address in %s',
    (text) => expect(findAddresses(text)).toEqual([]),
  )
})

describe('findAddresses a table', () => {
  test('should list the targets in cells with their positions', () => {
    const table = '| `a | b` |\n| --- | --- |\n| [c \\| d](block://1) | [ő](block://2) [e](block://3) |'
    const links = findAddresses(table, true)
    expect(links.map(({ url }) => url)).toEqual(['block://1', 'block://2', 'block://3'])
    expect(links.map(({ start, end }) => table.slice(start, end))).toEqual(['block://1', 'block://2', 'block://3'])
  })

  test('should treat a backtick in one cell separately from one in another', () => {
    expect(findAddresses('| ` | [a](block://1) | ` |\n| --- | --- | --- |', true)).toHaveLength(1)
    expect(findAddresses('| ` | [a](block://1) | ` |')).toEqual([])
  })
})

describe('findPlainAddresses', () => {
  const ID = '12345678-1234'
  test.each<[string, string[]]>([
    [`see block://${ID}, then`, [`block://${ID}`]],
    [`[a](BLOCK://${ID}) (block:${ID})`, [`BLOCK://${ID}`, `block:${ID}`]],
    [`[a](&#98;lock://${ID} "t")`, [`block://${ID}`]],
    [`\`block://${ID}\``, [`block://${ID}`]],
    [`<block://${ID}> block://%31${ID}`, [`block://${ID}`, `block://%31${ID}`]],
    [`scriptorium://open?spaceId=a&blockId=${ID}.`, [`scriptorium://open?spaceId=a&blockId=${ID}`]],
    [`http://e.example/open?spaceId=a&blockId=${ID}.`, [`http://e.example/open?spaceId=a&blockId=${ID}`]],
    [`https://e.example/d/s/${ID}! https://e.example`, [`https://e.example/d/s/${ID}`]],
    [
      '[a](javascript:alert) ![b]( <vb\nscript:c>) <data:text/html,d>',
      ['javascript:alert', 'vb\nscript:c', 'data:text/html,d'],
    ],
    [`${ID} roadblock: it, JavaScript: The Good Parts, the data: 5`, []],
  ])('should find in %j %j', (text, found) => {
    const addresses = findPlainAddresses(text)
    expect(addresses.map(({ url }) => url)).toEqual(found)
    const shown = replaceAddresses(text, addresses, () => 'X')
    for (const url of found) expect(shown).not.toContain(url)
  })

  test('should return what was hidden, in order, and nothing that is named', () => {
    const stored = 'a block://11111111, b block://22222222 and c block://33333333'
    const shown = 'a invalid:out_of_scope, b block://22222222 and c invalid:out_of_scope'
    expect(restorePlainLinks(shown, stored)).toBe(stored)
    expect(restorePlainLinks('c invalid:out_of_scope', 'none')).toBe('c invalid:out_of_scope')
  })
})

describe('whether a text can contain an address', () => {
  test.each(['[a](javascript:b)', '[a](<java\tscript:b>)', '[a](<v&#10;bscript:b>)', '![a](DATA:b)'])(
    'that executes code: %j',
    (text) => expect(mayContainUnsafe(text)).toBe(true),
  )
  test.each([
    '[a](block:b)',
    '[a](<BLO\tCK://b>)',
    '<scriptorium://open?a>',
    '[a](https://b/d/c/d)',
    '[a](http://b/op\ten?c)',
  ])('that leads somewhere: %j', (text) => expect(mayContainAddress(text)).toBe(true))
  test.each(['metadata: [a](https://example.org/b), javascript: x'])('or none: %j', (text) =>
    expect([mayContainUnsafe(text), mayContainAddress(text)]).toEqual([false, false]),
  )
})

describe('replaceAddresses', () => {
  const mapped = (text: string, map: (url: string) => string) =>
    replaceAddresses(text, findAddresses(text), ({ url }) => map(url))

  test('should replace whole addresses and nothing else', () => {
    const text = '_a_ [x [y]](block://1 "t")  `[a](block://1)` [b]( <block://2> )\n<block://3> \\* ![p](block://4)'
    expect(mapped(text, (url) => `invalid:${url.slice(8)}`)).toBe(
      '_a_ [x [y]](invalid:1 "t")  `[a](block://1)` [b]( invalid:2 )\n<invalid:3> \\* ![p](invalid:4)',
    )
  })

  test('should return a text unchanged if its addresses stay', () => {
    const text = '[a](<https://x>) **b'
    expect(mapped(text, (url) => url)).toBe(text)
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
  ])('should change %s to %s', (text, restored) => expect(restoreBlockLinks(text, stored)).toBe(restored))

  test('should revert what was shown for a block out of reach', () => {
    const hide = ({ url }: { url: string }) => (url === 'block://2' ? url : 'invalid:out_of_scope')
    const shown = replaceAddresses(stored, findAddresses(stored), hide)
    expect(restoreBlockLinks(shown, stored)).toBe(stored)
  })

  test('should not change a text without stored addresses', () => {
    expect(restoreBlockLinks('[A](invalid:out_of_scope)', 'no links')).toBe('[A](invalid:out_of_scope)')
  })
})

describe('findAddressesInWorker', () => {
  test.each([
    ['text', '[a](block://1) `[b](block://2)` ', false],
    ['table', '| ` | [a](block://1) | <block://2> |\n| --- | --- | --- |\n', true],
  ])('should find the same in a long %s as in a short one', async (_, markdown, isTable) => {
    const text = isTable
      ? markdown + '| ` | [a](block://1) | <block://2> |\n'.repeat(4_000).trimEnd()
      : markdown.repeat(4_000)
    const links = await findAddressesInWorker(text, isTable)
    expect(links).toEqual(
      findAddresses(text, isTable).map(({ url, start, end, isPicture }) => ({ url, start, end, isPicture })),
    )
    expect(links.length).toBeGreaterThanOrEqual(4_000)
  })
})
