/** The pages for people, including sign-in, in a browser: Debian's Chromium. */
import type { Browser, Page } from 'playwright-core'
import { appViews } from './pages/apps.ts'
import { launchBrowser, SPOILT } from './pages/browser.ts'
import { everyPage } from './pages/every-page.ts'
import { hostile } from './pages/hostile.ts'
import { jobs } from './pages/jobs.ts'
import { live } from './pages/live.ts'
import { longDocument, openPages } from './pages/load.ts'
import { type PageServer, startPageServer } from './pages/page-server.ts'
import { signIn } from './pages/sign-in.ts'
import { twinPages } from './pages/twins.ts'
import type { Proof, ProofContext, ProofResult } from './proof.ts'

export const proof: Proof = {
  promise:
    'With a keyboard, people can find, read, undo, approve, restore and revoke on pages that execute nothing that others wrote, reveal nothing out of reach, and show what agents do while they do it.',
  runsInParallel: true,
  run: (context) =>
    inBrowser(context, async (browser, office) => [
      await signIn(browser, context),
      await everyPage(browser, office, context),
      await jobs(browser, context),
      await live(browser, office, context),
      await appViews(browser, office, context),
      await longDocument(browser, office, context),
      await hostile(browser, context),
      await openPages(context),
      await twinPages(context),
    ]),
  /** Each part has to detect its own planted fault. */
  control: (context) =>
    inBrowser(context, async (browser, office) => {
      const found = [
        await signIn(browser, context, SPOILT),
        await everyPage(browser, office, context, SPOILT),
        await live(browser, office, context, withoutStream),
        await hostile(browser, context, withHandler),
        await twinPages(context, true),
      ]
      const missed = found.filter(({ faults }) => faults.length === 0).length
      const faults = missed > 0 ? [] : found.flatMap(({ faults }) => faults.slice(0, 1))
      return [{ figures: { planted: found.length, found: found.length - missed }, faults }]
    }),
}

const withoutStream = (page: Page) => page.context().route('**/changes**', (route) => route.abort())

const withHandler = (body: string) => body.replace('</main>', '<img src=x onerror="globalThis.ran=1"></main>')

async function inBrowser(
  context: ProofContext,
  work: (browser: Browser, office: PageServer) => Promise<ProofResult[]>,
): Promise<ProofResult> {
  const office = await startPageServer(context.folder, 'office')
  const browser = await launchBrowser()
  try {
    const parts = await work(browser, office)
    const figures: ProofResult['figures'] = {}
    for (const [what, value] of parts.flatMap((part) => Object.entries(part.figures))) {
      const before = figures[what]
      figures[what] = typeof value === 'number' && typeof before === 'number' ? before + value : value
    }
    const faults = parts.flatMap((part) => part.faults)
    return { figures: { ...figures, faults: faults.length }, faults }
  } finally {
    await browser.close()
    await office.close()
  }
}
