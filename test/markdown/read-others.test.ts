import { describe, it } from 'vitest'
import type { Block } from '../../src/markdown/block.ts'
import { at, bullet, code, numbered, reads, same, text } from './blocks.ts'

const media = (type: Block['type'], url: string, more: Partial<Block> = {}): Block => ({ type, text: '', url, ...more })
const line = (lineStyle?: Exclude<Block['lineStyle'], undefined>): Block =>
  lineStyle === undefined ? { type: 'line', text: '' } : { type: 'line', text: '', lineStyle }

describe('media', () => {
  it('should be images if alone in a paragraph', () => same('![a](b.png)', [media('image', 'b.png', { altText: 'a' })]))
  it('should not be images within text', () => reads('![a](b.png) c', [text('![a](b.png) c')]))
  it('should be videos by their extension', () => {
    same('![a](b.mp4)', [media('video', 'b.mp4', { altText: 'a' })])
    same('![](b.webm?x=1)', [media('video', 'b.webm?x=1')])
  })
  it('should say what their path does not', () => {
    same('![](b "video")', [media('video', 'b')])
    same('![](b.mp4 "image")', [media('image', 'b.mp4')])
    same('![](b.png "drawing")', [media('drawing', 'b.png')])
  })
  it('should be indented', () => same('  ![](b.png)', [at(1, media('image', 'b.png'))]))
  it('should stay text in a list, or say what they are', () => {
    same('- ![](b.png)', [bullet('![](b.png)')])
    same('- ![](b.png "image")', [{ ...media('image', 'b.png'), listStyle: 'bullet' }])
  })
  it('should escape a description', () => same('![a\\]\\*](b.png)', [media('image', 'b.png', { altText: 'a]*' })]))
  it('should accept a URL with spaces', () =>
    same('![a](<b c.png> "image")', [media('image', 'b c.png', { altText: 'a' })]))
})

describe('links that stand alone', () => {
  it('should be rich links', () => same('[a](https://b.c)', [media('richUrl', 'https://b.c', { title: 'a' })]))
  it('should be without a title of their own', () =>
    same('[https://b.c](https://b.c)', [media('richUrl', 'https://b.c')]))
  it('should be text in <>', () => reads('[a](<https://b.c>)', [text('[a](https://b.c)')]))
  it('should be text in a list', () => same('- [a](https://b.c)', [bullet('[a](https://b.c)')]))
  it('should be text with marks inside or with another scheme', () => {
    reads('[**a**](https://b.c)', [text('[**a**](https://b.c)')])
    same('[a](block://x)', [text('[a](block://x)')])
  })
  it('should be files', () => {
    same('[a.pdf](scriptorium://files/1)', [media('file', 'scriptorium://files/1', { fileName: 'a.pdf' })])
    same('[a.pdf](https://b.c/files/1)', [media('file', 'https://b.c/files/1', { fileName: 'a.pdf' })])
    same('[a.pdf](https://b.c "file")', [media('file', 'https://b.c', { fileName: 'a.pdf' })])
  })
  it('should keep text that is only a link', () => same('[a](<https://b.c>)', [text('[a](https://b.c)')]))
})

describe('whiteboards and drawings', () => {
  it('should be tags', () => {
    same('<whiteboard/>', [{ type: 'whiteboard', text: '' }])
    same('<whiteboard id="a" url="b"/>', [{ type: 'whiteboard', text: '', id: 'a', url: 'b' }])
    same('<drawing/>', [{ type: 'drawing', text: '' }])
    reads('<whiteboard id="a"></whiteboard>', [{ type: 'whiteboard', text: '', id: 'a' }])
  })
})

