/** HTML as imports and pages convert it. What programs put on the clipboard is in `test/page/pasted`. */
import { describe, expect, test } from 'vitest'
import { htmlBlocks } from '../../src/html/html-blocks.ts'
import { pageContext } from '../../src/html/page-elements.ts'
import { parseHtml } from '../../src/import/html/parse-html.ts'
import { writeMarkdown } from '../../src/markdown/write-markdown.ts'

const markdown = (html: string): string => {
  const media = (url: string, altText: string) => ({
    type: 'image' as const,
    text: '',
    url,
    ...(altText !== '' && { altText }),
  })
  const blocks = htmlBlocks(parseHtml(html).children, { ...pageContext(() => {}), addressOf: (href) => href, media })
  return writeMarkdown(blocks)
}

describe('formatting', () => {
  test.each([
    ['by style', '<p style="font-weight:bold">a <span style="font-weight:normal">b</span></p>', '**a** b'],
    ['around paragraphs', '<em><p>a</p><p>b</p></em>', '*a*\n\n*b*'],
    ['a link around paragraphs', '<a href="https://x.org"><p>a</p></a>', '[a](<https://x.org>)'],
    ['that a style takes away', '<b style="font-weight:400">a</b> <i style="font-style:normal">b</i>', 'a b'],
    ['below the line, by style', '<p>H<span style="vertical-align:sub">2</span>O</p>', 'H<sub>2</sub>O'],
    [
      'of links, which are underlined',
      '<a href="https://x.org" style="text-decoration:underline">a</a> b',
      '[a](https://x.org) b',
    ],
    ['of headings, which are bold', '<h2><b>a</b></h2><h2>a <b>b</b></h2>', '## a\n\n## a **b**'],
    ['of elements that browsers do not know', '<p><b>a<o:p></o:p></b></p>', '**a**'],
    ['with the line ends of the text', '<p style="white-space:pre-wrap">a\nb</p><p>a\nb</p>', 'a\\\nb\n\na b'],
  ])('%s', (_, html, expected) => expect(markdown(html)).toBe(expected))

  test('two line breaks begin a paragraph, also within marks', () => {
    expect(markdown('<p><b>a<br><br>b</b></p>')).toBe('**a**\n\n**b**')
    expect(markdown('<p><u>a<br> <br>b</u></p>')).toBe('<u>a</u>\n\n<u>b</u>')
  })
})

describe('tables', () => {
  test('a merged cell stands once, and its other places are empty', () => {
    const html = '<table><tr><th rowspan="2">a<th colspan="2">b<tr><th>c<th>d<tr><td>1<td>2<td>3</table>'
    expect(markdown(html)).toBe('| a | b |  |\n| --- | --- | --- |\n|  | c | d |\n| 1 | 2 | 3 |')
  })

  test('merged cells past the end of the table, and numbers that are none, do no harm', () => {
    const html = '<table><tr><td rowspan="99">a<td colspan="0">b<tr><td colspan="9">c<tr><td colspan="-1">d</table>'
    expect(markdown(html)).toBe('| a | b |\n| --- | --- |\n|  | c |\n|  | d |')
  })

  test('lines, lists and headings of a cell are lines of it', () => {
    const html = '<table><tr><td>a<td>b<tr><td><p>1<p>2<td><h3>x</h3><ul><li>y<li>z</ul></table>'
    expect(markdown(html)).toBe('| a | b |\n| --- | --- |\n| 1<br>2 | x<br>y<br>z |')
  })

  test('a table of one cell is its content, and a caption stands before the table', () => {
    expect(markdown('<table><tr><td><ul><li>a<li>b</ul></table>')).toBe('- a\n- b')
    expect(markdown('<table><caption>c</caption><tr><td>a<td>b</table>')).toBe('c\n\n| a | b |\n| --- | --- |')
  })

  test('too many merged cells are refused before they are made', () => {
    const row = `<tr>${'<td colspan="1000">a'.repeat(70)}`
    expect(() => markdown(`<table>${row}</table>`)).toThrow('Expected tables of at most 65,536 cells, found one of')
  })
})

describe('lists', () => {
  test('texts beside items are kept', () => {
    expect(markdown('<ul>a<li>b</li>c</ul>')).toBe('a\n\n- b\n\n  c')
  })

  test('boxes make tasks, in items and outside of lists', () => {
    const box = '<input type="checkbox" checked>'
    expect(markdown(`<ul><li><p>${box} a</p><p>b</p></li></ul><p>${box} c</p>`)).toBe('- [x] a\n\n  b\n\n- [x] c')
  })

  test('paragraphs of Word are items by their style', () => {
    const item = (level: number, mark: string, text: string) =>
      `<p style='mso-list:l0 level${level} lfo1'><span style='mso-list:Ignore'>${mark}<span>&nbsp; </span></span>${text}</p>`
    const html = [item(1, '1.', 'a'), item(2, 'a)', 'b'), item(2, 'b)', 'c'), item(1, '2.', 'd'), item(1, '§', 'e')]
    expect(markdown(html.join(''))).toBe('1. a\n  1. b\n  1. c\n1. d\n- e')
  })
})

describe('code', () => {
  test('has the lines that elements stand for', () => {
    expect(markdown('<pre><div>a</div><div><br></div><div>b</div></pre>')).toBe('```\na\n\nb\n```')
    expect(markdown('<pre>a<br>b</pre>')).toBe('```\na\nb\n```')
  })

  test('has the language of the elements around it', () => {
    expect(markdown('<div class="highlight-source-js"><pre>a</pre></div>')).toBe('```js\na\n```')
  })
})

test('what stands in a heading beside text follows it', () => {
  expect(markdown('<h1>a<img src="https://x.org/i.png">b</h1>')).toBe('# a b\n\n![](https://x.org/i.png)')
})

describe('what is shown stays', () => {
  test.each([
    ['the quotation marks of quotes', '<p>a <q>b <b>c</b></q></p>', 'a \u201Cb **c**\u201D'],
    [
      'each caption of a table',
      tableWith('<caption>a</caption><caption>b</caption>'),
      'a\n\nb\n\n| x | y |\n| --- | --- |',
    ],
    [
      'boxes and numbers in cells',
      '<table><tr><td><ul><li><input type="checkbox" checked> a<li><input type="checkbox"> b</ul><td><ol start="3"><li>c',
      '| ☑ a<br>☐ b | 3. c |\n| --- | --- |',
    ],
    ['the lines of code in cells', '<table><tr><td><pre>a\nb</pre><td>c', '| `a`<br>`b` | c |\n| --- | --- |'],
    [
      'words in marks of Word',
      '<p style="mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">Article 5:<span>&nbsp;</span></span>a</p>',
      '- Article 5: a',
    ],
  ])('%s', (_, html, expected) => expect(markdown(html)).toBe(expected))

  test('details and tables do not take the titles of those in them', () => {
    expect(markdown('<details>a<details><summary>b</summary>c</details></details>')).toBe(
      '+ <br>\n\n  a\n\n  + b\n\n    c',
    )
    const inner = tableWith('<caption>a</caption>')
    expect(markdown(`<table><tr><td>${inner}</td><td>z</td></tr></table>`)).toBe(
      '| a | z |\n| --- | --- |\n\n| x | y |\n| --- | --- |',
    )
  })
})

function tableWith(caption: string): string {
  return `<table>${caption}<tr><td>x</td><td>y</td></tr></table>`
}
