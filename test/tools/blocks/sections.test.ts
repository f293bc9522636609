/** The outline of a page, and one section of it. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Answer, type Connected, connect } from '../../connect.ts'
import { contentOf, documentOf } from '../../document.ts'
import { runs } from '../../support/runs.ts'

const MARKDOWN = `Before.

# Goals

One.

## Risks

Two **bold**.

- item

<page>
<pageTitle>Inner</pageTitle>
<content>
# Within

Three.
</content>
</page>

## Über _Dates_

Four.

# Risks

Five.`

const outlineOf = async ({ call }: Connected, id: string): Promise<Answer> => call('blocks_get', { id, outline: true })
const sectionOf = ({ call }: Connected, id: string, section: string, more = {}): Promise<string> =>
  call('blocks_get', { id, section, format: 'markdown', ...more })

test('an outline has the headings with their IDs and the sizes of their sections', async () => {
  const own = await connect()
  const id = await documentOf(own, MARKDOWN, 'Plan')
  const { content, title, revision } = await outlineOf(own, id)
  expect(title.value ?? title).toBe('Plan')
  expect(content.map(({ markdown, sectionSize }: Answer) => [markdown, sectionSize.blocks])).toEqual([
    ['# Goals', 10],
    ['## Risks', 6],
    ['# Within', 2],
    ['## Über *Dates*', 2],
    ['# Risks', 2],
  ])
  expect(content[4].sectionSize).toEqual({ blocks: 2, characters: 'Risks'.length + 'Five.'.length })
  const text = await own.call('blocks_get', { id, outline: true, format: 'markdown' })
  expect(text).toContain(`${content[4].id} # Risks (2 blocks, 10 characters)`)
  expect(text).not.toContain('Five')
  // It cannot be written back as the whole page.
  expect(await own.refused('blocks_update', { pageId: id, markdown: 'x', revision })).toContain('read whole')
})

test('a section is found by its words, or by the ID of its heading', async () => {
  const own = await connect()
  const id = await documentOf(own, MARKDOWN, 'Plan')
  const goals = await sectionOf(own, id, '# goals')
  for (const words of ['One.', 'Two **bold**.', 'Three.', 'Four.']) expect(goals).toContain(words)
  for (const words of ['Before.', 'Five.']) expect(goals).not.toContain(words)
  expect(await sectionOf(own, id, 'uber dates')).toMatch(/Über[\s\S]*Four\./)
  const [, first, within, , last] = (await outlineOf(own, id)).content
  expect(await own.refused('blocks_get', { id, section: 'Risks' })).toBe(
    `Expected one heading as section, found 2 with these words: "Risks" (${first.id}), "Risks" (${last.id}); give the ID of one.`,
  )
  expect(await sectionOf(own, id, last.id)).toMatch(/<content>\n# Risks\n+Five\.\n<\/content>/)
  // A heading in a page of the page has the rest of that page.
  const inner = await own.call('blocks_get', { id, section: within.id })
  expect([inner.title.value ?? inner.title, inner.content.map(({ markdown }: Answer) => markdown)]).toEqual([
    'Inner',
    ['# Within', 'Three.'],
  ])
  expect(await own.refused('blocks_get', { id, section: 'Costs' })).toContain(
    'Expected a heading of the page as section, found "Costs"; its headings are "Goals" (',
  )
  const empty = await documentOf(own, 'x', 'Empty')
  expect(await own.refused('blocks_get', { id: empty, section: 'Costs' })).toContain('it has no headings.')
})

test('a long section is continued with its cursor', async () => {
  const own = await connect()
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`)
  const id = await documentOf(own, `# A\n\nno\n\n# B\n\n${lines.join('\n\n')}\n\n# C`, 'Long')
  const shown: string[] = []
  let cursor: string | undefined
  do {
    const part = await own.call('blocks_get', { id, section: 'B', maxBlocks: 8, ...(cursor && { cursor }) })
    shown.push(...part.content.map(({ markdown }: Answer) => markdown))
    cursor = part.pagination?.cursor
  } while (cursor !== undefined)
  expect(shown).toEqual(['# B', ...lines])
})

test('sections of the top level are the page, and each is as large as the outline says', async () => {
  const line = fc.constantFrom('# a', '## b', '### c', 'text', '- item')
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), async (lines) => {
      const own = await connect()
      const id = await documentOf(own, lines.join('\n\n'), 'Any')
      const whole = (await contentOf(own, id)).map((block) => block.id)
      const { content = [] } = await outlineOf(own, id)
      for (const { id: heading, markdown, sectionSize } of content as Answer[]) {
        const level = markdown.indexOf(' ')
        const section = (await own.call('blocks_get', { id, section: heading })).content.map((one: Answer) => one.id)
        const from = whole.indexOf(heading)
        expect(section).toEqual(whole.slice(from, from + sectionSize.blocks))
        const next = lines[from + sectionSize.blocks]
        if (next !== undefined) expect(/^#+ /.test(next) && next.indexOf(' ') <= level).toBe(true)
      }
    }),
    { numRuns: runs(5, 300) },
  )
})
