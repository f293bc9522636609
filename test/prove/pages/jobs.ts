/**
 * The main jobs of people, from start to end, with the keyboard alone: with scripts on a desktop, and without scripts
 * on a phone.
 */
import type { Browser, Page, Response } from 'playwright-core'
import { type Program, program } from '../../page/sample-space.ts'
import type { ProofContext, ProofResult } from '../proof.ts'
import { enter, saveScreenshot, tabTo, WIDTHS } from './browser.ts'
import { type PageServer, startPageServer, visit } from './page-server.ts'

interface JobContext {
  office: PageServer
  page: Page
  base: string
  hasScripts: boolean
}

/** Each job ends with a check of the space itself. It returns a sentence for each thing that is wrong. */
const JOBS: Record<string, (context: JobContext) => Promise<string[]>> = {
  find: findDocument,
  tick: tickTask,
  undo: undoHour,
  approve: approveThree,
  restore: restoreVersion,
  revoke: revokeLink,
}

export async function jobs(browser: Browser, proofContext: ProofContext): Promise<ProofResult> {
  const faults: string[] = []
  const figures = { jobs: 0 }
  for (const hasScripts of [true, false]) {
    const width = hasScripts ? 'desktop' : 'phone'
    const office = await startPageServer(proofContext.folder, `jobs-${width}`)
    const { context, page, base } = await visit(browser, office.entry(), {
      javaScriptEnabled: hasScripts,
      viewport: WIDTHS[width],
    })
    for (const [name, job] of Object.entries(JOBS)) {
      const found = await job({ office, page, base, hasScripts }).catch(({ message }: Error) => [message])
      await saveScreenshot(page, `jobs-${width}`, name)
      faults.push(...found.map((fault) => `${name}, ${width}: ${fault}`))
      figures.jobs += 1
    }
    await context.close()
    await office.close()
    proofContext.log(`a person's jobs were done on a ${width}`)
  }
  return { figures, faults }
}

const expected = (what: string, wanted: unknown, found: unknown): string[] =>
  JSON.stringify(found) === JSON.stringify(wanted)
    ? []
    : [`Expected ${JSON.stringify(wanted)} ${what}, found ${JSON.stringify(found)}.`]

async function findDocument({ page, base, hasScripts }: JobContext): Promise<string[]> {
  if (hasScripts) {
    await page.keyboard.press('Control+k')
    // A fast typist does not wait for the results.
    await page.keyboard.type('harbour pl')
  } else {
    await tabTo(page, '.places [data-find]')
    await enter(page)
    await tabTo(page, 'main input[name=q]')
    await page.keyboard.type('foundation survey')
    await enter(page)
    await tabTo(page, 'main a:has-text("Harbour plan")')
  }
  await enter(page)
  // What has the words in its title is opened, which may be a page within a document.
  const title = hasScripts ? 'Harbour plan' : 'Foundation survey'
  return [
    ...expected('as the heading', title, (await page.textContent('h1'))?.trim()),
    ...expected('as its address', true, page.url().startsWith(`${base}/d/`)),
  ]
}

async function tickTask({ office, page, base, hasScripts }: JobContext): Promise<string[]> {
  await page.goto(`${base}/d/${office.sample.crane}`)
  await tabTo(page, '[role=checkbox]')
  if (hasScripts) {
    const isSent = (answer: Response) => answer.request().method() === 'POST'
    await Promise.all([page.waitForResponse(isSent), page.keyboard.press('Space')])
  } else await enter(page)
  await page.locator('[role=checkbox][aria-checked=true]').waitFor()
  const { items } = await agentOf(office)('tasks_list', { scope: 'document', documentId: office.sample.crane })
  return expected('as the state of the task', 'done', items[0].taskInfo.state)
}

