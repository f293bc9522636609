/** What the browser prints of a document: its text, and none of the controls around it. */
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { agent, type OpenedDocument, openDocument, robot } from './opened-document.ts'

const opened: OpenedDocument[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) {
    await one.page.emulateMedia({ media: null })
    await one.close()
  }
})

const TEXT = `Permits take six weeks.

- [ ] Compare quotes with last year's prices
- [x] Ask three suppliers for quotes
- [ ]

+ What the insurer wants
  - The report of the diver

> Nobody lifts anything over the promenade.

<callout>Nothing is ordered before they are in.</callout>

\`\`\`python
def load(force: float, length: float) -> float:
    return force / length
\`\`\`

| Part | Checked |
| --- | :-: |
| Hook | yes |

<page><pageTitle>Foundation survey</pageTitle><content>
What the diver looks at.
</content></page>

More is on [the port's own page](https://port.example.org/quay).`

async function furnished(): Promise<OpenedDocument> {
  const anna = await openDocument(TEXT)
  opened.push(anna)
  const [first = '', task = ''] = await anna.ids()
  await agent('POST /comments', {
    comments: [
      { blockId: first, words: 'six', content: 'Who says so?' },
      { blockId: task, content: 'The usual company?' },
    ],
  })
  await agent('PUT /tasks', { tasksToUpdate: [{ id: task, taskInfo: { scheduleDate: '2026-11-25' } }] })
  await robot('PUT /blocks', { blocks: [{ id: first, markdown: 'Permits take nine weeks.' }] })
  for (const name of ['Suppliers', 'Prices']) {
    const { collectionBlockId: collectionId = '' } = await agent('POST /collections', {
      schema: {
        name,
        properties: [
          { type: 'singleSelect', name: 'Status', options: [{ name: 'in' }, { name: 'asked' }] },
          { type: 'boolean', name: 'Certified' },
          { type: 'date', name: 'Answered' },
        ],
      },
      position: { position: 'end', pageId: anna.id },
    })
    await agent(`POST /collections/${collectionId}/items`, {
      items: [
        { title: 'Nordkran', properties: { status: 'in', certified: true } },
        { title: 'Hafenbau', properties: { status: 'asked', answered: '2026-11-17' } },
      ],
    })
    if (name === 'Prices') {
      const view = { name: 'By status', type: 'kanban', groupBy: [{ property: 'status' }] }
      await agent(`POST /collections/${collectionId}/views`, { view })
    }
  }
  await anna.page.reload()
  await anna.page.locator('html.edits').waitFor()
  return anna
}

/** What is on paper and can be pressed, apart from the boxes of tasks. */
const controls = (page: Page): Promise<string[]> =>
  page
    .locator('body')
    .evaluate((body) =>
      [...body.querySelectorAll('button:not(.box), select, textarea, input, a.button, [role="button"], .comments')]
        .filter((one) => one.checkVisibility())
        .map((one) => one.outerHTML.slice(0, 120)),
    )

/** The lines that are seen, without the names that only screen readers have. */
const linesOf = (page: Page): Promise<string[]> =>
  page.locator('body').evaluate((found) => {
    const body = found as HTMLElement
    for (const one of body.querySelectorAll('.hidden')) one.remove()
    // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is no text on paper
    return body.innerText
      .split(/[\n\t]+/)
      .map((line) => line.trim())
      .filter((line) => line !== '')
  })

const LINES = [
  ...['Plan', 'Permits take six weeks.', "Compare quotes with last year's prices", 'Wed, Nov 25'],
  ...['Ask three suppliers for quotes', 'What the insurer wants', 'The report of the diver'],
  ...['Nobody lifts anything over the promenade.', 'Nothing is ordered before they are in.'],
  ...['def load(force: float, length: float) -> float:', 'return force / length', 'Part', 'Checked', 'Hook', 'yes'],
  ...['Foundation survey', 'What the diver looks at.', "More is on the port's own page."],
  ...['Suppliers', 'Title', 'Status', 'Certified', 'Answered', 'Nordkran', 'in', 'Hafenbau', 'asked', 'Tue, Nov 17'],
  ...['Prices', 'in 1', 'Nordkran', 'Certified', 'asked 1', 'Hafenbau', 'Tue, Nov 17'],
]

test('a document is printed without comments, suggestions and controls, for writers and readers', async () => {
  const anna = await furnished()
  const rita = await anna.inAnotherBrowser('Rita')
  opened.push(rita)
  for (const { page } of [anna, rita]) {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ media: 'print' })
      await page.screenshot({ path: `/tmp/h2-print-${page === anna.page ? 'w' : 'r'}-${width}.png`, fullPage: true })
      expect(await controls(page)).toEqual([])
    }
    // Readers see a word in place of a box.
    const lines = (await linesOf(page)).filter((line, index, all) => line !== 'yes' || all[index - 1] !== 'in')
    expect(lines).toEqual(LINES)
    await page.setViewportSize({ width: 1280, height: 900 })
  }
})
