import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPagination, decodeCursor, encodeCursor } from '../../src/space/model/cursors.ts'
import { anyCharacter } from '../support/any-character.ts'
import { runs } from '../support/runs.ts'

const secret = 'ab'.repeat(32)
const refused = 'Expected the cursor of an earlier answer to the same call, found another; call again without cursor.'

test('a cursor returns its position', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: anyCharacter, maxLength: 40 }), (input, place) => {
      expect(decodeCursor(secret, input, encodeCursor(secret, input, place))).toBe(place)
    }),
    { numRuns: runs(25, 100) },
  )
})

test('a cursor is valid after a restart', () => {
  expect(encodeCursor(secret, ['blocks_get', 'a'], 'place')).toBe(
    'ahKVnPHxKqOV_eOkzyfl6Lo1Vq2VxZa-xbjaTUUcT7OQGw3Ruwen3oXbreI',
  )
})

test('a cursor is no longer than the interface allows, and longer ones are not read', () => {
  const longest = encodeCursor(secret, 1, 'x'.repeat(159))
  expect(longest).toHaveLength(230)
  expect(decodeCursor(secret, 1, longest)).toBe('x'.repeat(159))
  expect(() => decodeCursor(secret, 1, encodeCursor(secret, 1, 'x'.repeat(160)))).toThrow(refused)
})

test('a text too short for a cursor gets the error of a changed one', () => {
  for (const short of ['', 'abc', encodeCursor(secret, 1, '').slice(0, -2)]) {
    expect(() => decodeCursor(secret, 1, short)).toThrow(expect.objectContaining({ code: 'CURSOR_INVALID' }))
  }
})

test('the rest of a list is counted up to a limit, and its cursor continues there', () => {
  const rest = createPagination(secret, 'tasks_list', { scope: 'all' }, 'task', 'place', 12)
  expect(rest).toMatchObject({
    remaining: 12,
    message: '12 tasks are left: repeat the call with this cursor.',
  })
  expect(decodeCursor(secret, ['tasks_list', { scope: 'all' }], rest.cursor)).toBe('place')
  const atLeast = (remaining: number) =>
    createPagination(secret, 'a', {}, 'task', 'b', remaining, 12).message.split(' are')[0]
  expect([11, 12, 13].map(atLeast)).toEqual(['11 tasks', 'At least 12 tasks', 'At least 13 tasks'])
})

test('a cursor of another request or space, or with one changed character, is rejected', () => {
  const cursor = encodeCursor(secret, ['blocks_get', 'a'], 'place')
  expect(() => decodeCursor(secret, ['blocks_get', 'b'], cursor)).toThrow(refused)
  expect(() => decodeCursor('cd'.repeat(32), ['blocks_get', 'a'], cursor)).toThrow(refused)
  for (let index = 0; index < cursor.length - 1; index++) {
    const changed = `${cursor.slice(0, index)}${cursor[index] === 'A' ? 'B' : 'A'}${cursor.slice(index + 1)}`
    expect(() => decodeCursor(secret, ['blocks_get', 'a'], changed)).toThrow(refused)
  }
  expect(() => decodeCursor(secret, ['blocks_get', 'a'], 'x'.repeat(300))).toThrow(refused)
})

test('a cursor does not reveal its position or its length', () => {
  const cursors = ['7', '123456789', '1 25 2026-11-20'].map((place) => encodeCursor(secret, ['documents_list'], place))
  expect(new Set(cursors.map(({ length }) => length)).size).toBe(1)
  for (const cursor of cursors)
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toMatch(/7$|123456789|2026/)
})
