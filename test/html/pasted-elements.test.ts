/** Elements of web pages that are pasted or imported: formulas, choices, frames, and numbers of lines beside code. */
import { describe, expect, test } from 'vitest'
import { convertPasted } from '../../src/html/pasted/convert-pasted.ts'
import { parseStyledHtml } from '../../src/import/html/parse-html.ts'
import { notKeptSentences } from '../../src/page/assets/pasted/not-kept.ts'

const paste = (html: string) => {
  const pasted = convertPasted(parseStyledHtml(html))
  return { ...pasted, notKept: notKeptSentences(pasted.notKept) }
}
const markdown = (html: string): string => {
  const pasted = paste(html)
  expect(pasted.notKept).toEqual([])
  return pasted.markdown
}

test.each([
  ['the chosen option', '<select><option>S<option selected>M<option>L</select>', 'M'],
  ['the first option', '<select><option disabled>Size<option>S<option>M</select>', 'S'],
  ['the label of an option', '<select><option label="Small">S</select>', 'Small'],
  ['an option of a group', '<select><optgroup label="G"><option>S</optgroup></select>', 'S'],
  ['all chosen options', '<select multiple><option selected>S<option>M<option selected>L</select>', 'S, L'],
  ['no option', '<select multiple><option>S</select>', ''],
  ['no option of a list with several lines', '<select size="3"><option>S<option>M</select>', ''],
])('of a list to choose from, %s is text of its line', (_, select, chosen) => {
  expect(markdown(`<p>a ${select} b</p>`)).toBe(chosen === '' ? 'a b' : `a ${chosen} b`)
})

describe('formulas', () => {
  const TEX = '<semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics>'
  test.each([
    ['with their TeX', `<math>${TEX}</math>`, '$x^2$'],
    ['with TeX as their description', '<math alttext="x^{2}"><mi>x</mi></math>', '$x^{2}$'],
    ['as pictures of Wikipedia', '<img class="mwe-math-fallback-image-inline" alt="{\\displaystyle x^2}">', '$x^2$'],
    ['as pictures of blogs', '<img class="latex" src="https://example.org/a.png" alt="x^2">', '$x^2$'],
    ['of one letter', '<math alttext="the letter x"><mi>x</mi></math>', 'x'],
    [
      'as fractions',
      '<math><mi>x</mi><mo>=</mo><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mn>2</mn></mfrac></math>',
      'x = (a + 1)/2',
    ],
    ['with powers', '<math><msup><mi>x</mi><mn>2</mn></msup><mo>&#x2062;</mo><mi>y</mi></math>', 'x^2y'],
    [
      'with indices',
      '<math><msubsup><mi>x</mi><mn>1</mn><mrow><mi>n</mi><mo>-</mo><mn>1</mn></mrow></msubsup></math>',
      'x_1^(n - 1)',
    ],
    [
      'with roots',
      '<math><msqrt><mn>2</mn></msqrt><mo>·</mo><mroot><mi>x</mi><mn>3</mn></mroot></math>',
      '√(2) · 3√(x)',
    ],
    [
      'as matrices',
      '<math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable></math>',
      '1, 2; 3',
    ],
  ])('%s', (_, formula, expected) => expect(markdown(`<p>so ${formula} holds</p>`)).toBe(`so ${expected} holds`))
})

describe('lists', () => {
  test('that count down keep their numbers', () => {
    const numbers = (html: string) => paste(html).blocks.map(({ number }) => number)
    expect(numbers('<ol reversed><li>a<li>b<li>c</ol>')).toEqual([3, 2, 1])
    expect(numbers('<ol reversed start="10"><li>a<li>b<li value="4">c<li>d</ol>')).toEqual([10, 9, 4, 3])
  })

  test.each(['<ol type="a">', '<ol type="I">', '<ol style="list-style-type: lower-roman">'])(
    'that count by letters keep their order, which is said: %s',
    (list) => {
      expect(paste(`${list}<li>x<li>y</ol>`)).toMatchObject({
        markdown: '1. x\n1. y',
        notKept: ['2 items of lists have numbers instead of letters now.'],
      })
    },
  )
})

