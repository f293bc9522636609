import { describe, expect, it } from 'vitest'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { at, bullet, code, numbered, quote, reads, same, task, text, toggle } from './blocks.ts'
import { blocksOf } from './blocks-of.ts'

describe('paragraphs', () => {
  it('should be blocks separated by a blank line', () => same('a b\n\nc', [text('a b'), text('c')]))
  it('should keep their lines', () => same('a\nb', [text('a\nb')]))
  it('should read CRLF as LF', () => reads('a\r\nb\r\n\r\nc', [text('a\nb'), text('c')]))
  it('should not exist in an empty text', () => same('', []))
  it('should not exist in blank lines', () => reads(' \n\t\n\n', []))
  it('should be empty if they are a single <br>', () => same('a\n\n<br>\n\nb', [text('a'), text(''), text('b')]))
})

describe('headings', () => {
  it('should have four levels', () => {
    same('# a', [text('a', { textStyle: 'h1' })])
    same('## a', [text('a', { textStyle: 'h2' })])
    same('### a', [text('a', { textStyle: 'h3' })])
    same('#### a', [text('a', { textStyle: 'h4' })])
  })
  it('should read the fifth and sixth level as the fourth', () => {
    reads('##### a', [text('a', { textStyle: 'h4' })])
    reads('###### a', [text('a', { textStyle: 'h4' })])
  })
  it('should recognize an underlined line', () => {
    reads('a\n=', [text('a', { textStyle: 'h1' })])
    reads('a\nb\n---', [text('a b', { textStyle: 'h2' })])
  })
  it('should drop closing hashes, and keep hashes that are text', () => {
    reads('# a ##', [text('a', { textStyle: 'h1' })])
    same('# a \\##', [text('a ##', { textStyle: 'h1' })])
  })
  it('should need a space after the hashes, and at most six', () => {
    reads('#a', [text('#a')])
    reads('####### a', [text('####### a')])
  })
})

