/** A list does not move under the pointer: what is new waits until the pointer has left, or until it is asked for. */
import { program } from '../../page/sample-space.ts'
import type { Interaction } from './interactions.ts'
import { middleOf } from './pointer.ts'
import type { Report } from './report.ts'

export async function leaveRowsInPlace({ page, base, office }: Interaction, report: Report): Promise<void> {
  // What one program adds in a while is one row.
  const add = (title: string) =>
    program(office.space, `checker of ${title}`)('documents_add', { documents: [{ title }] })
  await add('Before')
  await page.goto(`${base}/now`)
  const row = '#feed > ul > li:first-child'
  const firstRow = () => page.locator(`${row} > .what`).textContent()
  const rowIs = (title: string) => async () => (await firstRow())?.includes(title)
  await report.expect('a list shows the last call', rowIs('Before'), true)
  const { x, y } = await middleOf(page, row)
  await page.mouse.move(x, y)
  await add('First')
  const offer = () => page.locator('#feed > .held').textContent()
  await report.expect('a new row waits', offer, 'Show 1 new')
  await add('Second')
  await report.expect('so does the next one', offer, 'Show 2 new')
  await report.expect('the row under the pointer stays', rowIs('Before'), true)
  await page.locator('#feed > .held').click()
  await report.expect('new rows are shown when asked for', rowIs('Second'), true)
  await add('Third')
  await report.expect('and wait again', offer, 'Show 1 new')
  await page.mouse.move(2, 2)
  await report.expect('until the pointer has left', rowIs('Third'), true)
}