describe('code', () => {
  it('should be fenced', () => same('```\na\n\n  b\n```', [code('a\n\n  b')]))
  it('should be empty', () => same('```\n```', [code('')]))
  it('should recognize common names of languages', () => {
    same('```javascript\na\n```', [code('a', 'javascript')])
    same('```js\na\n```', [{ ...code('a', 'javascript'), info: 'js' }])
    same('```text\na\n```', [{ ...code('a'), info: 'text' }])
    same('```plaintext\na\n```', [{ ...code('a'), info: 'plaintext' }])
  })
  it('should keep the words after the fence as they were written', () => {
    same('```toml\na\n```', [{ ...code('a', 'other'), info: 'toml' }])
    same('```js title="x"  {1,3}\na\n```', [{ ...code('a', 'javascript'), info: 'js title="x"  {1,3}' }])
    same('```Rust,ignore\na\n```', [{ ...code('a', 'rust'), info: 'Rust,ignore' }])
    same('```{r, echo=FALSE}\na\n```', [{ ...code('a'), info: '{r, echo=FALSE}' }])
    same('```f&ouml;\\+\na\n```', [{ ...code('a', 'other'), info: 'f&ouml;\\+' }])
    same('- ```diff\n  -a\n  ```', [{ ...code('-a', 'other'), info: 'diff', listStyle: 'bullet' }])
    reads('~~~ C++ x=1\na\n~~~', [{ ...code('a', 'cpp'), info: 'C++ x=1' }])
    reads('```   python  \na\n```', [code('a', 'python')])
  })
  it('should have a fence of tildes where the words hold a backtick', () => {
    same('~~~x`y`\na\n~~~', [{ ...code('a', 'other'), info: 'x`y`' }])
    same('~~~~ ~`\n~~~\n~~~~', [{ ...code('~~~', 'other'), info: '~`' }])
  })
  it('should have a fence longer than any inside', () => same('````\n```\na\n```\n````', [code('```\na\n```')]))
  it('should extend to the end if it is not closed', () => reads('```\na\n\nb', [code('a\n\nb')]))
  it('should be formulas', () => {
    same('$$\na\n\nb\n$$', [code('a\n\nb', 'math_formula')])
    same('> - $$\n>   a\n>   $$', [{ ...code('a', 'math_formula'), listStyle: 'bullet', decorations: { quote: true } }])
    same('```math\na\n```', [{ ...code('a', 'math_formula'), info: 'math' }])
    reads('```math_formula\na\n```', [code('a', 'math_formula')])
    reads('$$a$$', [code('a', 'math_formula')])
    reads('$$\na\n\nb\n$$', [code('a\n\nb', 'math_formula')])
    reads('$$a\nb$$', [code('a\nb', 'math_formula')])
  })
  it('should be fenced formulas where dollar signs would not be read back', () => {
    same('```math_formula\n```', [code('', 'math_formula')])
    same('```math_formula\na $$ b\n```', [code('a $$ b', 'math_formula')])
    same('```math_formula\n</content>\n```', [code('</content>', 'math_formula')])
  })
  it('should not be formulas where dollar signs are prices', () => {
    same('$$$ is expensive\n\n$$$', [text('$$$ is expensive'), text('$$$')])
    reads('$$ is cheap\n\nand so is $$', [text('$$ is cheap'), text('and so is $$')])
    reads('$$\n\ncheap $$', [text('$$'), text('cheap $$')])
  })
  it('should not be formulas within text', () => reads('$$a$$ b', [text('$$a$$ b')]))
})

describe('lines', () => {
  it('should have five styles', () => {
    same('***', [line('extraLight')])
    same('****', [line('light')])
    same('*****', [line()])
    same('******', [line('strong')])
    same('*******', [line('pageBreak')])
  })
  it('should be regular in all other forms', () => {
    for (const other of ['---', '___', '* * *', '- - -', '********']) reads(other, [line()])
  })
  it('should not be an underline', () => reads('a\n---', [text('a', { textStyle: 'h2' })]))
})

describe('tables', () => {
  it('should be normalized', () => {
    same('| a | b |\n| --- | :---: |\n| 1 | 2 |', [{ type: 'table', text: '| a | b |\n| --- | :---: |\n| 1 | 2 |' }])
    const shortRows = new Map([[1, 1]])
    reads('a|b\n:-|-:\n1', [{ type: 'table', text: '| a | b |\n| :--- | ---: |\n| 1 |  |', shortRows }])
  })
  it('should keep pipes in cells', () =>
    same('| a \\| b |\n| --- |', [{ type: 'table', text: '| a \\| b |\n| --- |' }]))
  it('should need a delimiter row', () => reads('| a |\n| b |', [text('| a |\n| b |')]))
})

