/** Examines every form that pages show in a dialog, at both widths and in both themes, and saves pictures. */
import type { Page } from 'playwright-core'
import { addGroup } from '../../../src/space/members/groups.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { program } from '../../page/sample-space.ts'
import { examine, saveScreenshot, THEMES, type Width } from '../pages/browser.ts'
import type { PageServer } from '../pages/page-server.ts'

/** Adds a document with a table and a calendar. @returns its ID */
async function addDocumentWithForms({ space }: PageServer): Promise<string> {
  const call = program(space, 'editor')
  const pageId = (await call('documents_add', { documents: [{ title: 'Visits' }] })).items[0].id
  const day = { type: 'date', name: 'Day' }
  const properties = [{ type: 'singleSelect', name: 'State', options: [{ name: 'planned' }, { name: 'over' }] }, day]
  for (const name of ['Visits', 'Calendar of visits']) {
    const schema = { name, properties }
    const position = { position: 'end', pageId }
    const { collectionBlockId: collectionId } = await call('collections_add', { schema, position })
    const items = [
      { title: 'The insurer', properties: { state: 'planned', day: '2026-11-12' } },
      { title: 'The diver', properties: { state: 'over' } },
    ]
    await call('items_add', { collectionId, items })
    if (name === 'Visits') continue
    const view = { name: 'Days', type: 'kanban', groupBy: [{ property: 'day' }] }
    const { id: viewId } = await call('views_add', { collectionId, view })
    await call('views_activate', { collectionId, viewId })
  }
  return pageId
}

/**
 * The forms, named for their pictures: the page, and the controls to click there.
 *
 * @param visits  a document with collections
 */
const formsOf = (
  { sample }: PageServer,
  visits: string,
  width: Width,
): Record<string, readonly [path: string, ...pressed: string[]]> => ({
  'new-document': ['/', 'a:text-is("New document…")'],
  'new-folder': ['/documents', 'a:text-is("New folder…")'],
  'edit-folder': [`/folders/${sample.projects}`, 'a:text-is("Edit folder…")'],
  'document-menu': [`/d/${sample.plan}`, '[popovertarget="document-menu"]'],
  'move-document': [`/d/${sample.plan}`, '[popovertarget="document-menu"]', 'a:text-is("Move…")'],
  import: ['/import'],
  export: [`/export?document=${sample.plan}`],
  answer: [`/d/${sample.plan}`, COMMENTS[width], '.thread a:text-is("Answer"):visible'],
  task: ['/tasks?scope=upcoming', '.task a.due'],
  reminders: ['/reminders'],
  member: ['/members', '.members li:not(:has-text("Group")) a:text-is("Edit…")'],
  'new-group': ['/members', 'a:text-is("New group…")'],
  group: ['/members', '.members li:has-text("Group") a:text-is("Edit…")'],
  'new-person': ['/links', 'a:text-is("Invite a person…")'],
  person: ['/links', 'a[href*="/people/"]:text-is("Change…")'],
  row: [`/collections/${sample.suppliers}`, '.tabs a:text-is("All")', '.edit-row'],
  cell: [`/collections/${sample.suppliers}`, '.tabs a:text-is("All")', 'td[data-key="status"]:visible'],
  column: [
    `/collections/${sample.suppliers}`,
    ...['.tabs a:text-is("All")', 'thead button[aria-label="Menu of Status"]', EDIT_COLUMN],
  ],
  filter: [
    `/collections/${sample.suppliers}`,
    ...['[popovertarget^="filter-"]', '.menu:popover-open a:text-is("Status")'],
  ],
  view: [`/collections/${sample.suppliers}`, '[popovertarget="collection-menu"]', 'a:text-is("Edit view…")'],
  month: [`/collections/${sample.suppliers}?by=answered&month=2026-11`],
  'document-row': [`/d/${visits}`, 'article .edit-row'],
  'document-cell': [`/d/${visits}`, 'article td[data-key="state"]'],
  'document-column': [`/d/${visits}`, 'article thead button[aria-label="Menu of State"]', EDIT_COLUMN],
  'document-new-column': [`/d/${visits}`, 'article thead a[aria-label="New column"]'],
  'document-day': [`/d/${visits}`, 'article [data-calendar] a[aria-label^="New row on"]'],
  'document-month': [`/d/${visits}`],
  drawing: [`/whiteboards/${sample.board}`, '[data-tool="arrow"]'],
})

/** Beside the text; in a narrow window, their number below the block. */
const COMMENTS: Record<Width, string> = { desktop: '.threads > .thread b', phone: '.comments > summary' }
const EDIT_COLUMN = '.menu:popover-open a:text-is("Edit column…")'

/** @param spoil  a script that runs in each page before it is examined */
export async function everyForm(
  page: Page,
  { base, office, width }: { base: string; office: PageServer; width: Width },
  spoil?: string,
): Promise<{ examined: number; passed: number; faults: string[] }> {
  let examined = 0
  let passed = 0
  const faults: string[] = []
  const visits = await addDocumentWithForms(office)
  await office.space.write(OPERATOR_LINK, (view) => addGroup(view, `Reviewers on a ${width}`, {}))
  const forms = formsOf(office, visits, width)
  for (const [name, [path, ...pressed]] of Object.entries(forms).slice(0, spoil === undefined ? undefined : 1)) {
    await page.goto(`${base}${path}`)
    // Items in a document are usable once an additional script has loaded, which documents without items do not need.
    if (path.endsWith(visits)) await page.locator('.moves').waitFor()
    for (const selector of pressed) await page.locator(selector).first().click()
    if (pressed.length > 0 && name !== 'drawing') {
      await page.locator('#panel[open] h1, .cell-editor :focus, .menu:popover-open').first().waitFor()
    }
    if (spoil !== undefined) await page.evaluate(spoil)
    // Colors are the same at each width, so only one width tests both themes.
    for (const theme of width === 'phone' ? (['light'] as const) : THEMES) {
      await page.emulateMedia({ colorScheme: theme })
      await saveScreenshot(page, `${width}-${theme}`, `form-${name}`)
      const found = await examine(page, theme)
      examined += 1
      passed += found.passed
      faults.push(...found.faults.map((fault) => `${name}, ${width}, ${theme}: ${fault}`))
    }
  }
  return { examined, passed, faults }
}
