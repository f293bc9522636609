import { describe, expect, it } from 'vitest'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { blockMarkdown } from '../../src/markdown/write-markdown.ts'
import { asListItem } from '../../src/markdown/written-numbers.ts'
import { at, bullet, code, numbered, page, quote, reads, same, task, text } from './blocks.ts'

/** A text that would be an item of a list after an item of a list. */
const leading = (leadingNumber: number, content: string) => text(content, { leadingNumber })

describe('lists that begin with another number', () => {
  it('should count on from it', () =>
    same('5. a\n6. b\n7. c', [numbered('a', { number: 5 }), numbered('b'), numbered('c')]))
  it('should begin with 0', () => same('0. a\n1. b', [numbered('a', { number: 0 }), numbered('b')]))
  it('should read a parenthesis', () => reads('7) a\n8) b', [numbered('a', { number: 7 }), numbered('b')]))
  it('should keep a number that counting does not give', () =>
    same('1. a\n7. b\n8. c\n1. d\n1. e', [
      numbered('a'),
      numbered('b', { number: 7 }),
      numbered('c'),
      numbered('d', { number: 1 }),
      numbered('e'),
    ]))
  it('should not keep a number that counting gives', () =>
    reads('1. a\n2. b\n\n3. c', [numbered('a'), numbered('b'), numbered('c')]))
  it('should count items that are all written as 1', () => reads('1. a\n1. b', [numbered('a'), numbered('b')]))
  it('should begin again with another character after the number', () =>
    reads('1. a\n1) b', [numbered('a'), numbered('b', { number: 1 })]))
  it('should begin again after the mark', () =>
    same('1. a\n\n<!-- -->\n\n1. b\n1. c', [numbered('a'), numbered('b', { number: 1 }), numbered('c')]))
  it('should hold deeper blocks, whatever the width of their numbers', () =>
    same('<!-- -->\n\n1986. a\n  - b\n\n<!-- -->\n\n1987. c', [
      numbered('a', { number: 1986 }),
      at(1, bullet('b')),
      numbered('c'),
    ]))
  it('should count deeper lists by themselves', () =>
    same('1. a\n\n  3. b\n  4. c\n1. d', [
      numbered('a'),
      at(1, numbered('b', { number: 3 })),
      at(1, numbered('c')),
      numbered('d'),
    ]))
  it('should indent the lines of an item below its words', () =>
    same('10. a\n    b\n11. c', [numbered('a\nb', { number: 10 }), numbered('c')]))
  it('should be in quotes', () => {
    const decorations = { quote: true } as const
    same('> 5. a\n\n> 6. b', [numbered('a', { number: 5, decorations }), numbered('b', { decorations })])
  })
  it('should be in HTML', () => {
    const blocks = [
      numbered('a', { number: 5 }),
      numbered('b'),
      numbered('c', { number: 9 }),
      numbered('d', { number: 1 }),
    ]
    reads('<ol start="5"><li>a</li><li>b</li><li value="9">c</li></ol><ol><li>d</li></ol>', blocks)
  })
  it('should count down in a reversed list of HTML', () => {
    const down = (...numbers: number[]) => numbers.map((number, index) => numbered('abc'[index] ?? '', { number }))
    reads('<ol reversed><li>a</li><li>b</li><li>c</li></ol>', down(3, 2, 1))
    reads('<ol start="9" reversed=""><li>a</li><li>b</li></ol>', down(9, 8))
    reads('<ol reversed>\n<li>a\n<li value="7">b\n<li>c', down(3, 7, 6))
    same('<!-- -->\n\n3. a\n2. b\n1. c', down(3, 2, 1))
    reads('<ol data-x="reversed"><li>a</li></ol>', [numbered('a')])
  })
  it('should be on pages', () => {
    const pages = [page('a', undefined, { listStyle: 'numbered', number: 4 }), numbered('b')]
    same('<page listStyle="numbered" number="4">\n<pageTitle>a</pageTitle>\n</page>\n\n<!-- -->\n\n5. b', [
      { ...pages[0], type: 'page', text: 'a' },
      numbered('b'),
    ])
  })
})

describe('a number alone', () => {
  it('should be text', () => same('24\\. Dezember', [text('24. Dezember')]))
  it.each(['24. Dezember', '2026. gada 5. maijs', '31) a', '0. a'])('should be text: %s', (line) => {
    expect(readMarkdown(line)).toEqual([leading(Number.parseInt(line, 10), line)])
  })
  it('should be text in a bullet', () => reads('- 18. september: event', [bullet('18. september: event')]))
  it('should be text in a quote', () => reads('> 3. Mai', [{ ...quote('3. Mai'), leadingNumber: 3 }]))
  it('should be text in a task', () => {
    reads('- [ ] 1. Mai', [task('1. Mai')])
    reads('24. [ ] a', [task('24. a')])
  })
  it('should be text without more', () => reads('2026.', [leading(2026, '2026.')]))
  it('should be text beside another day', () =>
    reads('31. Dezember: frei\n\n1. Januar: frei', [leading(31, '31. Dezember: frei'), numbered('Januar: frei')]))
  it('should be text above what is no text', () =>
    reads('24. ```\n    a\n    ```\n\nb', [leading(24, '24.'), at(1, code('a')), text('b')]))
  it('should hold what stands below it', () => reads('24. a\n\n    b', [leading(24, '24. a'), at(1, text('b'))]))
  it('should be an item after the mark', () => same('<!-- -->\n\n24. a', [numbered('a', { number: 24 })]))
  it('should become an item if the caller asks for one', () => {
    expect(readMarkdown('24. a').map(asListItem)).toEqual([numbered('a', { number: 24 })])
    expect(readMarkdown('24\\. a').map(asListItem)).toEqual([text('24. a')])
  })
})

describe('fields that hold one line', () => {
  it.each(['1. Mai planen', '24. Dezember', '1)', '- 1. a'])('should have no numbers of lists: %s', (line) => {
    expect(readMarkdown(line, { isOneLine: true }).map((block) => block.text)).toEqual([line.replace('- ', '')])
  })
  it('should have tasks', () => expect(readMarkdown('1. [x] a', { isOneLine: true })).toEqual([task('a', 'done')]))
})

it('should keep tasks with numbers', () => reads('1. [ ] a\n2. [x] b', [task('a'), task('b', 'done')]))

it('should write the number of one block', () => {
  expect(blockMarkdown(numbered('a', { number: 5 }))).toBe('5. a')
  expect(blockMarkdown(numbered('a'))).toBe('1. a')
})
