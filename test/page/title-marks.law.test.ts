/** Marks of a title that is being edited: each remaining letter keeps its marks. */
import { EditorSelection, EditorState } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Title, TitleAttribute } from '../../src/markdown/inline-title.ts'
import {
  isSameTitle,
  onOneLine,
  titleEffects,
  titleIn,
  titleMarks,
  titleSaved,
  toggleTitleMark,
} from '../../src/page/assets/editing/text/title-marks.ts'
import { runs } from '../support/runs.ts'

const TYPES = ['bold', 'italic', 'code'] as const
const title = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', 'b', 'ő', ' ') }).chain((value) =>
  fc
    .array(fc.tuple(fc.constantFrom(...TYPES), fc.nat(value.length - 1), fc.nat(value.length)), { maxLength: 3 })
    .map((marks): Title => {
      const attributes = marks.flatMap(([type, one, other]): TitleAttribute[] =>
        one === other ? [] : [{ type, start: Math.min(one, other), end: Math.max(one, other) }],
      )
      return { value, attributes }
    }),
)
const edits = fc.array(fc.tuple(fc.nat(20), fc.nat(4), fc.constantFrom('', 'X', 'YZ')), { maxLength: 4 })

const stateOf = ({ value, attributes }: Title) => EditorState.create({ doc: value, extensions: titleMarks(attributes) })

/** The marks of each letter. */
const lettersOf = ({ value, attributes }: Title): string[] =>
  [...value].map((letter, place) => {
    const types = attributes.filter(({ start, end }) => start <= place && place < end).map(({ type }) => type)
    return `${letter} ${[...new Set(types)].sort()}`
  })

/** Letters from before: typed ones are in capitals. */
const staying = (letters: readonly string[]) => letters.filter((letter) => !/^[A-Z]/.test(letter))

interface Edit {
  from: number
  to: number
  insert: string
}

const editIn = (length: number, [at, count, insert]: readonly [number, number, string]): Edit => {
  const from = Math.min(at, length)
  return { from, to: Math.min(from + count, length), insert }
}

test('move with their letters', () => {
  fc.assert(
    fc.property(title, edits, (before, given) => {
      let state = stateOf(before)
      const letters = lettersOf(before)
      for (const edit of given) {
        const { from, to, insert } = editIn(state.doc.length, edit)
        state = state.update({ changes: { from, to, insert } }).state
        letters.splice(from, to - from, ...insert)
      }
      expect(staying(lettersOf(titleIn(state)))).toEqual(staying(letters))
    }),
    { numRuns: runs(300, 20_000) },
  )
})

test('apply to text typed inside of them, but not at their edges', () => {
  const state = stateOf({ value: 'The quay', attributes: [{ type: 'code', start: 4, end: 8 }] })
  const typed = (place: number) => titleIn(state.update({ changes: { from: place, insert: 'XY' } }).state).attributes
  expect(typed(4)).toEqual([{ type: 'code', start: 6, end: 10 }])
  expect(typed(5)).toEqual([{ type: 'code', start: 4, end: 10 }])
  expect(typed(8)).toEqual([{ type: 'code', start: 4, end: 8 }])
  const deleted = state.update({ changes: { from: 3, to: 8, insert: '.' } }).state
  expect(titleIn(deleted)).toEqual({ value: 'The.', attributes: [] })
})

test('of the server replace the previous ones, on the letters that remain', () => {
  fc.assert(
    fc.property(title, title, edits, ({ value, attributes }, { attributes: others }, given) => {
      const now = others.filter(({ end }) => end <= value.length)
      let [one, other] = [stateOf({ value, attributes }), stateOf({ value, attributes: now })]
      for (const edit of given) {
        const changes = editIn(one.doc.length, edit)
        one = one.update({ changes }).state
        other = other.update({ changes }).state
      }
      one = one.update({ effects: titleEffects(now, false) }).state
      expect(staying(lettersOf(titleIn(one)))).toEqual(staying(lettersOf(titleIn(other))))
    }),
    { numRuns: runs(300, 20_000) },
  )
})

describe('a title of the server', () => {
  test('comes with its marks, and later ones are counted from it', () => {
    let state = stateOf({ value: 'North', attributes: [{ type: 'bold', start: 0, end: 5 }] })
    state = state.update({ changes: { from: 0, insert: 'The ' } }).state
    const change = { from: 0, to: 9, insert: 'South quay' }
    const effects = titleEffects([{ type: 'code', start: 6, end: 10 }], true)
    state = state.update({ changes: change, effects }).state
    expect(titleIn(state)).toEqual({ value: 'South quay', attributes: [{ type: 'code', start: 6, end: 10 }] })
    state = state.update({ changes: { from: 0, insert: 'A ' } }).state
    state = state.update({ effects: titleEffects([{ type: 'italic', start: 0, end: 5 }], false) }).state
    expect(titleIn(state)).toEqual({ value: 'A South quay', attributes: [{ type: 'italic', start: 2, end: 7 }] })
  })
})