describe('foreign constructs', () => {
  it('should resolve definitions', () => reads('[a][b]\n\n[b]: http://c', [text('[a](http://c)')]))
  it('should keep footnotes as text', () => reads('[^1]: word', [text('[^1]: word')]))
  it('should keep a comment of several lines as code that is no Markdown', () => {
    const comment = (text: string) => ({ ...code(text, 'other'), info: '<!---->' })
    reads('<!-- a\n\nb -->\n\nc', [comment('a\n\nb'), text('c')])
    reads('a\n<!--\n- [ ] b\n\n```\n<page>\n--> c', [text('a'), comment('- [ ] b\n\n```\n<page>'), text('c')])
    reads('<callout><!--\n</callout>\n--></callout>', [{ ...comment('</callout>'), decorations: { callout: true } }])
    reads('<!-- without an end\n\n# a', [comment('without an end\n\n# a')])
    reads('<!--\n\n-->\n<!---->\n<!-->', [])
  })
  it('should keep comments alone on a line as a text', () => {
    reads('a\n<!-- b --> <!-- c -->\n[r]: u\n\n[r]', [text('a'), text('<!-- b --> <!-- c -->'), text('[r](u)')])
    reads('- <!-- a --> b', [bullet('<!-- a --> b')])
  })
  it('should keep tags of a line as words, also where a block of HTML could begin', () => {
    reads('<kbd>\na\n</kbd>', [text('<kbd>\na\n</kbd>')])
    reads('<details open>\n<summary>a</summary>\n- b\n\n</details>', [
      text('<details open>\n<summary>a</summary>'),
      bullet('b'),
      text('</details>'),
    ])
    reads('<div>H<sub>2</sub>O<br/><!-- a\n b --></div>', [text('H<sub>2</sub>O<br><!-- a b -->')])
  })
  it('should make link cards of what loads something', () => {
    const card = (url: string, title?: string) => media('richUrl', url, title === undefined ? {} : { title })
    reads('<iframe src="https://a.example/b" title="c"></iframe>', [card('https://a.example/b', 'c')])
    reads('<video src="https://a.example/b"></video>', [card('https://a.example/b')])
    reads('<video controls>\n<source src="https://a.example/b">\nno video\n</video>', [
      card('https://a.example/b'),
      text('no video'),
    ])
  })
  it('should keep the address of a link around nothing, and around a link', () => {
    reads('<div><a href="u"></a></div>', [text('[u](u)')])
    reads('<div><a href="u">a <a href="v">b</a></a></div>', [text('a [b](v) [u](u)')])
  })
  it('should keep what is between the marks of a processing instruction as code', () =>
    reads('<?php\n\necho 1 ?>', [code('<?php\n\necho 1 ?>', 'html')]))
  it('should keep the text of HTML', () => {
    reads('<p align="center">\n  <b>a</b>\n</p>', [text('**a**')])
    reads('<section>a</section>\n\nb', [text('a'), text('b')])
    reads('<h1 align="center">a</h1>', [text('a', { textStyle: 'h1' })])
    reads('<p><img src="a.png" alt="b"></p>', [media('image', 'a.png', { altText: 'b' })])
    reads('<ul>\n<li>a</li>\n<li>b</li>\n</ul>', [bullet('a'), bullet('b')])
    reads('<hr>', [line()])
  })
  it('should keep lists within lists, and what else is in an item', () => {
    const level = (indentationLevel: number) => ({ indentationLevel })
    reads('<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', [bullet('a'), bullet('b', level(1)), bullet('c')])
    reads('<ol><li>a<ul><li>b<ol start="4"><li>c</ol></ul></ol>d', [
      numbered('a'),
      bullet('b', level(1)),
      numbered('c', { ...level(2), number: 4 }),
      text('d'),
    ])
    reads('<ul><li><p>a</p><p>b</p><pre>c</pre></li><li><h2>d</h2></li></ul>', [
      bullet('a'),
      text('b', level(1)),
      { ...code('c'), ...level(1) },
      text('d', { textStyle: 'h2', ...level(1) }),
    ])
    reads('- a\n\n  <ul><li>b<ul><li>c</li></ul></li></ul>', [
      bullet('a'),
      bullet('b', level(1)),
      bullet('c', level(2)),
    ])
    reads('<ul><li></li></ul>a', [text('a')])
    reads('<ul><ul><li>a</li></ul></ul>', [bullet('a')])
  })
  it('should keep scripts, styles and preformatted text as code', () => {
    reads('<style>\na\n</style>', [code('<style>\na\n</style>', 'html')])
    reads('<pre lang="js"><code>a &lt; b</code></pre>', [{ ...code('a < b', 'javascript'), info: 'js' }])
  })
})
