/** Examines every page at both widths and in both themes, and takes screenshots. */
import type { Browser, Page } from 'playwright-core'
import type { ProofContext, ProofResult } from '../proof.ts'
import { examine, saveScreenshot, THEMES, WIDTHS } from './browser.ts'
import { type PageServer, visit } from './page-server.ts'

/** All pages by a name for the screenshot, with what to do on the page before it is examined. */
const pagesOf = ({
  sample,
}: PageServer): Record<string, { path: string; after?: (page: Page) => Promise<unknown> }> => ({
  home: { path: '/' },
  documents: { path: '/documents' },
  folder: { path: `/folders/${sample.projects}` },
  unsorted: { path: '/unsorted' },
  trash: { path: '/trash' },
  document: { path: `/d/${sample.plan}` },
  'document-who': { path: `/d/${sample.plan}`, after: (page) => page.keyboard.press('w') },
  history: { path: `/d/${sample.plan}/history` },
  compare: { path: `/d/${sample.plan}/history`, after: compareMoments },
  'as-it-was': { path: `/d/${sample.plan}/history`, after: (page) => follow(page, 'a:text-is("As it was then")') },
  now: { path: '/now' },
  activity: { path: '/activity' },
  'activity-panel': { path: `/d/${sample.plan}`, after: openPanel },
  call: { path: '/now', after: openChanges },
  'undo-all': { path: '/now', after: (page) => follow(page, '#programs a.button') },
  waiting: { path: '/waiting' },
  'waiting-reject': { path: '/waiting', after: (page) => page.click('details.reject summary') },
  'waiting-edit': { path: '/waiting', after: (page) => follow(page, 'a:text-is("Edit")') },
  decided: { path: '/waiting?state=decided' },
  tasks: { path: '/tasks' },
  days: { path: '/days' },
  today: { path: '/days/today' },
  collections: { path: '/collections' },
  collection: { path: `/collections/${sample.suppliers}`, after: (page) => follow(page, '.tabs a:text-is("All")') },
  board: { path: `/collections/${sample.suppliers}`, after: (page) => follow(page, '.tabs a:text-is("By status")') },
  item: {
    path: `/collections/${sample.suppliers}`,
    after: (page) => follow(page, `#items-${sample.suppliers} :is(li.item, [scope="row"]) a`),
  },
  whiteboard: { path: `/whiteboards/${sample.board}` },
  search: { path: '/search?q=crane' },
  'quick-open': { path: '/', after: openFinder },
  keys: { path: '/', after: (page) => page.keyboard.press('?') },
  links: { path: '/links' },
  'new-link': { path: '/links/new' },
  'new-link-of-document': { path: `/links/new?document=${sample.plan}` },
  'made-link': { path: '/links/new', after: makeLink },
  'change-link': { path: '/links', after: (page) => follow(page, '.access a:text-is("Change…")') },
  'take-away': { path: '/links', after: takeAway },
  'new-person': { path: '/people/new' },
  settings: { path: '/settings' },
  'empty-trash': { path: '/trash/empty' },
  nowhere: { path: '/nowhere' },
})

const follow = (page: Page, selector: string) =>
  Promise.all([page.waitForNavigation(), page.locator(selector).first().click()])

async function openChanges(page: Page): Promise<unknown> {
  await page.$$eval('#feed details', (all) => {
    for (const one of all) one.setAttribute('open', '')
  })
  return follow(page, '#feed a:text-is("Changes")')
}

async function compareMoments(page: Page): Promise<void> {
  await page.click('.comparing summary')
  await follow(page, 'button:text-is("Compare")')
}

async function makeLink(page: Page): Promise<void> {
  await page.click('button:text-is("Make the link")')
  await page.locator('.addresses').waitFor()
  await page.locator('.host summary').nth(3).click()
}

async function takeAway(page: Page): Promise<void> {
  await follow(page, '.access a:text-is("Change…")')
  await page.check('input[name="access"][value="read"]')
  await page.click('button:text-is("Save")')
  await page.locator('button:text-is("Take it away")').waitFor()
}

async function openPanel(page: Page): Promise<void> {
  await page.click('#badge')
  await page.locator('#activity').waitFor()
}

async function openFinder(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.keyboard.type('plan')
  await page.locator('#found a').first().waitFor()
}

/** @param spoil  a script with a planted fault, to run in each page before it is examined */
export async function everyPage(
  browser: Browser,
  office: PageServer,
  { log }: ProofContext,
  spoil?: string,
): Promise<ProofResult> {
  const figures = { pages: 0, 'rules passed': 0 }
  const faults: string[] = []
  // What fades in has other colors than what stays.
  const { context, page, base } = await visit(browser, office.entry(), { bypassCSP: true, reducedMotion: 'reduce' })
  page.on('pageerror', ({ message }) => faults.push(`${page.url()}: ${message}`))
  const chosen = Object.entries(pagesOf(office)).slice(0, spoil === undefined ? undefined : 1)
  for (const [name, { path, after }] of chosen) {
    await page.setViewportSize(WIDTHS.desktop)
    await page.goto(`${base}${path}`)
    await after?.(page)
    if (spoil !== undefined) await page.evaluate(spoil)
    for (const [width, viewport] of Object.entries(WIDTHS)) {
      await page.setViewportSize(viewport)
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme })
        if (spoil === undefined) await saveScreenshot(page, `${width}-${colorScheme}`, name)
        const found = await examine(page, colorScheme)
        figures['rules passed'] += found.passed
        figures.pages += 1
        faults.push(...found.faults.map((fault) => `${name}, ${width}, ${colorScheme}: ${fault}`))
      }
    }
  }
  await context.close()
  log('every page was examined')
  return { figures, faults }
}
