import { describe, expect, it } from 'vitest'
import type { Block } from '../../src/markdown/block.ts'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { writeMarkdown } from '../../src/markdown/write-markdown.ts'
import { at, bullet, callout, code, page, quote, reads, same, text } from './blocks.ts'

const refuses = (markdown: string, message: string) => expect(() => readMarkdown(markdown)).toThrow(message)

describe('callouts and captions', () => {
  it('should be callouts', () => same('<callout>a</callout>', [callout('a')]))
  it('should contain several blocks', () =>
    same('<callout>\na\n\n- b\n</callout>', [
      text('a', { decorations: { callout: [{ starts: true }] } }),
      bullet('b', { decorations: { callout: [{}] } }),
    ]))
  it('should be both', () =>
    same('> <callout>a</callout>', [text('a', { decorations: { callout: true, quote: true } })]))
  it('should contain code', () =>
    same('<callout>\n```\na\n```\n</callout>', [{ ...code('a'), decorations: { callout: true } }]))
  it('should not be tags in code or after a backslash', () => {
    reads('a `<callout>` b', [text('a `<callout>` b')])
    expect(readMarkdown('\\<callout>')).toHaveLength(1)
  })
  it('should have captions', () => same('<caption>a</caption>', [text('a', { textStyle: 'caption' })]))
})

describe('pages', () => {
  it('should have a title and content', () =>
    same('<page>\n<pageTitle>A</pageTitle>\n<content>\na\n\n- b\n</content>\n</page>', [
      page('A', [text('a'), bullet('b')]),
    ]))
  it('should need no content', () => same('<page>\n<pageTitle>A</pageTitle>\n</page>', [page('A')]))
  it('should fit on one line', () => {
    reads('<page><pageTitle>A</pageTitle></page>', [page('A')])
    reads('<page><pageTitle>A</pageTitle><content>a</content></page>', [page('A', [text('a')])])
    reads('<page><pageTitle>A</pageTitle></page><page><pageTitle>B</pageTitle></page> c', [
      page('A'),
      page('B'),
      text('c'),
    ])
  })
  it('should be indented, as people lay them out', () =>
    reads('<page>\n  <pageTitle>A</pageTitle>\n  <content>\n    a\n    - b\n      - c\n  </content>\n</page>', [
      page('A', [text('a'), bullet('b'), at(1, bullet('c'))]),
    ]))
  it('should need no content tag', () =>
    reads('<page>\n<pageTitle>A</pageTitle>\na\n</page>', [page('A', [text('a')])]))
  it('should nest', () =>
    same(
      '<page>\n<pageTitle>A</pageTitle>\n<content>\n<page>\n<pageTitle>B</pageTitle>\n</page>\n\na\n</content>\n</page>',
      [page('A', [page('B'), text('a')])],
    ))
  it('should keep an ID, a style and a layout', () =>
    same('<page id="X-1" textStyle="card" cardLayout="small">\n<pageTitle>A</pageTitle>\n</page>', [
      page('A', undefined, { id: 'X-1', textStyle: 'card', cardLayout: 'small' }),
    ]))
  it('should keep their other attributes', () =>
    same(
      '<page indentationLevel="2" listStyle="task" state="done" decorations="callout quote" color="#aabbcc">\n<pageTitle>A</pageTitle>\n</page>',
      [
        page('A', undefined, {
          indentationLevel: 2,
          listStyle: 'task',
          taskInfo: { state: 'done' },
          decorations: { callout: true, quote: true },
          color: '#aabbcc',
        }),
      ],
    ))
  it('should be cards', () =>
    reads('<card><pageTitle>A</pageTitle></card>', [page('A', undefined, { textStyle: 'card' })]))
  it('should be text if they contain text only, even if they look like cards', () => {
    same('<card>a</card>', [text('a', { textStyle: 'card' })])
    same('<card cardLayout="large">a</card>', [text('a', { textStyle: 'card', cardLayout: 'large' })])
    same('<page>a</page>', [text('a', { textStyle: 'page' })])
  })
  it('should not read the text of a title as a list or heading', () =>
    same('<page>\n<pageTitle>1. A</pageTitle>\n</page>', [page('1. A')]))
  it('should not be tags in code', () => {
    same('```\n<page>\n```', [code('<page>')])
    reads('> ```\n> <page>\n\na', [{ ...code('<page>'), decorations: { quote: true } }, text('a')])
    reads('see `<page>` and `</page>`', [text('see `<page>` and `</page>`')])
  })
})