describe('a shortcut', () => {
  const range = fc.tuple(fc.nat(12), fc.nat(12))
  const selecting = (state: EditorState, [one, other]: readonly [number, number]) => {
    const { length } = state.doc
    const selection = EditorSelection.single(Math.min(one, length), Math.min(other, length))
    return state.update({ selection }).state
  }
  const pressing = (state: EditorState, type: (typeof TYPES)[number]) =>
    state.update(toggleTitleMark(state, type)).state
  const typing = (state: EditorState, insert: string) =>
    state.update(state.replaceSelection(insert), { userEvent: 'input.type' }).state

  test('marks the whole selection, or nothing if all was marked, and no other letter', () => {
    fc.assert(
      fc.property(title, range, fc.constantFrom(...TYPES), (before, place, type) => {
        const state = selecting(stateOf(before), place)
        const { from, to } = state.selection.main
        fc.pre(from < to)
        const had = (given: Title) => lettersOf(given).map((letter) => letter.slice(1).includes(type))
        const now = titleIn(pressing(state, type))
        const wanted = !had(before).slice(from, to).every(Boolean)
        expect(had(now)).toEqual(had(before).map((is, index) => (from <= index && index < to ? wanted : is)))
        const others = ({ value, attributes }: Title) =>
          lettersOf({ value, attributes: attributes.filter((one) => one.type !== type) })
        expect(others(now)).toEqual(others(before))
        expect(had(titleIn(pressing(pressing(state, type), type))).slice(from, to)).toEqual(
          Array.from({ length: to - from }, () => !wanted),
        )
      }),
      { numRuns: runs(300, 20_000) },
    )
  })

  test('without a selection applies to the next letters, until the caret moves', () => {
    let state = selecting(stateOf({ value: 'The quay', attributes: [] }), [8, 8])
    state = typing(pressing(typing(pressing(typing(state, ' is'), 'bold'), ' n'), 'italic'), 'ew')
    expect(titleIn(state)).toEqual({
      value: 'The quay is new',
      attributes: [
        { type: 'bold', start: 11, end: 15 },
        { type: 'italic', start: 13, end: 15 },
      ],
    })
    state = typing(selecting(selecting(state, [0, 0]), [15, 15]), '!')
    expect(titleIn(state).attributes[0]).toEqual({ type: 'bold', start: 11, end: 15 })
    expect(titleIn(typing(pressing(selecting(state, [13, 13]), 'bold'), '_'))).toEqual({
      value: 'The quay is n_ew!',
      attributes: [
        { type: 'bold', start: 11, end: 13 },
        { type: 'italic', start: 14, end: 16 },
        { type: 'bold', start: 14, end: 16 },
      ],
    })
  })

  test('keeps its mark when others change the marks or the text', () => {
    let state = pressing(selecting(stateOf({ value: 'North quay', attributes: [] }), [6, 10]), 'bold')
    state = state.update({ effects: titleEffects([{ type: 'code', start: 0, end: 5 }], false) }).state
    expect(titleIn(state).attributes).toEqual([
      { type: 'code', start: 0, end: 5 },
      { type: 'bold', start: 6, end: 10 },
    ])
    state = state.update({ changes: { from: 0, insert: 'The ' }, effects: titleEffects([], true) }).state
    expect(titleIn(state)).toEqual({ value: 'The North quay', attributes: [{ type: 'bold', start: 10, end: 14 }] })
    state = state.update({ effects: titleSaved() }).state
    state = state.update({ effects: titleEffects([], false) }).state
    expect(titleIn(state).attributes).toEqual([])
  })
})

test('titles are equal in any order of their marks', () => {
  const attributes: TitleAttribute[] = [
    { type: 'bold', start: 0, end: 5 },
    { end: 5, start: 0, type: 'link', url: 'https://a.example' },
  ]
  const one: Title = { value: 'North', attributes }
  expect(isSameTitle(one, { value: 'North', attributes: attributes.toReversed() })).toBe(true)
  expect(isSameTitle(one, { value: 'North', attributes: attributes.slice(1) })).toBe(false)
  expect(isSameTitle(one, { value: 'South', attributes })).toBe(false)
})

test('a title becomes one line without spaces around it', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\t') }), (text) => {
      const state = EditorState.create({ doc: text })
      expect(state.update({ changes: onOneLine(text) }).newDoc.toString()).toBe(text.replace(/\s+/g, ' ').trim())
    }),
    { numRuns: runs(300, 20_000) },
  )
})
