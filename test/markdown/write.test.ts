import { describe, expect, it } from 'vitest'
import { ESCAPES } from '../../src/markdown/blocks/block-escapes.ts'
import { writeTable } from '../../src/markdown/blocks/write-table.ts'
import { normalizeCell, plainText } from '../../src/markdown/inline-text.ts'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { blockMarkdown, writeMarkdown } from '../../src/markdown/write-markdown.ts'
import { at, bullet, callout, numbered, page, quote, same, task, text } from './blocks.ts'

describe('one block', () => {
  it('should have the prefix of its type and the spaces of its level', () => {
    expect(blockMarkdown(at(2, task('a', 'done')))).toBe('    - [x] a')
    expect(blockMarkdown(at(1, quote('a\nb')))).toBe('  > a\n  > b')
    expect(blockMarkdown(at(1, numbered('a\nb')))).toBe('  1. a\n     b')
  })
  it('should be the plain title of a page and of an item', () => {
    expect(blockMarkdown(page('a **b** \\*'))).toBe('a b *')
    expect(blockMarkdown({ type: 'collectionItem', text: '*a*' })).toBe('a')
  })
  it('should be the text itself if it is plain', () => expect(blockMarkdown(text('a b'))).toBe('a b'))
  it('should be empty for empty text', () => expect(blockMarkdown(text(''))).toBe(''))
  it('should put a heading on one line', () => expect(blockMarkdown(text('a\nb', { textStyle: 'h1' }))).toBe('# a b'))
})

describe('consecutive blocks', () => {
  it('should have a blank line between them, except for list items', () =>
    expect(writeMarkdown([text('a'), bullet('b'), callout('c'), bullet('d'), at(1, bullet('e')), text('f')])).toBe(
      'a\n\n- b\n\n<callout>c</callout>\n\n- d\n  - e\n\nf',
    ))
  it('should keep quotes separate', () => expect(writeMarkdown([quote('a'), quote('b')])).toBe('> a\n\n> b'))
})

describe('white space that Markdown treats as text', () => {
  it('should be text in a quote of several lines', () => {
    const table = { type: 'table' as const, text: '| a\u2028b |\n| --- |', decorations: { quote: true as const } }
    same('> | a\u2028b |\n> | --- |', [table])
  })
  it.each(['\u2028', '\ufeff', '\u00a0'])('should be references at the edges of a cell, which loses %j', (odd) => {
    // Placed before delimiters and backslashes are: next to a letter `_` is text, and before `&` a backslash would
    // count.
    const edge = `&#${odd.charCodeAt(0)};`
    const cell = normalizeCell(`${edge}\\_a\\_ \\\\${edge}`)
    expect(plainText(cell)).toBe(`${odd}_a_ \\${odd}`)
    const table = writeTable([[cell]], [''])
    same(table, [{ type: 'table', text: table }])
  })
  it('should be text after a formula and in one', () => {
    same('$$a$$\u00a0', [text('$$a$$\u00a0')])
    same('$$a\u2028$$ b', [text('$$a\u2028$$ b')])
  })
  it('should not be a vertical tab at the edge of a cell, which no reference can express', () =>
    expect(normalizeCell('\va\vb\v')).toBe('&#32;a\vb&#32;'))
})

describe('output only', () => {
  it('should replace omitted content', () =>
    expect(writeMarkdown([page('A', undefined, { contentPreview: 'a' })])).toBe(
      '<page>\n<pageTitle>A</pageTitle>\n<contentPreview>a</contentPreview>\n</page>',
    ))
  it('should be collections with their items', () =>
    expect(
      writeMarkdown([
        {
          type: 'collection',
          text: '',
          id: 'c',
          content: [{ type: 'collectionItem', text: 'A', id: 'i', content: [text('a')] }],
        },
      ]),
    ).toBe(
      '<collection id="c">\n<content>\n<collectionItem id="i">\n<title>A</title>\n<content>\na\n</content>\n</collectionItem>\n</content>\n</collection>',
    ))
})

describe('text that would begin something else', () => {
  const SAMPLES: Record<string, string> = {
    'a heading': '# a',
    'a quote': '> a',
    'a list item': '- a',
    'a numbered item': '12. a',
    'a fence of code': '```a',
    'a line across': '***',
    'a line across, behind the mark of an item': '--',
    'what makes the text above a heading': 'a\n===',
    'the rule of a table': 'a | b\n- | -',
    'a formula as a block': '$a$',
    'the beginning of a formula': '$$a',
    'a definition of a link': '[a]: b',
    'the box of a task': '[ ] a',
    'a tag, ours or of HTML': '<p a',
  }
  for (const because of new Set(ESCAPES.map((row) => row.because))) {
    it(`should be words all the same: not ${because}`, () => {
      const sample = SAMPLES[because] ?? expect.fail(`a sample of ${because}`)
      expect(readMarkdown(blockMarkdown(text(sample)))).toEqual([text(sample)])
      expect(readMarkdown(blockMarkdown(bullet(sample)))).toEqual([bullet(sample)])
    })
  }
  it('should not have a backslash where it begins nothing', () => {
    for (const words of ['#a', '-a', '1.a', '1986', '*a*', '==', 'a # b', '$a$', '[a](b) c', '| a |', '+1', '~a']) {
      expect(blockMarkdown(text(words))).toBe(words.replace('==', '=='))
    }
  })
})
