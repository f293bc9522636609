/** Which file a link leads to. */
import { describe, expect, test } from 'vitest'
import { NoteIndex } from '../../../src/import/markdown/note-index.ts'
import { parseAddressLink, parseWikiLink } from '../../../src/import/markdown/note-links.ts'

const note = (path: string, ...aliases: string[]) => ({ path, aliases, isNote: true })
const index = new NoteIndex([
  note('Plan.md'),
  note('work/Plan.md'),
  note('work/deep/Plan.md'),
  note('work/Crème.md', 'Cream', 'Dessert'),
  note('only/here/Odd name.md'),
  note('v1.2 notes.md'),
  { path: 'img/Plan.png', aliases: [], isNote: false },
  { path: 'docs/index.md', aliases: [], isNote: true },
])

const wiki = (text: string, from = 'work/Start.md') => index.find(parseWikiLink('', '', text), from)?.path
const link = (address: string, from = 'work/Start.md') => {
  const parsed = parseAddressLink(address, false)
  return parsed && index.find(parsed, from)?.path
}

describe('a wiki link', () => {
  test.each([
    ['Plan', 'Plan.md'],
    ['plan', 'Plan.md'],
    ['work/plan', 'work/Plan.md'],
    ['deep/Plan', 'work/deep/Plan.md'],
    ['./Plan', 'work/Plan.md'],
    ['Odd name', 'only/here/Odd name.md'],
    ['Odd name.md', 'only/here/Odd name.md'],
    ['here/Odd name', 'only/here/Odd name.md'],
    ['Plan.png', 'img/Plan.png'],
    ['Cre\u0300me', 'work/Crème.md'],
    ['dessert', 'work/Crème.md'],
    ['v1.2 notes', 'v1.2 notes.md'],
    ['#Heading', undefined],
    ['nope', undefined],
    ['../../Plan', undefined],
    ['ere/Odd name', undefined],
  ])('%s leads to %s', (text, path) => expect(wiki(text)).toBe(path))

  test('without a path leads to the note of the same folder first', () => {
    const two = new NoteIndex([note('a/Same.md'), note('b/Same.md')])
    expect(two.find(parseWikiLink('', '', 'Same'), 'b/Start.md')?.path).toBe('b/Same.md')
    expect(two.find(parseWikiLink('', '', 'Same'), 'Start.md')?.path).toBe('a/Same.md')
  })
})

describe('a Markdown link', () => {
  test.each([
    ['Plan.md', 'work/Plan.md'],
    ['../Plan.md', 'Plan.md'],
    ['/Plan.md', 'Plan.md'],
    ['deep/Plan.md#goals', 'work/deep/Plan.md'],
    ['<../only/here/Odd name.md>', 'only/here/Odd name.md'],
    ['../only/here/Odd%20name.md', 'only/here/Odd name.md'],
    ['../docs', 'docs/index.md'],
    ['../docs/', 'docs/index.md'],
    ['../../Plan.md', undefined],
    ['https://example.org/Plan.md', undefined],
    ['mailto:a@b.example', undefined],
  ])('%s leads to %s', (address, path) => expect(link(address)).toBe(path))
})
