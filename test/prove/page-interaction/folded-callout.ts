/** Folds and unfolds callouts by their titles, with one inside another, and by keys. */
import { program } from '../../page/sample-space.ts'
import type { Interaction } from './interactions.ts'
import type { Report } from './report.ts'

const MARKDOWN = `<callout title="Outer">

first of the outer

<callout title="Inner" folded="true">

inside the inner

</callout>

last of the outer

</callout>

after both`

export async function foldCallouts({ page, base, office }: Interaction, report: Report): Promise<void> {
  const call = program(office.space, 'checker')
  const { id } = (await call('documents_add', { documents: [{ title: 'Callouts', markdown: MARKDOWN }] })).items[0]
  await page.goto(`${base}/d/${id}`)
  await page.locator('.edits article').waitFor()
  const title = (name: string) => page.locator(`.callout-fold:text-is("${name}")`)
  const texts = ['first of the outer', 'inside the inner', 'last of the outer', 'after both']
  const shown = async () => {
    const visible = await Promise.all(texts.map((text) => page.getByText(text, { exact: true }).isVisible()))
    return texts.filter((_, index) => visible[index])
  }
  const [first, , last, after] = texts
  await report.expect('a callout that is stored folded begins so', shown, [first, last, after])
  await title('Inner').click()
  await report.expect('a folded callout is unfolded by its title', shown, texts)
  await title('Outer').click()
  await report.expect('a callout is folded with the one in it', shown, [after])
  await title('Outer').focus()
  await page.keyboard.press('Enter')
  await report.expect('it is unfolded by a key, as it was', shown, texts)
}
