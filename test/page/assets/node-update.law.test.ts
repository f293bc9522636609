/** What others change in a text must not move the caret of somebody who types in it. */
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { EditorState, TextSelection } from 'prosemirror-state'
import { expect, test } from 'vitest'
import { schema } from '../../../src/page/assets/model/editor-schema.ts'
import { besideCaret, updateNode } from '../../../src/page/assets/model/node-update.ts'
import { nodeOf } from '../../../src/page/assets/model/page-block.ts'

const docOf = (markdown: string, type: 'text' | 'table' = 'text') =>
  schema.nodes.doc.create(null, nodeOf({ id: '1', fields: { type }, markdown }))

/** @returns the document after it has become another one, and what stands before and after the caret */
function updated(before: Node, after: Node, caret: number): { doc: Node; sides: [string, string] } {
  const state = EditorState.create({ doc: before, selection: TextSelection.create(before, caret) })
  const { tr } = state
  besideCaret(tr, () => updateNode(tr, 0, before.child(0), after.child(0)))
  const { $head } = tr.selection
  const { parent, parentOffset } = $head
  return {
    doc: tr.doc,
    sides: [parent.textBetween(0, parentOffset), parent.textBetween(parentOffset, parent.content.size)],
  }
}

const word = fc.constantFrom(
  'one',
  'two',
  '**three**',
  '*four*',
  '`five`',
  '[six](https://a.example/)',
  'o\u0301ne',
  '漢字',
  '$x$',
)
const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '))

test('any text becomes any other one', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [before, after] = [docOf(one), docOf(other)]
      expect(updated(before, after, 1).doc.toJSON()).toEqual(after.toJSON())
    }),
  )
})

test('a caret within a word stays there, whatever is added around it', () => {
  fc.assert(
    fc.property(text, text, text, text, (start, mine, end, others) => {
      const before = docOf(`${start} xyz ${end}`)
      const after = docOf(`${others} ${start} ${mine} xyz ${end} ${others}`)
      const caret = 1 + before.textBetween(1, before.content.size - 1, '', '\ufffc').indexOf('xyz') + 2
      const { doc, sides } = updated(before, after, caret)
      expect(doc.toJSON()).toEqual(after.toJSON())
      expect(sides.map((side, index) => (index === 0 ? side.slice(-2) : side.slice(0, 1)))).toEqual(['xy', 'z'])
    }),
  )
})

test('a change of marks moves no caret', () => {
  expect(updated(docOf('one two three'), docOf('one **two** *three*'), 7).sides).toEqual(['one tw', 'o three'])
})

test('a caret in a row stays in it when others add and change rows', () => {
  const row = fc.tuple(word, word).map((cells) => `| ${cells.join(' | ')} |`)
  fc.assert(
    fc.property(fc.array(row, { maxLength: 3 }), fc.array(row, { maxLength: 3 }), (above, below) => {
      const lines = ['| A | B |', '| --- | --- |', ...above, '| mine | kept |', ...below]
      const before = docOf(lines.join('\n'), 'table')
      const after = docOf(
        [...lines.slice(0, 2), '| new | row |', ...lines.slice(2)].join('\n').replace('| mine', '| more mine'),
        'table',
      )
      let caret = 0
      before.descendants((node, position) => {
        if (node.isText && node.text === 'mine') caret = position + 2
      })
      const { doc, sides } = updated(before, after, caret)
      expect(doc.toJSON()).toEqual(after.toJSON())
      expect(sides).toEqual(['more mi', 'ne'])
    }),
  )
})

test('a text with very many changes is changed in one step, and a few changes are steps of their own', () => {
  const stepsFor = (count: number, change: (word: string) => string) => {
    const words = Array.from({ length: count }, (_, n) => `w${n}`)
    const before = docOf(words.join(' '))
    const after = docOf(words.map((word, n) => (n % 2 === 0 ? word : change(word))).join(' '))
    const { tr } = EditorState.create({ doc: before })
    updateNode(tr, 0, before.child(0), after.child(0))
    expect(tr.doc.toJSON()).toEqual(after.toJSON())
    return tr.steps.length
  }
  for (const change of [(word: string) => `${word}x`, (word: string) => `**${word}**`]) {
    expect(stepsFor(20, change)).toBe(10)
    expect(stepsFor(5_000, change)).toBeLessThan(250)
  }
})
