/** A formula within a text is shown as in print, and its source is changed in a field. */
import { program } from '../../page/sample-space.ts'
import type { Interaction } from './interactions.ts'
import type { Report } from './report.ts'

export async function changeFormula({ page, base, office, isTouch }: Interaction, report: Report): Promise<void> {
  const call = program(office.space, 'checker')
  const documents = [{ title: 'Formula', markdown: 'The area is $a^2$, and the price $p$.' }]
  const { id } = (await call('documents_add', { documents })).items[0]
  const stored = async () =>
    (await call('blocks_get', { id })).content.map((block: { markdown: string }) => block.markdown)
  await page.goto(`${base}/d/${id}`)
  await page.locator('.edits article').waitFor()
  // Beside each stands its source, which browsers do not show.
  const shown = () => page.locator('.md-formula math semantics > :first-child').allTextContents()
  await report.expect('formulas are shown', shown, ['a2', 'p'])
  const formula = page.locator('.md-formula').first()
  await (isTouch ? formula.tap() : formula.click())
  await page.locator('.text-field input:focus').waitFor()
  await page.keyboard.press('End')
  await page.keyboard.type('+b')
  await page.keyboard.press('Enter')
  await report.expect('the source of a formula is changed', stored, ['The area is $a^2+b$, and the price $p$.'])
  await report.expect('it is shown as changed', shown, ['a2+b', 'p'])
}
