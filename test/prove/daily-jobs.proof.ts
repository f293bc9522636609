/** Does what people do in a day on the pages, and counts what each job takes. */
import type { Browser, Page } from 'playwright-core'
import { FINDING_JOBS } from './daily-jobs/finding-jobs.ts'
import { type Effort, type Job, Person } from './daily-jobs/person.ts'
import { TABLE_JOBS } from './daily-jobs/table-jobs.ts'
import { TOGETHER_JOBS } from './daily-jobs/together-jobs.ts'
import { WRITING_JOBS } from './daily-jobs/writing-jobs.ts'
import { launchBrowser, saveScreenshot, UNSENT } from './pages/browser.ts'
import { type PageServer, startPageServer, visit } from './pages/page-server.ts'
import type { Proof, ProofContext, ProofResult } from './proof.ts'

const JOBS: readonly Job[] = [...FINDING_JOBS, ...WRITING_JOBS, ...TABLE_JOBS, ...TOGETHER_JOBS]
/** Names of the only jobs to do, separated by semicolons. */
const ONLY = process.env.JOBS?.split(';')
const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

export const proof: Proof = {
  promise: 'What people do in a day takes them a few clicks and keys on the pages.',
  runsInParallel: true,
  run: (context) => doJobs(context),
  // A planted fault: calls that are answered but not carried out.
  control: (context) => doJobs(context, UNSENT),
}

/** With the planted fault, one job is enough. */
const SHORT = 1
/** What one job may take. */
const MOST: Effort = { clicks: 8, keys: 16, seconds: 60 }

async function doJobs(context: ProofContext, planted?: string): Promise<ProofResult> {
  const office = await startPageServer(context.folder, 'office')
  const browser = await launchBrowser()
  const chosen = JOBS.filter(({ name }) => ONLY === undefined || ONLY.includes(name))
  const efforts: [string, Effort][] = []
  const faults: string[] = []
  try {
    for (const job of planted === undefined ? chosen : WRITING_JOBS.slice(0, SHORT)) {
      const effort = await doJob(browser, office, job, planted).catch(
        ({ message }: Error) => message.split('\n')[0] ?? '',
      )
      if (typeof effort === 'string') faults.push(`${job.name}: ${effort}`)
      else efforts.push([job.name, effort])
      context.log(
        `${job.name}: ${typeof effort === 'string' ? effort : `${effort.clicks} clicks, ${effort.keys} keys, ${effort.seconds} s`}`,
      )
    }
  } finally {
    await browser.close()
    await office.close()
  }
  const sum = (of: keyof Effort) => efforts.reduce((total, [, effort]) => total + effort[of], 0)
  const figures = { jobs: efforts.length, clicks: sum('clicks'), keys: sum('keys'), faults: faults.length }
  return { figures, faults }
}

/** Each job has a browser of its own. */
async function doJob(browser: Browser, office: PageServer, job: Job, planted?: string): Promise<Effort> {
  const isTouch = job.width === 'phone'
  const options = { viewport: SIZES[job.width ?? 'desk'], hasTouch: isTouch, isMobile: isTouch }
  const { context, page, base } = await visit(browser, office.entry(), options)
  const errors = errorsOf(page)
  try {
    if (planted !== undefined) await page.addInitScript(planted)
    const person = new Person(page, base, office)
    await job.before?.(person)
    if (job.at !== undefined) await person.open(job.at(office.sample))
    await page.waitForLoadState('networkidle')
    const from = performance.now()
    await job.run(person)
    const seconds = Math.round((performance.now() - from) / 100) / 10
    if (errors.length > 0) throw new Error(`errors on the page: ${errors.join(', ')}`)
    const effort = { clicks: person.clicks, keys: person.keys, seconds }
    const isMuch = (['clicks', 'keys', 'seconds'] as const).some((of) => effort[of] > MOST[of])
    if (isMuch) throw new Error(`expected at most ${JSON.stringify(MOST)}, found ${JSON.stringify(effort)}`)
    return effort
  } finally {
    await saveScreenshot(page, 'daily-jobs', job.name)
    await context.close()
  }
}

function errorsOf(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  return errors
}
