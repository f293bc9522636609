/** Jobs in collections: sorting, filtering, cells, rows, columns, cards and days. */
import type { Locator } from 'playwright-core'
import type { Job, Person } from './person.ts'

interface Item {
  title: string
  properties: Record<string, unknown>
}

const itemsOf = async ({ look, office }: Person): Promise<Item[]> =>
  (await look('items_list', { collectionId: office.sample.suppliers, maxDepth: 0 })).items

const cellValue = (person: Person, title: string, key: string) => async () =>
  (await itemsOf(person)).find((item) => item.title === title)?.properties[key]

/** The titles of the rows as the page shows them. */
const shownRows =
  ({ page }: Person) =>
  async () =>
    // The page may be loading another order.
    (
      await page
        .locator('table[data-view] tbody tr a')
        .allTextContents()
        .catch(() => [])
    ).filter((text) => ['Nordkran', 'Hafenbau Lübeck', 'Maritime Lifting', 'Tall Cranes'].includes(text.trim()))

const cell = ({ page }: Person, row: string, key: string): Locator =>
  page.locator('tr', { has: page.getByRole('link', { name: row, exact: true }) }).locator(`[data-key="${key}"]`)

const suppliers = ({ suppliers: id }: Person['office']['sample']) => `/collections/${id}`

async function openTable(person: Person): Promise<void> {
  await person.open(suppliers(person.office.sample))
  await person.page.locator('.tabs a:text-is("All")').click()
  await person.see('table[data-view] .column-edge')
}

export const TABLE_JOBS: readonly Job[] = [
  {
    name: 'Sort a table',
    async run(person) {
      await openTable(person)
      await person.click('th[data-column="price"] a')
      await person.expect(['Nordkran', 'Hafenbau Lübeck', 'Maritime Lifting'], shownRows(person))
      await person.click('th[data-column="price"] a')
      await person.expect('Hafenbau Lübeck', async () => (await shownRows(person)())[0])
    },
  },
  {
    name: 'Filter a table',
    async run(person) {
      await openTable(person)
      await person.click(person.button('Filter'))
      await person.click(
        person.page.getByRole('menuitem', { name: 'Status' }).or(person.link('Status')).or(person.button('Status')),
      )
      const form = person.page.getByRole('dialog').or(person.page.locator('[popover]:popover-open, form.filter'))
      await form.first().waitFor()
      await person.click(form.getByLabel('asked').or(form.getByText('asked', { exact: true })))
      await person.click(form.getByRole('button', { name: /Filter|Show|Apply|Save/ }))
      await person.expect(['Maritime Lifting'], shownRows(person))
    },
  },
  {
    name: 'Change a cell',
    async run(person) {
      await openTable(person)
      await person.click(cell(person, 'Maritime Lifting', 'price'))
      await person.write('39000')
      await person.press('Enter')
      await person.expect(39000, cellValue(person, 'Maritime Lifting', 'price'))
    },
  },
  {
    name: 'Copy two cells to another row',
    async run(person) {
      await openTable(person)
      await cell(person, 'Nordkran', 'price').focus()
      await person.press('Shift+ArrowRight')
      const copied = await person.copy()
      await cell(person, 'Maritime Lifting', 'price').focus()
      await person.paste({ 'text/plain': copied })
      person.clicks += 2
      await person.expect(48200, cellValue(person, 'Maritime Lifting', 'price'))
      await person.expect('2026-11-17', cellValue(person, 'Maritime Lifting', 'answered'))
    },
  },
  {
    name: 'Add a row',
    async run(person) {
      await openTable(person)
      await person.click(person.link('New row…'))
      await person.see('dialog input[name="title"], dialog textarea[name="title"]')
      await person.write('Tall Cranes')
      await person.press('Enter')
      await person.expect(true, async () => (await itemsOf(person)).some(({ title }) => title === 'Tall Cranes'))
    },
  },
  {
    name: 'Set one value for several rows',
    async run(person) {
      await openTable(person)
      for (const row of ['Nordkran', 'Hafenbau Lübeck']) await person.click(person.page.getByLabel(`Select ${row}`))
      await person.click(person.button('Change the selected rows…'))
      const form = person.page.getByRole('dialog')
      await form.getByLabel('Column').selectOption('Status')
      await form.locator('select').nth(1).selectOption({ label: 'asked' })
      person.clicks += 4
      await person.click(form.getByRole('button', { name: 'Set for 2 rows' }))
      await person.expect('asked', cellValue(person, 'Nordkran', 'status'))
      await person.expect('asked', cellValue(person, 'Hafenbau Lübeck', 'status'))
    },
  },
  {
    name: 'Move a column',
    async run(person) {
      await openTable(person)
      const columns = async () =>
        (
          await person.page
            .locator('th[data-column]')
            .evaluateAll((all) => all.map((one) => one.getAttribute('data-column')))
        ).indexOf('site')
      const before = await columns()
      await person.page.locator('th[data-column="site"] a').focus()
      person.clicks += 1
      await person.press('Control+ArrowLeft')
      await person.expect(before - 1, columns)
    },
  },
  {
    name: 'Hide a column',
    async run(person) {
      await openTable(person)
      await person.click(person.button('Columns'))
      await person.click(person.page.getByLabel('Site', { exact: true }))
      await finishColumns(person)
      await person.seeGone('th[data-column="site"]')
    },
  },
  {
    name: 'Move a card to another group',
    async run(person) {
      await person.open(suppliers(person.office.sample))
      await person.page.locator('.tabs a:text-is("By status")').click()
      const card = '[data-item]:has-text("Maritime Lifting")'
      await person.see(`.moves [data-board] ${card}`)
      const before = await cellValue(person, 'Maritime Lifting', 'status')()
      await person.page.locator(`${card} a`).first().focus()
      person.clicks += 1
      await person.press(before === 'asked' ? 'Control+ArrowLeft' : 'Control+ArrowRight')
      await person.expect(before === 'asked' ? 'in' : 'asked', cellValue(person, 'Maritime Lifting', 'status'))
    },
  },
  {
    name: 'Move a row to another day',
    async run(person) {
      await person.open(suppliers(person.office.sample))
      await person.page.locator('.tabs a:has-text("Calendar")').click()
      await person.see('[data-item]:has-text("Nordkran")')
      await person.page.locator('[data-item]:has-text("Nordkran") a').first().focus()
      person.clicks += 1
      await person.press('Control+ArrowRight')
      await person.expect('2026-11-18', cellValue(person, 'Nordkran', 'answered'))
    },
  },
]

async function finishColumns(person: Person): Promise<void> {
  const go = person.page.locator('dialog[open] button.go, [popover]:popover-open button.go').first()
  if (await go.isVisible()) await person.click(go)
}