describe('lists', () => {
  it('should have bullets', () => same('- a\n- b', [bullet('a'), bullet('b')]))
  it('should read asterisks as bullets', () => reads('* a', [bullet('a')]))
  it('should have numbers, written as 1', () => same('1. a\n1. b', [numbered('a'), numbered('b')]))
  it('should have toggles', () => same('+ a', [toggle('a')]))
  it('should have tasks', () => {
    same('- [ ] a', [task('a')])
    same('- [x] a', [task('a', 'done')])
    same('- [-] a', [task('a', 'canceled')])
    reads('* [X] a', [task('a', 'done')])
  })
  it('should not have tasks with other boxes', () => {
    reads('- [?] a', [bullet('[?] a')])
    reads('- [x]a', [bullet('[x]a')])
  })
  it('should not read text as a box', () => same('- \\[ ] a', [bullet('[ ] a')]))
  it('should not read a minus sign as a bullet', () => reads('-a', [text('-a')]))
  it('should not end a paragraph with a number other than 1', () => reads('a\n1986. b', [text('a\n1986. b')]))
  it('should nest by two spaces', () =>
    same('- a\n  - b\n    - c\n- d', [bullet('a'), at(1, bullet('b')), at(2, bullet('c')), bullet('d')]))
  it('should nest numbers by two spaces too', () =>
    same('1. a\n  1. b\n    - c', [numbered('a'), at(1, numbered('b')), at(2, bullet('c'))]))
  it('should nest by three spaces, four, and tabs', () => {
    reads('1. a\n   - b\n   - c', [numbered('a'), at(1, bullet('b')), at(1, bullet('c'))])
    reads('- a\n    - b\n    - c\n        - d\n- e', [
      bullet('a'),
      at(1, bullet('b')),
      at(1, bullet('c')),
      at(2, bullet('d')),
      bullet('e'),
    ])
    reads('- a\n\t- b\n\t\t- c', [bullet('a'), at(1, bullet('b')), at(2, bullet('c'))])
  })
  it('should keep further paragraphs and code one level deeper', () => {
    same('- a\n\n  b', [bullet('a'), at(1, text('b'))])
    reads('- a\n\n    b', [bullet('a'), at(1, text('b'))])
    reads('- a\n\n      b', [bullet('a'), at(1, code('b'))])
    same('- a\n\n  ```\n  b\n  ```', [bullet('a'), at(1, code('b'))])
  })
  it('should keep levels beyond five', () => {
    const deep = Array.from({ length: 9 }, (_, level) => `${'  '.repeat(level)}- a`).join('\n')
    expect(readMarkdown(deep).map((block) => block.indentationLevel ?? 0)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  })
  it('should keep the lines of an item', () => same('- a\n  b', [bullet('a\nb')]))
  it('should contain headings, code and quotes', () => {
    same('- # a', [bullet('a', { textStyle: 'h1' })])
    same('- ```\n  a\n  ```', [{ ...code('a'), listStyle: 'bullet' }])
    reads('- > a', [{ ...quote('a'), listStyle: 'bullet' }])
    same('> - a', [{ ...quote('a'), listStyle: 'bullet' }])
  })
  it('should be empty except for the first item', () => {
    same('- a\n- <br>\n- b', [bullet('a'), bullet(''), bullet('b')])
    reads('- a\n-\n- b', [bullet('a'), bullet(''), bullet('b')])
    same('- [ ] <br>', [task('')])
  })
})

describe('indentation', () => {
  it('should be two spaces a level', () => same('a\n\n  b\n\n    c', [text('a'), at(1, text('b')), at(2, text('c'))]))
  it('should apply to each line', () => same('  a\n  b', [at(1, text('a\nb'))]))
  it('should be possible at any level at the beginning of a text', () => same('    a', [at(2, text('a'))]))
  it('should be code where no level is possible, as in all Markdown', () =>
    reads('a\n\n    b\n      c', [text('a'), code('b\n  c')]))
  it('should be code after a tab', () => reads('\tb', [code('b')]))
  it('should report a skipped level', () => same('a\n\n<!-- -->\n\n    b', [text('a'), at(2, text('b'))]))
})

describe('quotes', () => {
  it('should be quotes', () => same('> a\n> b\n\n> c', [quote('a\nb'), quote('c')]))
  it('should separate the paragraphs of one quote', () => reads('> a\n>\n> b', [quote('a'), quote('b')]))
  it('should continue on a line without a marker', () => reads('> a\nb', [quote('a\nb')]))
  it('should be flat', () => reads('> > a', [quote('a')]))
})

describe('fences', () => {
  it('should hold lines that stand before them', () => {
    reads('  ```js\na\n  b\n  ```\nc', [{ ...code('a\nb', 'javascript'), info: 'js' }, text('c')])
    reads('   ```\na\n  ```', [code('a')])
  })
  it('should be nested if their lines are', () => reads('a\n\n  ```\n  b\n  ```', [text('a'), at(1, code('b'))]))
  it('should end with their item if nothing else ends them', () =>
    reads('- a\n  ```\nb', [bullet('a'), at(1, code('')), text('b')]))
})

describe('what standard Markdown reads as code', () => {
  const indented = (markdown: string) => readMarkdown(markdown).map(({ isIndentedCode = false }) => isIndentedCode)
  it.each([
    ['    a', [true]],
    ['    # a\n\nb', [true, false]],
    ['  a\n\n    b', [false, true]],
    ['    24. a', [true]],
    ['-\n      a', [true]],
    ['100. a\n\n    b', [false, true]],
    ['  a', [false]],
    ['- a\n\n    b', [false, false]],
    ['- a\n  - b\n    - c\n\n      d', [false, false, false, false]],
    ['    - a\n    - b', [true, false]],
    ['<!-- -->\n\n    a', [true]],
  ] as const)('should be said of %j', (markdown, expected) => expect(indented(markdown)).toEqual(expected))
  it('should be kept as code if it is HTML that shows nothing', () =>
    reads('  a\n\n    <div>', [at(1, text('a')), at(2, code('<div>'))]))
})

describe('a text that begins far in', () => {
  const far = ' '.repeat(14)
  it('should be one deep block if all of it stands there', () =>
    expect(blocksOf(`${far}a\n${far}b`)).toEqual([{ type: 'text', text: 'a\nb', indentationLevel: 7 }]))
  it('should be code otherwise', () =>
    expect(readMarkdown(`${far}a\n    b\n\nc`).map(({ type }) => type)).toEqual(['code', 'text']))
  it('should be a deep block after the mark for it', () =>
    expect(blocksOf(`<!-- -->\n\n${far}a\n\nb`)[0]).toEqual({ type: 'text', text: 'a', indentationLevel: 7 }))
})
