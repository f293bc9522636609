/** Checks that pages show what two agents write while they write it: in all tabs of a browser, over one stream. */
import type { Browser, Page } from 'playwright-core'
import { program } from '../../page/sample-space.ts'
import type { ProofContext, ProofResult } from '../proof.ts'
import { type PageServer, visit } from './page-server.ts'

const BOUND_MS = 1_000
const ROUNDS = 4

/** @param spoil  plants a fault in a tab before anything is written */
export async function live(
  browser: Browser,
  office: PageServer,
  { log }: ProofContext,
  spoil?: (page: Page) => Promise<unknown>,
): Promise<ProofResult> {
  const { space, sample } = office
  const faults: string[] = []
  const { context, page, base } = await visit(browser, office.entry(), { viewport: { width: 1280, height: 900 } })
  await spoil?.(page)
  const tabs = [page, await context.newPage(), await context.newPage()]
  const streams = new Set<string>()
  for (const tab of tabs) {
    tab.on('request', (request) => {
      if (request.url().startsWith(`${base}/changes`)) streams.add(request.url())
    })
    tab.on('requestfinished', (request) => streams.delete(request.url()))
    tab.on('requestfailed', (request) => streams.delete(request.url()))
  }
  const [reading, now, waiting] = tabs as [Page, Page, Page]
  await now.goto(`${base}/now`)
  await waiting.goto(`${base}/waiting`)
  await reading.goto(`${base}/d/${sample.plan}`)
  await reading.bringToFront()
  await reading.evaluate('scrollTo(0, 700)')
  const place = (await reading.evaluate(MARK)) as number
  let slowest = 0
  const agents = ['claude-desktop', 'codex'].map((name) => program(space, name))
  const { content } = await program(space, 'editor')('blocks_get', { id: sample.plan })
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(
      agents.map(async (agent, which) => {
        const words = `Words ${round} of agent ${which}${spoil === undefined ? '' : ' for nobody'}`
        await agent('blocks_add', { markdown: words, position: { position: 'after', siblingId: content[0].id } })
        const from = performance.now()
        await reading
          .locator('article', { hasText: words })
          .waitFor({ timeout: BOUND_MS * 5 })
          .catch(() => faults.push(`Expected “${words}” in the open document, found it not there after 5 s.`))
        slowest = Math.max(slowest, performance.now() - from)
      }),
    )
    if (faults.length > 0) break
  }
  if (slowest > BOUND_MS)
    faults.push(`Expected what agents write within ${BOUND_MS} ms, found ${slowest.toFixed(0)} ms.`)
  if (spoil === undefined) {
    const moved = Math.abs(((await reading.evaluate(PLACE)) as number) - place)
    if (moved > 2) faults.push(`Expected what is read to stay where it is, found that it moved by ${moved} px.`)
    const calls = now.locator('#feed li', { hasText: 'codex' })
    // Another tab is notified by the one that listens, and may show the last call after it.
    await calls
      .nth(ROUNDS - 1)
      // They are folded below one row.
      .waitFor({ state: 'attached', timeout: BOUND_MS * 5 })
      .catch(async () =>
        faults.push(`Expected ${ROUNDS} calls of codex in another tab, found ${await calls.count()} after 5 s.`),
      )
    faults.push(...(await typed(waiting, office)))
    faults.push(...(await deleted(browser, office)))
    if (streams.size !== 1) faults.push(`Expected one stream for three tabs, found ${streams.size}.`)
  }
  await context.close()
  log('what agents wrote was seen')
  return { figures: { 'ms until it is seen, at most': Math.round(slowest) }, faults }
}

/** Finds the first block below the top of the window, and returns how far below it is. */
const MARK = `
  globalThis.marked = [...document.querySelectorAll('article .block')].find((one) => one.getBoundingClientRect().top > 50)
  globalThis.marked.getBoundingClientRect().top`
const PLACE = 'globalThis.marked.isConnected ? globalThis.marked.getBoundingClientRect().top : Infinity'

/** A list stays as it is while a person types in it. When it is shown anew, the text must still be there. */
async function typed(waiting: Page, { space }: PageServer): Promise<string[]> {
  await waiting.bringToFront()
  await waiting.locator('details.reject summary').first().click()
  const note = waiting.locator('input[name=note]').first()
  await note.pressSequentially('half a sen')
  await program(space, 'nightly-research', { access: 'propose' })('documents_add', { documents: [{ title: 'Tides' }] })
  const offer = waiting.locator('#proposals > .held')
  await offer.waitFor({ timeout: BOUND_MS * 5 })
  await waiting.keyboard.type('tence')
  await offer.click()
  await waiting.locator('#proposals', { hasText: 'Tides' }).waitFor({ timeout: BOUND_MS * 5 })
  const value = await note.inputValue()
  return value === 'half a sentence' ? [] : [`Expected the words that were typed, found “${value}”.`]
}

/** Deletes a document while a person reads it over a read-only link. */
async function deleted(browser: Browser, { space, linkTo }: PageServer): Promise<string[]> {
  const editor = program(space, 'editor')
  const { items } = await editor('documents_add', { documents: [{ title: 'Short-lived', markdown: 'Read me.' }] })
  const id: string = items[0].id
  const { context, page, base } = await visit(
    browser,
    await linkTo({ kind: 'selected', documents: [id], access: 'read' }),
  )
  try {
    await page.goto(`${base}/d/${id}`)
    await page.getByText('Read me.').waitFor()
    await editor('documents_delete', { documentIds: [id] })
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor({ timeout: BOUND_MS * 5 })
    return (await page.getByText('Read me.').count()) === 0 ? [] : ['Expected a deleted document to be gone, found it.']
  } finally {
    await context.close()
  }
}
