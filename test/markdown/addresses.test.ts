import { describe, expect, test } from 'vitest'
import { isUnsafeAddress, parseAddress } from '../../src/markdown/addresses.ts'

describe('parseAddress', () => {
  test.each<[string, string[], string?]>([
    ['block://A1', ['a1']],
    ['BLOCK://a1', ['a1']],
    [' \u0001bLo\tck:/a1/?x#y', ['a1']],
    ['block:%411', ['a1']],
    ['block://%zz', ['%zz']],
    ['block:', ['']],
    ['scriptorium://documents/A1', ['a1']],
    ['Scriptorium://whiteboards/a1#x', ['a1']],
    ['scriptorium://open?spaceId=S&documentId=A1&blockId=b%32', ['b2', 'a1'], 's'],
    ['scriptorium://open/?blockId=a1&blockId=a2', ['a1', 'a2']],
    ['https://editor.example/app/d/S/A1?x', ['a1'], 's'],
    ['http://127.0.0.1:4811/open?spaceId=S&documentId=A1#x', ['a1'], 's'],
    ['HTTPS://host/notes/open?blockId=A1&spaceId=S', ['a1'], 's'],
  ])('should find in %j the blocks %j', (address, ids, space) =>
    expect(parseAddress(address)).toEqual(space === undefined ? { ids } : { ids, space }),
  )

  test.each([
    'https://example.org',
    'https://x/?a=/d/b/c',
    'https://x/open?blockId=a',
    'https://x/open?spaceId=a',
    'https://x/?/open?spaceId=a&blockId=b',
    'date://2026-11-20',
    'blocks://a',
    'scriptorium://files/a',
    '',
  ])('should find none in %j', (address) => expect(parseAddress(address)).toBeUndefined())
})

describe('isUnsafeAddress', () => {
  test.each([
    ...['javascript:alert(1)', 'JaVaScript:alert(1)', ' \u0000\u001fjavascript:x', 'java\tscr\nipt\r:x', 'vbscript:x'],
    ...['data:text/html,<script>', 'DATA:text/html;base64,eA==', 'data:,x', 'data:image/svg+xml,<svg/>'],
  ])('should be true for %j', (address) => expect(isUnsafeAddress(address)).toBe(true))

  test.each([
    ...['https://example.org/?javascript:x', 'mailto:a@b.c', 'javascripts:x', 'obsidian://open', 'block://a', '#a'],
    ...['/javascript:x', './data:x', ''],
  ])('should be false for %j', (address) => expect(isUnsafeAddress(address)).toBe(false))

  test('should allow data that is an image, audio or video', () => {
    for (const type of ['image/png', 'image/svg+xml', 'video/mp4', 'audio/ogg']) {
      expect(isUnsafeAddress(`data:${type};base64,eA==`, true)).toBe(false)
    }
    for (const one of ['data:text/html,x', 'data:,x', 'javascript:x', 'data:text/html,image/png']) {
      expect(isUnsafeAddress(one, true)).toBe(true)
    }
  })
})