describe('misplaced tags', () => {
  it('should be closed', () => {
    refuses(
      'a\n\n  <page>',
      'Expected </page> for the <page> at line 3, column 3, found none; close it, inner tags first, or write \\<page> for plain text.',
    )
    refuses(
      '<page><pageTitle>a</page></pageTitle>',
      'Expected </page> for the <page> at line 1, column 1, found none; close it, inner tags first, or write \\<page> for plain text.',
    )
  })
  it('should be opened', () =>
    refuses(
      'a\n\n</callout>',
      'Expected a tag that opens it, found </callout> at line 3, column 1; open it before, or write \\</callout> for plain text.',
    ))
  it('should have the title first', () => {
    const message =
      'Expected <pageTitle> first in its page, found it at line 1, column 26 after other content; move it before that.'
    refuses('<page><content>a</content><pageTitle>A</pageTitle></page>', message.replace('26', '27'))
    refuses('<page>a<pageTitle>A</pageTitle></page>', message.replace('26', '8'))
  })
  it('should have titles and content in pages', () =>
    refuses(
      '<content>a</content>',
      'Expected <content> directly inside <page> or <card>, found it at line 1, column 1; put it there, or write \\<content> for plain text.',
    ))
  it('should be closed in their quote', () =>
    refuses(
      '> <callout>\n\na</callout>',
      'Expected </callout> in the same quote or list item as the <callout> at line 1, column 3, found it after their end; close it before.',
    ))
  it('should not be collections', () => {
    const items = 'add items to a collection with items_add, and change them with items_update'
    const advice = {
      collection: 'make a collection with collections_add, and its items with items_add',
      ...{ collectionItem: items, properties: items, property: items },
      contentPreview: 'read the page whole, without maxDepth, and write what it holds',
      itemsPreview: 'read the page whole, without maxDepth, and change items with items_update',
    }
    for (const [name, instead] of Object.entries(advice)) {
      refuses(
        `<${name}>a</${name}>`,
        `Expected Markdown to write, found <${name}> at line 1, column 1, which is output only; ${instead}.`,
      )
    }
  })
  it('should have known values', () => {
    refuses(
      '<page textStyle="x"></page>',
      'Expected textStyle of <page> to be one of card, page, h1, h2, h3, h4, caption, body, found `x` at line 1, column 1; use one of them or leave it out.',
    )
    refuses(
      '<page color="red"></page>',
      'Expected color of <page> to be one of six hex digits after #, found `red` at line 1, column 1; use one of them or leave it out.',
    )
    refuses(
      '<page style="a"></page>',
      'Expected an attribute of <page> to be one of id, textStyle, cardLayout, indentationLevel, listStyle, number, state, decorations, color, textAlignment, font, found `style` at line 1, column 1; use one of them or leave it out.',
    )
  })
  it('should not nest without limit', () => {
    const deep = (levels: number) => `${'<callout>\n'.repeat(levels)}a${'\n</callout>'.repeat(levels)}`
    const levels = Array.from({ length: 16 }, () => ({ starts: true as const }))
    expect(readMarkdown(deep(16))).toEqual([text('a', { decorations: { callout: levels } })])
    refuses(deep(17), 'Expected at most 16 callouts in each other, found more at line 17, column 1; end one before.')
    const pages = (levels: number): Block[] =>
      levels === 0 ? [] : [page('a', levels > 1 ? pages(levels - 1) : undefined)]
    expect(readMarkdown(writeMarkdown(pages(64)))).toEqual(pages(64))
    refuses(writeMarkdown(pages(65)), 'Expected at most 64 levels of tags, found more at line 193, column 1;')
  })
})

describe('syntax errors in a text', () => {
  it('should be reported with their position', () => {
    const colors =
      'yellow, green, mint, cyan, blue, purple, pink, red, gray, gradient-blue, gradient-purple, gradient-red, gradient-yellow, gradient-brown'
    refuses(
      'a\n\n- b <highlight color="red">c</highlight>\n  d <highlight color="x">e</highlight>',
      `At line 4, column 5: Expected a highlight color, one of ${colors}, found "x"; use one of them, or leave color out for yellow.`,
    )
    refuses(
      'a\n\n# b <highlight>c',
      'At line 3, column 5: Expected </highlight> after <highlight>, found the end of the text first;',
    )
  })
})

describe('lists whose first item has no text', () => {
  it('should be accepted', () => {
    reads('# a\n- ', [text('a', { textStyle: 'h1' }), bullet('')])
    reads('a\n\n- \n- b', [text('a'), bullet(''), bullet('b')])
  })
  it('should be accepted if the text follows on the next line', () => reads('-\n  a', [bullet('a')]))
})

describe('quotes around tags', () => {
  it('should mark their content', () =>
    reads('> <callout>a</callout>\n>\n> b', [
      { ...callout('a'), decorations: { callout: true, quote: true } },
      quote('b'),
    ]))
})