describe('frames', () => {
  test('a page that stands in the frame is pasted', () => {
    const page = '&lt;style>.h { display: none }&lt;/style>&lt;p>in &lt;b>it&lt;/b> &lt;i class=h>x&lt;/i>&lt;/p>'
    expect(markdown(`<p>a</p><iframe src="https://example.org/" srcdoc="${page}">old</iframe>`)).toBe('a\n\nin **it**')
  })

  test('a page at an address is a link, and what stands in the element is for old browsers', () => {
    expect(paste('<iframe src="https://example.org/">old</iframe>').notKept).toEqual(['1 embedded page is a link now.'])
    expect(paste('<iframe src="/a">old</iframe>')).toMatchObject({
      markdown: '',
      notKept: ['1 embedded page could not be pasted.'],
    })
    expect(markdown('<iframe src="about:blank">old</iframe>')).toBe('')
  })
})

test('what is shown within a part that is not is pasted', () => {
  expect(
    markdown(
      '<div style="visibility:hidden">a <p style="visibility:visible">b</p><img src="https://x.org/a.png"></div>',
    ),
  ).toBe('b')
  expect(
    markdown('<style>.h{visibility:hidden}</style><p>a<i class="h">b <b style="visibility:visible">c</b></i></p>'),
  ).toBe('a***c***')
  expect(markdown('<div style="display:none">a <p style="visibility:visible">b</p></div>')).toBe('')
})

describe('numbers of lines beside code', () => {
  const code = '```\na = 1\nb = 2\n```'
  const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td${cell}</td>`).join('')}</tr>`
  const pre = '><pre>a = 1\nb = 2\n</pre>'
  test.each([
    ['in a column that says so', `<table>${row(' class="gutter"><pre>1\n2\n</pre>', pre)}</table>`],
    [
      'in a column with a name below',
      `<table>${row('><pre><span class="lnt">1\n</span><span class="lnt">2\n</span></pre>', pre)}</table>`,
    ],
    ['in a column that counts', `<table>${row('><pre>7\n8</pre>', pre)}</table>`],
    ['in rows', `<table>${row(' data-line-number="1">', '>a = 1')}${row(' data-line-number="2">', '>b = 2')}</table>`],
    [
      'in two columns of a change',
      `<table>${row(' class="blob-num">1', ' class="blob-num">', '>a = 1')}${row(' class="blob-num">2', ' class="blob-num">1', '>b = 2')}</table>`,
    ],
    [
      'in rows of lines',
      `<table>${row('>1', ' class="code"><code>a = 1</code>')}${row('>2', ' class="code"><code>b = 2</code>')}</table>`,
    ],
    ['at each line', '<pre><span class="ln">1</span>a = 1\n<span class="ln">2</span>b = 2</pre>'],
    ['at each line, without a name', '<pre><span>1</span>a = 1\n<span>2</span>b = 2\n</pre>'],
    [
      'that nobody can select',
      '<pre><i style="user-select:none">4</i>a = 1\n<i style="user-select:none">6</i>b = 2</pre>',
    ],
  ])('%s', (_, html) => expect(markdown(html)).toBe(code))

  test('of a known language', () => {
    const html = `<table>${row(' class="lntd"><pre>1</pre>', '><pre><code class="language-go">a := 1</code></pre>')}</table>`
    expect(markdown(html)).toBe('```go\na := 1\n```')
  })

  test.each([
    ['a table of numbers', '<table><tr><td>1<td>a<tr><td>2<td>b</table>', '| 1 | a |\n| --- | --- |\n| 2 | b |'],
    [
      'numbers that do not count lines',
      `<table>${row('><code>1</code>', pre)}</table>`,
      '| `1` | `a = 1`<br>`b = 2` |\n| --- | --- |',
    ],
    ['code that begins with numbers', '<pre><b>1</b> + 1\n<b>3</b> + 1</pre>', '```\n1 + 1\n3 + 1\n```'],
    [
      'code of numbers in colors',
      '<pre><b class="mi">1</b> + 1\n<b class="mi">2</b> + 1</pre>',
      '```\n1 + 1\n2 + 1\n```',
    ],
    ['one line that begins with a number', '<pre><b>1</b> + 1</pre>', '```\n1 + 1\n```'],
  ])('%s stays', (_, html, expected) => expect(markdown(html)).toBe(expected))
})
