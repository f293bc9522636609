import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openCursor, sealCursor } from '../../src/space/cursors.ts'

const secret = 'ab'.repeat(32)
const refused = 'Expected the cursor of an earlier answer to the same call, found another; call again without cursor.'

test('a cursor gives back its place', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary', maxLength: 40 }), (asked, place) => {
      expect(openCursor(secret, asked, sealCursor(secret, asked, place))).toBe(place)
    }),
  )
})

test('a cursor of another question, another space, or with one character changed is refused', () => {
  const cursor = sealCursor(secret, ['blocks_get', 'a'], 'place')
  expect(() => openCursor(secret, ['blocks_get', 'b'], cursor)).toThrow(refused)
  expect(() => openCursor('cd'.repeat(32), ['blocks_get', 'a'], cursor)).toThrow(refused)
  for (let index = 0; index < cursor.length - 1; index++) {
    const changed = `${cursor.slice(0, index)}${cursor[index] === 'A' ? 'B' : 'A'}${cursor.slice(index + 1)}`
    expect(() => openCursor(secret, ['blocks_get', 'a'], changed)).toThrow(refused)
  }
  expect(() => openCursor(secret, ['blocks_get', 'a'], 'x'.repeat(300))).toThrow(refused)
})

test('a cursor shows nothing of its place, nor how long it is', () => {
  const cursors = ['7', '123456789', '1 25 2026-11-20'].map((place) => sealCursor(secret, ['documents_list'], place))
  expect(new Set(cursors.map(({ length }) => length)).size).toBe(1)
  for (const cursor of cursors)
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toMatch(/7$|123456789|2026/)
})
