/** What is lost in an import is reported by line, for every format, without any list of what may be lost. */
import { describe, expect, test } from 'vitest'
import { checkLosses } from '../../src/import/check-losses.ts'
import type { ImportProblem } from '../../src/import/import-source.ts'
import { compareQuickly } from '../../src/losses/compare-quickly.ts'
import { compareSource } from '../../src/losses/compare-source.ts'
import type { Dialect } from '../../src/losses/note-text.ts'
import type { Block } from '../../src/markdown/block.ts'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { plainContent } from '../../src/space/import/imported-content.ts'
import { PLANTED } from '../prove/cases/planted-losses.ts'
import { imported, problemLines } from './importing.ts'

const check = (source: string, blocks: Block[], language: Dialect | 'html' = 'note'): Promise<ImportProblem[]> =>
  checkLosses({
    ...{ path: 'a.md', source, language, linesBefore: 3, content: plainContent(blocks), problems: [] },
    endOf: ({ value }) => ({ address: value }),
  })
const shown = ({ line, kind, message, detail }: ImportProblem) => `${line} ${kind}: ${message} (${detail})`

describe('each kind of loss has a line, a sentence and what is missing', () => {
  const text = (text: string, fields: Partial<Block> = {}): Block => ({ type: 'text', text, ...fields })
  test.each<[string, Block[], string]>([
    [
      'one\n\ntwo three four',
      [text('one'), text('three')],
      '6 left out: Words are missing in the document. (two four)',
    ],
    ['5. a', [text('a')], '4 left out: Numbers are missing in the document. (5)'],
    ['- [x] a', [text('a')], '4 changed: A task lost its box or its state. (done)'],
    [
      '- [ ] a 📅 2026-12-01',
      [text('a', { listStyle: 'task', taskInfo: { state: 'todo' } })],
      '4 left out: A date or the repetition of a task is missing in the document. (2026-12-01)',
    ],
    ['[a](https://b.example)', [text('a')], '4 left out: A link is missing in the document. (https://b.example)'],
    ['a ![](c.png)', [text('a')], '4 left out: An image is missing in the document. (c.png)'],
    ['a [[b|c]]', [text('a c')], '4 left out: A link is missing in the document. ([[b|c]])'],
    ['```\na  b\n```', [{ type: 'code', text: 'a b' }], '4 changed: Code was not kept as it is. (a b)'],
    [
      '```toml\na\n```',
      [{ type: 'code', text: 'a' }],
      '4 left out: The words after a code fence are missing in the document. (toml)',
    ],
    ['a $x^2$', [text('a x^2')], '4 changed: A formula was not kept as it is. (x^2)'],
    [
      'a<br>b',
      [text('a b')],
      '4 changed: An HTML tag is not one in the document: its text is there, or the tag as it is written. (br)',
    ],
    [
      'a <h1>b</h1> <i>c</i>',
      [text('a \\<h1>b\\</h1> \\<i>c\\</i>')],
      '4 changed: An HTML tag is not one in the document: its text is there, or the tag as it is written. (h1 i)',
    ],
    [
      'a <template>b</template>',
      [text('a \\<template>b\\</template>')],
      '4 changed: An HTML tag is not one in the document: its text is there, or the tag as it is written. (template)',
    ],
    [
      '<script>a</script>',
      [text('')],
      '4 changed: An HTML tag is not one in the document: its text is there, or the tag as it is written. (script)',
    ],
    [
      '<table><tr><td>a</td></tr></table>',
      [text('a')],
      '4 changed: An HTML tag is not one in the document: its text is there, or the tag as it is written. (table)',
    ],
    [
      '<p align="center">a</p>',
      [text('a')],
      '4 changed: An HTML tag is not one in the document: its text is there, or the tag as it is written. (p align)',
    ],
    ['a <!-- b -->', [text('a')], '4 left out: An HTML comment is missing in the document. (b)'],
    ['a #b', [text('a b')], '4 changed: A tag is no longer one. (#b)'],
    [
      '> [!tip] a',
      [text('a', { decorations: { callout: true } })],
      '4 left out: Words are missing in the document. (tip)',
    ],
  ])('%s', async (source, blocks, problem) => {
    expect((await check(source, blocks)).map(shown)).toEqual([problem])
  })
})

test('HTML that blocks and marks stand for is no loss', async () => {
  const source =
    '<div><h2>a</h2><ul><li>b <b>c</b></li></ul></div>\n\n<p><a href="https://d.example">d</a></p>\n\n<img src="https://e.example/f.png"> <kbd>g</kbd> <a href="https://h.example">h</a>\n'
  const { report } = await imported({ 'a.md': source })
  expect(problemLines(report)).toEqual([])
})

