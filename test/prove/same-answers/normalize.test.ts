import { describe, expect, test } from 'vitest'
import { firstDifference, Names, normalize } from './normalize.ts'

const ONE = '942565573089'
const OTHER = '536870912111'
const FIRST = '100000000001'
const SECOND = '100000000002'

const answer = (body: object) => ({ isError: false, about: {}, body: JSON.stringify(body) })
const refusal = (body: object) => ({ isError: true, about: { status: 400 }, body: JSON.stringify(body) })

describe('names', () => {
  test('IDs are numbered in order, and calls get them back', () => {
    const names = new Names()
    expect(names.toNumbered(`${OTHER} ${ONE} ${OTHER}`)).toBe(`${FIRST} ${SECOND} ${FIRST}`)
    expect(names.toOwn(`[words](block://${SECOND})`)).toBe(`[words](block://${ONE})`)
  })

  test('an ID that the caller made up is unchanged', () => {
    const names = new Names()
    expect(names.toOwn(ONE)).toBe(ONE)
    expect(names.toNumbered(ONE)).toBe(ONE)
  })

  test('cursors, in JSON, in nested JSON, and in text', () => {
    const names = new Names()
    const text = JSON.stringify({ cursor: 'abc_-1', inText: JSON.stringify({ cursor: 'def' }) })
    expect(names.toNumbered(`${text} and this cursor "abc_-1"`)).toBe(
      text
        .replace('abc_-1', 'cursor-00000001')
        .replace('def', 'cursor-00000002')
        .concat(' and this cursor "cursor-00000001"'),
    )
    expect(names.toOwn('?cursor=cursor-00000002')).toBe('?cursor=def')
  })

  test('reminders that came due in a feed are removed, in JSON and in nested JSON', () => {
    const due = {
      type: 'reminder.due',
      reminderId: ONE,
      documents: [{ documentId: OTHER, title: 'x' }],
      cursor: 'abc_-1',
    }
    const call = { type: 'call.committed', cursor: 'cursor-00000009' }
    const normalized = (items: object[]) =>
      new Names().toNumbered(JSON.stringify({ items, inText: JSON.stringify({ items }) }))
    const alone = normalized([call])
    for (const items of [
      [due, call],
      [call, due],
      [due, call, due],
    ])
      expect(normalized(items)).toBe(alone)
  })

  test('addresses of files, with the ID in them', () => {
    const names = new Names()
    const token = `0123456789${ONE}0123456789ab${'x'.repeat(22)}`
    const numbered = names.toNumbered(`http://server/files/${token}/a.png`)
    expect(numbered).toBe(`http://server/files/file-00000002-${FIRST}/a.png`)
    expect(names.toOwn(numbered)).toBe(`http://server/files/${token}/a.png`)
  })

  test('revisions, each separately, and those of parts', () => {
    const names = new Names()
    const text = names.toNumbered(`Revision 12. {"revision":"12-part"} ${JSON.stringify('{"revision":"7"}')}`)
    const [one, part, inText] = ['9000000001', '9000000002', '9000000003']
    expect(text).toBe(`Revision ${one}. {"revision":"${part}-part"} ${JSON.stringify(`{"revision":"${inText}"}`)}`)
    expect(names.toOwn(`${one} ${part}-part ${inText} 13`)).toBe('12 12-part 7 13')
  })

  test('random matches in an address are not replaced', () => {
    expect(new Names().toNumbered('**a** [b](http://server/f**i**les/x) **c**')).toBe(
      '**a** [b](http://server/files/x) **c**',
    )
  })
})

describe('answers', () => {
  const same = (one: object, other: object) =>
    firstDifference(normalize(answer(one), new Names()), normalize(answer(other), new Names()))

  test('are equal with other IDs in the same places', () => {
    expect(same({ items: [ONE, OTHER, ONE] }, { items: [OTHER, ONE, OTHER] })).toBeUndefined()
  })

  test('differ if something else is named, a value differs, or keys have another order', () => {
    expect(same({ items: [ONE, OTHER, ONE] }, { items: [ONE, OTHER, OTHER] })).toContain('at character')
    expect(same({ count: 1 }, { count: 2 })).toBe('at character 12 expected …{}\n{"count":1}…, found …{}\n{"count":2}…')
    expect(same({ a: 1, b: 2 }, { b: 2, a: 1 })).toContain('at character')
  })

  test('of errors are compared by code and paths, not by words', () => {
    const names = new Names()
    const body = { error: 'Expected a.', code: 'VALIDATION_ERROR', details: [{ path: 'a', message: 'Expected a.' }] }
    const normal = normalize(refusal(body), names)
    expect(normal).toBe('{"status":400,"error":"VALIDATION_ERROR","paths":["a"]}')
    expect(normalize(refusal({ ...body, error: 'Other words.' }), names)).toBe(normal)
    expect(normalize(refusal({ ...body, details: [{ path: 'b', message: 'Expected a.' }] }), names)).not.toBe(normal)
    expect(normalize(refusal({ ...body, code: 'CONFLICT' }), names)).not.toBe(normal)
    expect(normalize(answer(body), names)).not.toBe(normal)
  })
})
