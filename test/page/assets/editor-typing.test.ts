/** What is typed: shortcuts, marks, steps of undo, and the IDs of what is pasted. */
import { undo } from 'prosemirror-history'
import { EditorState, Selection, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { describe, expect, test } from 'vitest'
import { blockIds } from '../../../src/page/assets/editor/block-ids.ts'
import { selectBlocks } from '../../../src/page/assets/editor/block-range.ts'
import { markdownOfSlice } from '../../../src/page/assets/editor/copied-blocks.ts'
import { emojiWithName } from '../../../src/page/assets/editor/emoji-names.ts'
import { linkBefore } from '../../../src/page/assets/editor/link-query.ts'
import { insertBlock, slashBefore } from '../../../src/page/assets/editor/slash-menu.ts'
import { addressOf } from '../../../src/page/assets/editor/text-marks.ts'
import { typingRules } from '../../../src/page/assets/editor/typing-rules.ts'
import { undoHistory } from '../../../src/page/assets/editor/undo-steps.ts'
import { apply, bullet, linesOf, openPage, press, text } from './editor-pages.ts'

/** Types letter by letter, as the view passes it to the rules. */
function type(state: EditorState, typed: string): EditorState {
  const rules = typingRules()
  let now = EditorState.create({
    doc: state.doc,
    selection: state.selection,
    plugins: [rules, blockIds(() => 'new'), undoHistory()],
  })
  const view = {
    composing: false,
    get state() {
      return now
    },
    dispatch: (transaction: Parameters<typeof apply>[1]) => {
      now = apply(now, transaction)
    },
  } as unknown as EditorView
  for (const letter of typed) {
    const { from, to } = now.selection
    const insert = () => now.tr.insertText(letter, from, to)
    if (!rules.props.handleTextInput?.call(rules, view, from, to, letter, insert)) view.dispatch(insert())
  }
  return now
}

describe('Markdown that is typed', () => {
  test.each([
    ['# Head', '1 # Head'],
    ['- a', '1 - a'],
    ['- [ ] a', '1 - [ ] a'],
    ['[x] a', '1 - [x] a'],
    ['1. a', '1 1. a'],
    ['24. Dez', '1 24\\. Dez'],
    ['a **bold** b', '1 a **bold** b'],
    ['a *i* b', '1 a *i* b'],
    ['a `c*d*` b', '1 a `c*d*` b'],
    ['a ~~s~~ b', '1 a ~~s~~ b'],
    ['a $x^2$ b', '1 a $x^2$ b'],
    ['a [w](https://a.org) b', '1 a [w](https://a.org) b'],
    ['a [w](javascript:x) b', '1 a [w\\](javascript:x) b'],
    ['2 * 3 * 4', '1 2 * 3 * 4'],
    ['snake_case_name', '1 snake_case_name'],
  ])('%s', (typed, line) => {
    const { doc } = type(openPage([text('[]')]), typed)
    expect(linesOf(doc)).toEqual([line])
  })

  test('bold is a mark, and what is typed after it is not', () => {
    const { doc } = type(openPage([text('[]')]), '**a**b')
    expect(doc.firstChild?.content.content.map(({ text, marks }) => [text, marks.length])).toEqual([
      ['a', 1],
      ['b', 0],
    ])
  })

  test('a number goes on with the list above', () => {
    const list = [text('a', { listStyle: 'numbered', number: 4 }), text('[]')]
    expect([type(openPage(list), '5. b'), type(openPage(list), '7. b')].map(({ doc }) => linesOf(doc)[1])).toEqual([
      '2 1. b',
      '2 7\\. b',
    ])
  })
})

test('undo takes back word by word', () => {
  let state = type(openPage([text('[]')]), 'one two three')
  const words: string[] = []
  for (let step = 0; step < 3; step++) {
    state = press(state, undo)
    words.push(state.doc.textContent)
  }
  expect(words).toEqual(['one two', 'one', ''])
})

describe('IDs', () => {
  test('what is pasted above with the same ID gets another one', () => {
    const state = openPage([text('a'), text('b')])
    const copy = state.doc.child(1)
    expect(linesOf(state.apply(state.tr.insert(0, copy)).doc)).toEqual(['n1 b', '1 a', '2 b'])
    expect(linesOf(state.apply(state.tr.insert(state.doc.content.size, copy)).doc)).toEqual(['1 a', '2 b', 'n2 b'])
  })
})

describe('what is copied', () => {
  test('a part of one text is inline Markdown, and blocks lose the indentation that all have', () => {
    const part = openPage([bullet('one [two] three')])
    const blocks = press(openPage([bullet('a'), bullet('b[]', 1)]), selectBlocks)
    expect([part, blocks].map(({ selection }) => markdownOfSlice(selection.content()))).toEqual(['two', '- b'])
  })

  test('a selection over two blocks', () => {
    const { selection } = openPage([text('on[e'), bullet('t]wo')])
    expect(markdownOfSlice(selection.content())).toBe('e\n\n- t')
  })
})

describe('what opens the menu of links', () => {
  const before = (typed: string) => {
    const state = openPage([text('')])
    return linkBefore(apply(state, state.tr.insertText(typed, 1)))?.query
  }
  test.each([
    ['[[', ''],
    ['see [[Harbour plan', 'Harbour plan'],
    ['see[[har', 'har'],
    ['@', ''],
    ['ask @an', 'an'],
    ['(@tomorrow', 'tomorrow'],
    ['anna@example', undefined],
    ['meet @ 5 pm', undefined],
    ['[[one]] two', undefined],
    ['[one', undefined],
  ])('%s', (typed, query) => {
    expect(before(typed)).toBe(query)
  })
})

test('emoji are found by their names, the nearest first', () => {
  expect(emojiWithName('smile', 2)).toEqual([
    { emoji: '😄', name: 'smile' },
    { emoji: '😃', name: 'smiley' },
  ])
})

describe('the slash', () => {
  test.each([
    ['/[]', ''],
    ['a /head[]', 'head'],
    ['a/b[]', undefined],
    ['/ more than twenty letters[]', undefined],
  ])('%s', (given, query) => {
    expect(slashBefore(openPage([text(given)]))?.query).toBe(query)
  })

  test('a block takes the place of an empty one, and the caret is in it', () => {
    const state = openPage([text('[]')])
    const table = { fields: { type: 'table' as const }, markdown: '|  |\n| --- |\n|  |' }
    const now = apply(state, insertBlock(state, table))
    expect([linesOf(now.doc), now.selection.$from.parent.type.name]).toEqual([
      ['n1 |  |\n| --- |\n|  |'],
      'table_header',
    ])
  })

  test('below a line there is a text for the caret', () => {
    const state = openPage([text('a[]')])
    const now = apply(state, insertBlock(state, { fields: { type: 'line' }, markdown: '---' }))
    expect([linesOf(now.doc), now.selection instanceof TextSelection]).toEqual([['1 a', 'n1 ---', 'n2 '], true])
    expect(now.selection.eq(Selection.atEnd(now.doc))).toBe(true)
  })
})

test.each([
  ['example.org', 'https://example.org'],
  ['a@b.org', 'mailto:a@b.org'],
  ['/d/1', '/d/1'],
  ['javascript:alert(1)', undefined],
  ['//evil.org', undefined],
  ['two words', undefined],
])('the address %s', (typed, address) => {
  expect(addressOf(typed)).toBe(address)
})
