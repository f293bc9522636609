/** Hostile notes: the check of each is bounded. */
import { expect, test } from 'vitest'
import { checkLosses } from '../../src/import/check-losses.ts'
import { plainContent } from '../../src/space/import/imported-content.ts'

test('a text on which remark takes too long is compared by its words and numbers', async () => {
  const problems = await checkLosses({
    ...{ path: 'a.md', source: `one two 3\n\n${'>'.repeat(30_000)}\n`, language: 'note', linesBefore: 3, problems: [] },
    content: plainContent([{ type: 'text', text: 'one' }]),
    endOf: ({ value }) => ({ address: value }),
  })
  expect(problems.map(({ line, message, detail }) => [line, message, detail])).toEqual([
    [4, 'Words are missing in the document.', 'two'],
    [4, 'Numbers are missing in the document.', '3'],
    [undefined, 'Only its words and numbers were compared with the source, since that takes too long.', undefined],
  ])
})
