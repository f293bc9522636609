import { describe, expect, test } from 'vitest'
import { Formulas } from '../../src/page/blocks/formula-html.ts'
import { inlineHtml } from '../../src/page/blocks/inline-content-html.ts'
import { links, SPACE_ID } from './writing.ts'

const shown = (text: string): string => String(inlineHtml(text, { links, formulas: new Formulas() }))
const out = (url: string, label = url) =>
  `<a class="out" href="${url}" rel="noopener noreferrer" target="_blank">${label}</a>`

describe('links', () => {
  test.each([
    ['[a](block://100000000001)', '<a href="/view/key/d/100000000001">a</a>'],
    ['[a](date://2026-11-20)', '<a href="/view/key/days/2026-11-20">a</a>'],
    ['[a](scriptorium://files/100000000002)', '<a href="/view/key/files/100000000002">a</a>'],
    [`[a](scriptorium://open?spaceId=${SPACE_ID}&blockId=100000000003)`, '<a href="/view/key/d/100000000003">a</a>'],
    [`[a](https://editor.example/d/${SPACE_ID}/100000000004)`, '<a href="/view/key/d/100000000004">a</a>'],
    ['[a](https://b.example/c?d=1&e=2)', out('https://b.example/c?d=1&amp;e=2', 'a')],
    ['<https://b.example/>', out('https://b.example/')],
    [
      '<me@b.example>',
      '<a class="out" href="mailto:me@b.example" rel="noopener noreferrer" target="_blank">me@b.example</a>',
    ],
    ['see https://b.example/c.', `see ${out('https://b.example/c')}.`],
  ])('%s', (text, html) => {
    expect(shown(text)).toBe(html)
  })

  test.each([
    'invalid:out_of_scope',
    'invalid:unsafe_address',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'date://soon',
  ])('%s leads nowhere', (url) => {
    expect(shown(`[a](<${url}>)`)).toBe('<span class="dead" title="This link leads nowhere from here">a</span>')
  })

  test('a link to another space is one to its page elsewhere', () => {
    const url = 'https://editor.example/d/00000000-0000-7000-8000-000000000009/100000000004'
    expect(shown(`[a](${url})`)).toBe(out(url, 'a'))
  })

  test('a link in a link is text', () => {
    expect(shown('[a <https://c.example>](https://b.example)')).not.toMatch(/<a[^>]*>[^<]*<a/)
  })
})

test('tags are links to their lists, except in links and code', () => {
  const list = (tag: string) => `<a class="hashtag" href="/view/key/tags?tag=${encodeURIComponent(tag)}">#${tag}</a>`
  expect(shown('#one, **#two/übung** `#no`')).toBe(
    `${list('one')}, <strong>${list('two/übung')}</strong> <code>#no</code>`,
  )
  expect(shown('[#a](block://100000000001) b#c #1')).toBe('<a href="/view/key/d/100000000001">#a</a> b#c #1')
})

test('images in a text are shown if they belong to the space', () => {
  expect(shown('![q](scriptorium://files/100000000002)')).toBe(
    '<img src="/view/key/files/100000000002" alt="q" loading="lazy">',
  )
  expect(shown('![q](https://b.example/c.png)')).toBe(out('https://b.example/c.png', 'q'))
})

test('formulas in a text are MathML without styles, which the policy would block', async () => {
  const formulas = new Formulas()
  const words = inlineHtml('$\\begin{pmatrix} 1 & 2 \\end{pmatrix}$ and $\\nothing$', { links, formulas })
  const [text] = await formulas.fill([words])
  expect(String(text)).toMatch(/^<math>.* and <code>\\nothing<\/code>$/s)
  expect(String(text)).not.toContain('style=')
})

test('a text too long to be parsed for marks is shown without them', () => {
  const long = `**${'word '.repeat(10_000)}**`
  const text = shown(long)
  expect(text).not.toContain('<strong>')
  expect(text.length).toBeGreaterThan(40_000)
})