/** Reviews what an agent did in an hour, and undoes all of it. */
async function undoHour({ office, page, base, hasScripts }: JobContext): Promise<string[]> {
  const codex = program(office.space, 'codex', { author: 'Robot' })
  const { crane } = office.sample
  const before = await textsOf(office, crane)
  for (const markdown of ['A thought.', 'Another thought.', 'A third thought.']) {
    await codex('blocks_add', { markdown, position: { position: 'end', pageId: crane } })
  }
  await page.goto(`${base}/`)
  if (hasScripts) {
    await page.keyboard.press('g')
    await Promise.all([page.waitForNavigation(), page.keyboard.press('n')])
  } else {
    await page.goto(`${base}/now`)
    // On a phone they open as a sheet.
    await tabTo(page, 'header a[href="#beside"]')
    await page.keyboard.press('Enter')
  }
  await tabTo(page, '#programs li:has-text("codex") a.button')
  await enter(page)
  const shown = await page.textContent('main')
  await tabTo(page, 'main form button.go')
  await enter(page)
  return [
    ...expected('named before it is done', true, shown?.includes('3 changes would be taken back')),
    ...expected('as the text', before, await textsOf(office, crane)),
  ]
}

/** Approves three of four proposals, and rejects one with a note. */
async function approveThree({ office, page, base, hasScripts }: JobContext): Promise<string[]> {
  const research = program(office.space, 'nightly-research', { access: 'propose', author: 'Robot' })
  for (const title of ['Tide table', 'Gossip']) await research('documents_add', { documents: [{ title }] })
  await page.goto(`${base}/waiting`)
  for (const _ of [1, 2, 3]) {
    await tabTo(page, 'main button.go:text-is("Approve")')
    await enter(page)
  }
  await tabTo(page, 'main details.reject summary')
  await page.keyboard.press('Enter')
  await tabTo(page, 'main input[name=note]')
  await page.keyboard.type('No gossip, please.')
  await enter(page)
  const { items } = await agentOf(office)('proposals_list', { state: 'all' })
  const states = items.map(({ state, note }: { state: string; note?: string }) => [state, note ?? ''])
  const titles = (await agentOf(office)('documents_list')).items.map(({ title }: { title: string }) => title)
  return [
    ...expected('as the decisions', [['rejected', 'No gossip, please.'], ...Array(3).fill(['approved', ''])], states),
    ...expected('as a document', true, titles.includes('Tide table') && !titles.includes('Gossip')),
    ...(hasScripts ? expected('on the page', true, (await page.textContent('main'))?.includes('Nothing waits.')) : []),
  ]
}

async function restoreVersion({ office, page, base, hasScripts }: JobContext): Promise<string[]> {
  const { plan } = office.sample
  const before = await textsOf(office, plan)
  const agent = agentOf(office)
  const { content } = await agent('blocks_get', { id: plan })
  await agent('blocks_delete', { blockIds: content.slice(0, 3).map(({ id }: { id: string }) => id) })
  await page.goto(`${base}/d/${plan}`)
  if (hasScripts) await Promise.all([page.waitForNavigation(), page.keyboard.press('h')])
  else {
    await tabTo(page, 'main .bar a[href$="/history"]')
    await enter(page)
  }
  const shown = await page.textContent('main')
  await tabTo(page, '.timeline li:nth-child(2) > a')
  await enter(page)
  await tabTo(page, 'main button.go:text-is("Restore this version")')
  await enter(page)
  return [
    ...expected('in the difference', true, shown?.includes('The north quay closes for repairs in March.')),
    ...expected('as the text', before, await textsOf(office, plan)),
  ]
}

async function revokeLink({ office, page, base }: JobContext): Promise<string[]> {
  const address = await office.linkTo({ name: 'Auditor' })
  const [, secret = ''] = /\/links\/([^/]+)\/view/.exec(address) ?? []
  const ask = async () => (await fetch(`${office.origin}/links/${secret}/api/v1/connection`)).status
  const before = await ask()
  await page.goto(`${base}/links`)
  await tabTo(page, 'main li:has-text("Auditor") details.reject summary')
  await page.keyboard.press('Enter')
  await tabTo(page, 'main button:text-is("Revoke Auditor")')
  await enter(page)
  return [...expected('as statuses before and after', [200, 401], [before, await ask()])]
}

const agentOf = ({ space }: PageServer): Program => program(space, 'editor')

async function textsOf(office: PageServer, id: string): Promise<string[]> {
  const { content } = await agentOf(office)('blocks_get', { id })
  return content.map(({ markdown }: { markdown: string }) => markdown)
}