test('what a note has beside CommonMark is no loss', async () => {
  const { report } = await imported({
    '.obsidian/app.json': '{}',
    'a.md':
      '# A\n\nTo [[b]], [[b#B|words]], [b](b.md#B), ![[c.png]] and ![](c.png). ^id\n\n%% a comment %%\n\n- [ ] x 📅 2026-12-01 🔁 every week\n- [x] y ✅ 2026-12-02\n\n> [!note]- Title\n> in\n\n$$\na^2\n$$\n\n`[[code]]`\n',
    'b.md': '# B\n\n![[a#^id]]\n',
    'c.png': Buffer.from('89504e470d0a1a0a', 'hex'),
  })
  expect(problemLines(report).filter((line) => / is missing| are missing|kept as it is\.$/.test(line))).toEqual([])
})

test('HTML is compared by its words, links and images', async () => {
  const html =
    '<en-note><div>one <b>tw</b>o</div>\n<a href="https://b.example">three</a><img src="https://c.example/d.png"/></en-note>'
  const problems = await check(html, [{ type: 'text', text: 'one' }], 'html')
  expect(problems.map(shown)).toEqual([
    '4 left out: Words are missing in the document. (tw o)',
    '5 left out: Words are missing in the document. (three)',
    '5 left out: A link is missing in the document. (https://b.example)',
    '5 left out: An image is missing in the document. (https://c.example/d.png)',
  ])
  expect(
    await check(
      html,
      [
        { type: 'text', text: 'one **tw**o [three](https://b.example)' },
        { type: 'image', text: '', url: 'https://c.example/d.png' },
      ],
      'html',
    ),
  ).toEqual([])
})

test('a line with a problem has no second one for its link', async () => {
  const { report } = await imported({ 'a.md': '[see [[b]] here](https://c.example)\n', 'b.md': 'x\n' })
  expect(problemLines(report)).toEqual([
    'a.md:1 changed: A link around a link is kept as text with its address, since no link holds another.',
  ])
})

describe('the quick look finds no loss where remark finds one', () => {
  const SOURCE =
    '# One\n\nSome *words* and [link](https://a.example) #tag, see https://b.example.\n\n- [ ] two 📅 2026-12-01\n- [x] three\n  - four `code`\n\n5. five\n6. six\n\n```toml title\na = 1\n\n  b = 2\n```\n\n> quote ==seven== $x^2$\n\n> [!tip]- Title\n> eight\n\n> [!NOTE]\n> nine\n\n$$\na^2\n$$\n\n![alt](https://c.example/d.png)\n\n| head | two |\n| --- | :-: |\n| `a\\|b` | ten &amp; more &euro; |\n| last |\n\n1. first\n1. second\n   1. inner\n1. third\n\ntext[^1]\n\n[^1]: a note\n\n    indented\n      code\n\n- ten\n\n  ~~~js\n  b\n    c\n  ~~~\n\n[words][def], [other]\n\n[def]: https://e.example\n[other]: <https://f.example> "title"\n\n<!-- a comment -->\n'
  const imports = (blocks: Block[]) => ({
    ...{ source: SOURCE, language: 'note' as const, blocks, addresses: new Map(), beside: [] },
  })
  const whole = () => readMarkdown(CALLOUTS(SOURCE))
  const CALLOUTS = (source: string) =>
    source
      .replace('> [!tip]- Title\n> eight', '<callout icon="tip" title="Title" folded="true">\neight\n\n</callout>')
      .replace('> [!NOTE]\n> nine', '<callout>nine</callout>')

  test('all of it is there', () => {
    expect(compareQuickly(imports(whole()))?.losses).toEqual([])
    expect(compareSource(imports(whole())).losses).toEqual([])
  })

  // The import compares addresses itself.
  const inText = Object.entries(PLANTED).filter(([what]) => what !== 'an address')
  test.each(inText)('without %s', (_, lose) => {
    let count = 0
    for (const [index, block] of whole().entries()) {
      const less = lose(block)
      if (less === undefined) continue
      const blocks = whole().with(index, less)
      if (compareSource(imports(blocks)).losses.length === 0) continue
      count++
      expect(compareQuickly(imports(blocks))).toBeUndefined()
    }
    expect(count).toBeGreaterThan(0)
  })

  test('without any of its blocks', () => {
    for (const index of whole().keys()) {
      const blocks = whole().toSpliced(index, 1)
      if (compareSource(imports(blocks)).losses.length > 0) expect(compareQuickly(imports(blocks))).toBeUndefined()
    }
  })
})
