import { describe, expect, test } from 'vitest'
import { lossesIn } from '../../src/losses/losses-in.ts'
import type { ItemKind } from '../../src/losses/visible-item.ts'
import type { Block } from '../../src/markdown/block.ts'

const text = (text: string, fields: Partial<Block> = {}): Block => ({ type: 'text', text, ...fields })
const found = (source: string, result: string | Block[]) =>
  lossesIn(source, result).map(({ kind, value, line }) => `${kind} ${value} in line ${line}`)

/** For each kind: a source, a result that lost something of it, and the loss. */
const PLANTED: Readonly<Record<ItemKind, [source: string, result: string | Block[], loss: string][]>> = {
  word: [
    ['one two\n\nthree', 'one\n\nthree', 'word two in line 1'],
    ['# one\n\n- two\n  three', [text('one', { textStyle: 'h1' }), text('two')], 'word three in line 4'],
    ['**注意：**正文', [text('**注意：**')], 'word 正文 in line 1'],
    ['a ![a drawing](x.png)', 'a ![a](x.png)', 'word drawing in line 1'],
    ['note[^1]\n\n[^1]: footer', 'note[^1]\n\n[^1]:', 'word footer in line 3'],
    ['<div>in a block</div>', [text('in a')], 'word block in line 1'],
    ['done 👍', [text('done')], 'word 👍 in line 1'],
    ['the same the', [text('the same')], 'word the in line 1'],
    ['> [!tip] Title\n> a', [text('\\[!tip\\] a', { decorations: { quote: true } })], 'word Title in line 1'],
    [
      '<callout title="The title">a</callout>',
      [text('a', { decorations: { callout: [{ starts: true, title: 'The' }] } })],
      'word title in line 1',
    ],
    ['<callout title="The title">\na\n</callout>', '<callout>\na\n</callout>', 'word title in line 1'],
  ],
  number: [
    ['24. Dezember', [text('Dezember', { listStyle: 'numbered' })], 'number 24 in line 1'],
    ['1. a\n2. b\n\ntext\n\n3. c', '1. a\n2. b\n\ntext\n\n1. c', 'number 3 in line 6'],
    ['- 18. september', [text('september', { listStyle: 'bullet' })], 'number 18 in line 1'],
    ['am 26 Mai', 'am Mai', 'number 26 in line 1'],
    ['5) a\n6) b', [text('a', { listStyle: 'numbered' }), text('b', { listStyle: 'numbered' })], 'number 5 in line 1'],
  ],
  hashtag: [['a #tag here', '# tag\n\na here', 'hashtag #tag in line 1']],
  task: [
    ['- [x] a', '- [ ] a', 'task done in line 1'],
    ['1. [ ] a', [text('a', { listStyle: 'numbered' })], 'task todo in line 1'],
  ],
  date: [
    [
      '- [ ] a 📅 2026-12-01',
      [text('a', { listStyle: 'task', taskInfo: { state: 'todo' } })],
      'date 2026-12-01 in line 1',
    ],
    [
      '- [x] a ✅ 2026-12-01',
      [text('a', { listStyle: 'task', taskInfo: { state: 'done', completedAt: '2026-12-02T00:00:00.000Z' } })],
      'date 2026-12-01 in line 1',
    ],
    [
      '- [ ] a [due:: 2026-12-01] 🔁 every week',
      [text('a', { listStyle: 'task', taskInfo: { state: 'todo', deadlineDate: '2026-12-01' } })],
      'date repeat in line 1',
    ],
  ],
  link: [
    ['[a](https://b.example)', 'a', 'link https://b.example in line 1'],
    ['[a][b]\n\n[b]: /c', [text('a')], 'link /c in line 1'],
    ['x\n\n<iframe src="https://v.example/1"></iframe>', [text('x')], 'link https://v.example/1 in line 3'],
  ],
  image: [
    ['words ![a](b.png)', 'words a', 'image b.png in line 1'],
    ['![a][b]\n\n[b]: c.png', [text('a')], 'image c.png in line 1'],
    ['<p><img src="d.png" alt="a"></p>', [text('a')], 'image d.png in line 1'],
  ],
  code: [['```\nlet a\n  b\n```', 'let a b', 'code let a\n  b in line 1']],
  language: [
    ['```toml\na\n```', '```other\na\n```', 'language toml in line 1'],
    ['```js {1,3} title="x"\na\n```', '```js\na\n```', 'language js {1,3} title="x" in line 1'],
    ['> ~~~c\n> a\n> ~~~', [{ type: 'code', text: 'a', language: 'other' }], 'language c in line 1'],
  ],
  formula: [
    ['a $x^2$ b', 'a x^2 b', 'formula x^2 in line 1'],
    ['```math_formula\na_1 + b\n```', '```\na_1 + b\n```', 'formula a_1+b in line 1'],
    ['$$\na_1 + b\n$$', '```tex\na_1 + b\n```', 'formula a_1+b in line 1'],
    ['| $y$ |\n| - |', '| y |\n| - |', 'formula y in line 1'],
  ],
  cell: [
    ['| a | b |\n| - | - |\n| 1 | 2 | 3 |', '| a | b |\n| - | - |\n| 1 | 2 |\n\n3', 'cell 3 in line 3'],
    ['| a |\n| - |\n| one two |', [text('a one two')], 'cell a in line 1'],
    ['| a | b |\n| - | - |\n| 1 | 2 |', '| a | b |\n| - | - |\n| 1 2 | |', 'cell 2 in line 3'],
  ],
  tag: [
    ['H<sub>2</sub>O', 'H2O', 'tag sub in line 1'],
    ['| a |\n| - |\n| one<br>two |', '| a |\n| - |\n| one\\<br>two |', 'tag br in line 3'],
  ],
  comment: [
    ['a\n\n<!-- ask legal -->', 'a', 'comment ask legal in line 3'],
    ['a <!-- ask legal --> b', [text('a b')], 'comment ask legal in line 1'],
  ],
}

