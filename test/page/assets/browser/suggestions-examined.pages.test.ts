/** A document with suggestions of every kind, examined with axe: for who decides, for who suggests, and for who comments. */
import { afterEach, expect, test } from 'vitest'
import { examine, THEMES, WIDTHS } from '../../../prove/pages/browser.ts'
import { agent, type OpenedDocument, openDocument, type Person, robot } from './opened-document.ts'

const opened: OpenedDocument[] = []
afterEach(async () => {
  for (const { page } of opened) await page.setViewportSize(WIDTHS.desktop)
  for (const one of opened.splice(0)) await one.close()
})

const TEXT = `one two

three four

gone

moved

| A | B |
| --- | --- |
| 1 | 2 |

- [ ] task

\`\`\`ts
code()
\`\`\`

the quay is closed

<callout title="Mind" icon="tip">
the tide table

is old
</callout>

![A pier](https://example.com/pier.png)`

/** What is added, of types that have another look than text. */
const ADDED = `<callout title="Read me" color="#ff0000" folded="true">
Careful

- [ ] with this

<callout icon="\u26a0\ufe0f">
and that
</callout>
</callout>

\`\`\`js
let a = 1
\`\`\`

$$
a^2
$$

******

<page>
<pageTitle>Trip</pageTitle>
<content>
## Day one

[Site](https://example.com/)
</content>
</page>`

/** A document with what an agent suggests for it. */
async function suggested(): Promise<OpenedDocument> {
  const anna = await openDocument(TEXT)
  opened.push(anna)
  const [one, three, gone, moved, table, task, code, quay, tide, , pier] = await anna.ids()
  const schema = {
    name: 'Jobs',
    properties: [
      { name: 'Cost', type: 'number' },
      { name: 'State', type: 'singleSelect', options: [{ name: 'Open' }, { name: 'Done' }] },
    ],
  }
  const { collectionBlockId } = await agent('POST /collections', {
    ...{ schema, position: { position: 'end', pageId: anna.id } },
  })
  const path = `/collections/${collectionBlockId}/items`
  const rows = [{ title: 'Dig', properties: { Cost: 1, State: 'Open' } }, { title: 'Fill' }]
  const { items } = await agent(`POST ${path}`, { items: rows })
  await robot('PUT /blocks', {
    blocks: [
      { id: anna.id, title: 'Another plan' },
      { id: one, markdown: 'one [two](https://example.com/a)', base: 'one two' },
      { id: three, markdown: '## three four' },
      { id: table, markdown: '| A | C | B |\n| --- | --- | --- |\n| 1 |  | 3 |\n| 4 | 5 | 6 |' },
      { id: code, markdown: '```ts\nother()\n```' },
      { id: quay, markdown: 'the quay is open', base: 'the quay is closed' },
      { id: tide, markdown: '<callout>the tide tables</callout>', base: '<callout>the tide table</callout>' },
      { id: pier, markdown: '![A new pier](https://example.com/new.png)' },
    ],
  })
  await robot('PUT /tasks', { tasksToUpdate: [{ id: task, taskInfo: { state: 'done', scheduleDate: '2026-12-01' } }] })
  await robot('DELETE /blocks', { blockIds: [gone] })
  await robot('PUT /blocks/move', { blockIds: [moved], position: { position: 'before', siblingId: one } })
  await robot('POST /blocks', { markdown: 'new\n\n> quoted', position: { position: 'after', siblingId: one } })
  await robot('POST /blocks', { markdown: ADDED, position: { position: 'after', siblingId: pier } })
  await robot(`PUT ${path}`, { itemsToUpdate: [{ id: items[0]?.id, properties: { Cost: 2, State: 'Done' } }] })
  await robot(`DELETE ${path}`, { idsToDelete: [items[1]?.id] })
  await robot(`POST ${path}`, { items: [{ title: 'Plant', markdown: 'Trees.', properties: { Cost: 3 } }] })
  await agent('PUT /blocks', { blocks: [{ id: quay, markdown: 'the quay is flooded' }] })
  return anna
}

async function faultsOf({ page }: OpenedDocument): Promise<string[]> {
  const faults: string[] = []
  for (const width of ['desktop', 'phone'] as const) {
    await page.setViewportSize(WIDTHS[width])
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme })
      faults.push(...(await examine(page, theme)).faults.map((fault) => `${width} ${theme}: ${fault}`))
      const { PICTURES } = process.env
      if (PICTURES) await page.screenshot({ path: `${PICTURES}-${width}-${theme}.png`, fullPage: true })
    }
  }
  return faults
}

const examined = async (person: Person, prepare: (one: OpenedDocument) => Promise<void> = async () => {}) => {
  const anna = await suggested()
  const one = person === 'Anna' ? anna : await anna.inAnotherBrowser(person)
  if (one !== anna) opened.push(one)
  await prepare(one)
  return faultsOf(one)
}

test('for who decides', async () => {
  const faults = await examined('Anna', async ({ page }) => {
    await page.locator('.suggestion', { hasText: 'words that are gone' }).waitFor()
    await expect.poll(() => page.locator('tr.suggested').count()).toBe(2)
    for (const does of ['changes words', 'adds this', 'removes this', 'moves this', 'changes this', 'adds this row'])
      expect(await page.locator('.suggestion', { hasText: does }).count(), does).toBeGreaterThan(0)
  })
  expect(faults).toEqual([])
})

test('for who suggests, beside what they type', async () => {
  const faults = await examined('Robot', async (one) => {
    await one.caretAt('three four')
    await one.type(' five')
    await one.page.getByRole('button', { name: 'Withdraw what you suggest here' }).waitFor()
    await one.page.getByRole('button', { name: 'Withdraw all', exact: true }).waitFor()
  })
  expect(faults).toEqual([])
})

test('for who comments', async () => {
  const faults = await examined('Cora', async ({ page }) => {
    expect(await page.locator('.suggestion, ins').count()).toBe(0)
    const [view, path] = page.url().split(/(?=\/d\/)/)
    await page.goto(`${view}/name?${new URLSearchParams({ back: path ?? '' })}`)
    await page.getByRole('textbox', { name: 'Name' }).fill('Cora')
    await page.locator('form button.go').click()
    await page.waitForURL((url) => url.pathname.endsWith(path ?? ''))
    await page.getByText('You comment as').waitFor()
  })
  expect(faults).toEqual([])
})
