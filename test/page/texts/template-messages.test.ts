/** Which texts a template has, and how they are translated. */
import { expect, test } from 'vitest'
import { type Part, templateParts } from '../../../src/page/texts/template-messages.ts'

const template = (strings: TemplateStringsArray, ..._values: unknown[]) => templateParts(strings)
const keysOf = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) =>
    typeof part === 'object' ? [part.key, ...[...part.elements.values()].flatMap((own) => keysOf(own))] : [],
  )
/** The HTML of the template as it is, with the number of each value. */
const source = (parts: readonly Part[]): string =>
  parts
    .map((part) =>
      typeof part !== 'object'
        ? typeof part === 'number'
          ? `{{${part}}}`
          : part
        : part.key
            .split(/(\{\d+\}|<\/?[a-z]+\d*>)/)
            .map((piece) => {
              const own = part.elements.get(piece)
              return own ? source(own) : piece.replace(/^\{(\d+)\}$/, (_, n) => `{{${part.values[Number(n)]}}}`)
            })
            .join(''),
    )
    .join('')

test.each<[string, Part[], string[], string]>([
  [
    'a sentence with its links',
    template`<p class="about">You comment as <b dir="auto">${1}</b>. <a href="${2}" title="Of ${3}">Change</a></p>`,
    ['You comment as <b>{0}</b>. <a>Change</a>', 'Of {0}'],
    '<p class="about">You comment as <b dir="auto">{{0}}</b>. <a href="{{1}}" title="Of {{2}}">Change</a></p>',
  ],
  [
    'links without words beside them',
    template`<li><a href="${1}">Edit</a> <a href="${2}">Delete</a>${3}</li>`,
    ['Edit', 'Delete'],
    '<li><a href="{{0}}">Edit</a> <a href="{{1}}">Delete</a>{{2}}</li>',
  ],
  [
    'two links in a sentence',
    template`<p><a>A</a> or <a>B</a></p>`,
    ['<a>A</a> or <a2>B</a2>'],
    '<p><a>A</a> or <a>B</a></p>',
  ],
  ['a value and a word', template`${1} more`, ['{0} more'], '{{0}} more'],
  ['attributes alone', template` class="broad ${1}" title="Wide"`, ['Wide'], ' class="broad {{0}}" title="Wide"'],
  ['a word that is an attribute', template` open`, [], ' open'],
  ['code alone', template`<code>npm start</code>`, [], '<code>npm start</code>'],
  [
    'fields beside their label',
    template`<label>Name <input name="a"${1}></label>`,
    ['Name'],
    '<label>Name <input name="a"{{0}}></label>',
  ],
  ['an element that goes on', template`<b>Bold ${1}`, ['Bold {0}'], '<b>Bold {{0}}'],
  ['punctuation', template`<b>${1}</b> · ${2}`, [], '<b>{{0}}</b> · {{1}}'],
])('%s', (_, parts, keys, html) => {
  expect(keysOf(parts)).toEqual(keys)
  expect(source(parts)).toBe(html)
})