describe('a planted loss is found', () => {
  for (const [kind, cases] of Object.entries(PLANTED)) {
    test.each(cases)(`${kind}: %j`, (source, result, loss) => expect(found(source, result)).toContain(loss))
  }
})

/** Sources, and results that show the same in another way. */
const KEPT: readonly [source: string, result: string | Block[]][] = [
  ['24. Dezember', '24\\. Dezember'],
  ['24. Dezember', [text('24. Dezember')]],
  ['- a\n\n1. b\n2. c', [text('a'), text('b', { listStyle: 'numbered' }), text('c', { listStyle: 'numbered' })]],
  [
    '1. a\n   - x\n2. b',
    ['numbered', 'bullet', 'numbered'].map((listStyle, index) =>
      text(['a', 'x', 'b'][index] ?? '', {
        listStyle: listStyle as 'bullet',
        ...(listStyle === 'bullet' && { indentationLevel: 1 }),
      }),
    ),
  ],
  ['**注意：**正文', '**注意**：正文'],
  ['a*b*c', [text('a\\*b\\*c')]],
  ['café', 'cafe\u0301'],
  ['_i_ &amp; x', '*i* & x'],
  ['[a](b%20c)', '[a](<b c>)'],
  ['[a](v.mp4)', [{ type: 'video', text: '', url: 'v.mp4', altText: 'a' }]],
  ['    code\n\n', '```\ncode\n```'],
  ['```math_formula\na_1 + b\n```', '$$\na_1 + b\n$$'],
  ['```js  {1,3}\na\n```', [{ type: 'code', text: 'a', language: 'javascript', info: 'js  {1,3}' }]],
  ['```f&ouml;\\+ a\n```', [{ type: 'code', text: '', language: 'other', info: 'f&ouml;\\+ a' }]],
  ['$$ a\nb $$', [{ type: 'code', text: 'ab', language: 'math_formula' }]],
  ['$5 and $10, or `$a$`', '\\$5 and \\$10, or `$a$`'],
  ['| a | |\n| - | - |\n| 1 |', [{ type: 'table', text: '| a |  |\n| --- | --- |\n| 1 |  |' }]],
  ['# a\n\n- b', [{ type: 'page', text: 'a', content: [text('b')] }]],
  ['[x]: /unused\n\na', 'a'],
  ['<script>let a</script>', ''],
  [
    '<callout title="The title">\n\na\n\n</callout>',
    [text('a', { decorations: { callout: [{ starts: true, title: 'The title' }] } })],
  ],
  ['> [!tip] Title\n> a', [text('a', { decorations: { callout: [{ starts: true, title: 'Title', icon: 'tip' }] } })]],
  ['| a |\n| - |\n| b <a href="u"></a> |', '| a |\n| - |\n| b [u](u) |'],
  ['# 1. a', [text('1\\. a', { textStyle: 'h1' })]],
]

describe('what is only written in another way is no loss', () => {
  test.each(KEPT)('%j', (source, result) => expect(found(source, result)).toEqual([]))
})
