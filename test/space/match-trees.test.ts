import { describe, expect, test } from 'vitest'
import { type ComparableTree, matchTrees, SIMILARITY_COST } from '../../src/space/blocks/match-trees.ts'

const block = (key: string): ComparableTree => ({ type: 'text', key, content: [] })
const page = (keys: readonly string[]): ComparableTree => ({ type: 'page', key: 'page', content: keys.map(block) })

/** For each block after an edit, the block before it that it is matched with. */
async function matched(before: readonly string[], after: readonly string[]): Promise<(string | undefined)[]> {
  const [old, edited] = [page(before), page(after)]
  const matches = await matchTrees(old, edited)
  return edited.content.map((one) => matches.get(one)?.key.slice(0, 20).trim())
}

const BEFORE = ['permits take six weeks', 'cranes rust in winter']
const AFTER = ['an introduction', 'cranes rust in the winter', 'permits take nine weeks']

describe('blocks between the same neighbors', () => {
  test('are matched by similarity', async () => {
    expect(await matched(BEFORE, AFTER)).toEqual([undefined, 'cranes rust in winte', 'permits take six wee'])
  })

  test('are matched in order if they are too long to be compared', async () => {
    const long = (text: string) => `${text}${' '.repeat(SIMILARITY_COST / 5)}`
    expect(await matched(BEFORE.map(long), AFTER.map(long))).toEqual([
      'permits take six wee',
      'cranes rust in winte',
      undefined,
    ])
  })

  test('are compared within one limit for the whole page', async () => {
    // Between headings that stay, each gap may be compared, but not all of them together.
    const headings = ['# the first heading', '# the second heading', '# the third heading']
    const gap = (index: number, text: string) => `${text}${index}${' '.repeat(SIMILARITY_COST / 20)}`
    const content = (keys: readonly string[]) =>
      headings.flatMap((heading, index) => [heading, ...keys.map((key) => gap(index, key))])
    const found = await matched(content(BEFORE), content(AFTER))
    const swapped = [undefined, 'cranes rust in winte', 'permits take six wee']
    const inOrder = ['permits take six wee', 'cranes rust in winte', undefined]
    expect(found.filter((one) => !one?.startsWith('#'))).toEqual([...swapped, ...swapped, ...inOrder])
  })
})
