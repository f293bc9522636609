/** Titles in the editor: the same characters with the same marks come back. */
import fc from 'fast-check'
import { EditorState } from 'prosemirror-state'
import { expect, test } from 'vitest'
import { readTitle, type Title, type TitleAttribute, writeTitle } from '../../../src/markdown/inline-title.ts'
import { contentOfTitle, isSameTitle, titleOfContent } from '../../../src/page/assets/editor/title-content.ts'
import { schema } from '../../../src/page/assets/model/editor-schema.ts'
import { runs } from '../../support/runs.ts'

const mark = fc.oneof(
  fc.constantFrom('bold', 'italic', 'strikethrough', 'code').map((type) => ({ type })),
  fc.constantFrom('https://a.example', 'mailto:a@b.example').map((url) => ({ type: 'link', url })),
  fc.constant({ type: 'blockLink', blockId: '12' }),
  fc.constant({ type: 'dateLink', date: '2026-03-01' }),
  fc.constant({ type: 'highlight', color: 'green' }),
  fc.constant({ type: 'commentMarker', markerId: '7' }),
)
const title = fc
  .string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', 'b', 'ő', ' ', '*', '$', '<') })
  .chain((value) =>
    fc.array(fc.tuple(mark, fc.nat(value.length), fc.nat(value.length)), { maxLength: 4 }).map((marks): Title => {
      const attributes = marks.flatMap(([kind, one, other]) =>
        one === other ? [] : [{ ...kind, start: Math.min(one, other), end: Math.max(one, other) } as TitleAttribute],
      )
      return { value, attributes }
    }),
  )

test('a title that is not changed stays as it is', () => {
  fc.assert(
    fc.property(title, (given) => {
      // As the server stores it.
      const stored = readTitle(writeTitle(given))
      const now = titleOfContent(contentOfTitle(stored))
      expect(writeTitle(now)).toBe(writeTitle(stored))
      expect(isSameTitle(now, stored)).toBe(true)
    }),
    { numRuns: runs(300, 20_000) },
  )
})

test('marks stay on their characters while others are typed', () => {
  const stored = readTitle('**bold** and `code`')
  const doc = schema.nodes.text_block.create(null, contentOfTitle(stored))
  let state = EditorState.create({ doc })
  state = state.apply(state.tr.insertText('very ', 0))
  state = state.apply(state.tr.insertText(' more', state.doc.content.size))
  const { value } = titleOfContent(state.doc.content)
  expect(value).toBe('very bold and code more')
  expect(writeTitle(titleOfContent(state.doc.content))).toMatch(/\*\*.*bold\*\* and `code.*`/)
})

test('a title with more marks than can be stored is compared, not refused', () => {
  const value = 'ab '.repeat(400)
  const attributes = Array.from(
    { length: 400 },
    (_, at): TitleAttribute => ({ type: 'bold', start: 3 * at, end: 3 * at + 1 }),
  )
  expect(isSameTitle({ value, attributes }, { value, attributes: attributes.toReversed() })).toBe(true)
  expect(isSameTitle({ value, attributes }, { value, attributes: attributes.slice(1) })).toBe(false)
})
