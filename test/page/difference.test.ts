import { createTwoFilesPatch } from 'diff'
import { describe, expect, test } from 'vitest'
import { differenceHtml, parseDifference } from '../../src/page/calls/difference.ts'

/** In the format of `history_list`. */
const diffOf = (title: string, before: string, after: string): string =>
  createTwoFilesPatch(title, title, before, after, 'before', 'after').split('\n').slice(1).join('\n').trimEnd()

const shown = (before: string, after: string): string =>
  String(differenceHtml(parseDifference(diffOf('Plan', `${before}\n`, `${after}\n`)), false))

const lines = (text: string): string[] =>
  [...text.matchAll(/<p class="(added|removed|same)">(?:<span.*?<\/span>)*(.*?)<\/p>/gs)].map(
    ([, kind = '', words = '']) => `${kind[0]} ${words}`,
  )

describe('a diff', () => {
  test('marks changed words', () => {
    expect(lines(shown('Permits take six weeks.', 'Permits take nine weeks.'))).toEqual([
      'r Permits take <del>six</del> weeks.',
      'a Permits take <ins>nine</ins> weeks.',
    ])
  })

  test('marks nothing in lines with little in common', () => {
    expect(lines(shown('Permits take six weeks.', 'Cranes rust.'))).toEqual([
      'r Permits take six weeks.',
      'a Cranes rust.',
    ])
  })

  test('shows no tags, and tasks with their boxes', () => {
    expect(lines(shown('- [ ] <callout>The task</callout>', '- [x] The task'))).toEqual([
      'r <del>☐</del> The task',
      'a <ins>☑</ins> The task',
    ])
  })

  test('shows marks where only they changed, and nothing for a new comment', () => {
    expect(lines(shown('a [b](block://100000000001) c', 'a [b](block://100000000002) c'))).toHaveLength(2)
    expect(lines(shown('words', '<comment id="1">words</comment>'))).toEqual([])
  })

  test('escapes text', () => {
    expect(shown('a', '<img src=x onerror=alert(1)>')).toContain('&lt;img src=x onerror=alert(1)&gt;')
  })

  test('separates documents, whatever their lines begin with', () => {
    const diff = [diffOf('One', '-- a\n', '-- b\n'), 'Two: the text is the same.', diffOf('Three', '', 'new\n')].join(
      '\n',
    )
    const documents = parseDifference(diff)
    expect(documents.map(({ title, note, parts }) => [title, note, parts.flat().length])).toEqual([
      ['One', undefined, 2],
      ['Two', 'the text is the same.', 0],
      ['Three', undefined, 1],
    ])
  })

  test('says so if nothing changed', () => {
    expect(String(differenceHtml(parseDifference(''), false))).toContain('The text is the same.')
  })
})
