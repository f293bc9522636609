/** What is pasted into a cell stands in one line, and nothing of it is left out. */
import { EditorState, TextSelection } from 'prosemirror-state'
import { expect, test } from 'vitest'
import { readMarkdown } from '../../../src/markdown/read-markdown.ts'
import { blockMarkdown } from '../../../src/markdown/write-markdown.ts'
import { insertPasted, nodesOf } from '../../../src/page/assets/editor/pasted-blocks.ts'
import { schema } from '../../../src/page/assets/model/editor-schema.ts'
import { blockOf, nodeOf } from '../../../src/page/assets/model/page-block.ts'

test.each([
  ['two\n\n**lines**', 'two **lines**'],
  ['| a | b |\n| --- | --- |\n| c | d |', 'a b c d'],
  ['text\n\n![alt](https://a.example/b.png)', 'text ![alt](https://a.example/b.png)'],
])('%j', (markdown, cell) => {
  const table = nodeOf({ id: '1', fields: { type: 'table' }, markdown: '| h |\n| --- |\n|  |' })
  const doc = schema.nodes.doc.create(null, [table])
  const state = EditorState.create({ doc })
  const inside = state.apply(state.tr.setSelection(TextSelection.atEnd(doc)))
  const { doc: now } = inside.apply(insertPasted(inside, nodesOf(readMarkdown(markdown), blockMarkdown)))
  const shown = now.firstChild?.lastChild?.textContent
  expect([shown, now.firstChild && blockOf(now.firstChild).markdown.split('\n').length]).toEqual([
    cell.replaceAll('**', ''),
    3,
  ])
})
