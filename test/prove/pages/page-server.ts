/**
 * A space that people and agents have used for a week, and its pages, served by `scriptorium open` in another process.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { addAccessLink, type NewAccessLink } from '../../../src/auth/access-links/access-links.ts'
import { createEntryToken } from '../../../src/auth/browser-sessions/browser-session.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { type OpenSpace, openSpace } from '../../../src/space/open-space.ts'
import { countsFolder } from '../../coverage/counted-scripts.ts'
import { countPages } from '../../coverage/page-counts.ts'
import { fillSampleSpace, program, type SampleSpace } from '../../page/sample-space.ts'
import { png } from '../../picture.ts'
import { bundledProgram } from '../../support/bundled-program.ts'
import { NO_INPUT } from '../../support/unread.ts'

const ROOT = join(import.meta.dirname, '../../..')
const MINUTE = 60_000
/** Minutes that creating the contents of the space takes by its own clock, and a few more. */
const WEEK = 6_430
const ENTRY_MS = 10 * MINUTE

export interface PageServer {
  /** The same space, opened in this process for what agents do in the meantime. */
  space: OpenSpace
  sample: SampleSpace
  origin: string
  /** ID of the process that serves the pages. */
  pid: number
  /** A one-time address that signs in the person who runs the program. */
  entry(): string
  /** Creates an access link. @returns its address, which gives access to anyone who has it */
  linkTo(options?: Partial<NewAccessLink>): Promise<string>
  close(): Promise<void>
}

/** @param name  name of its file in the folder, without the extension */
export async function startPageServer(folder: string, name: string): Promise<PageServer> {
  const file = join(folder, `${name}.sqlite`)
  let behind = WEEK * MINUTE
  const clock = () => Date.now() - behind
  const space = await openSpace(file, { name: 'Harbour office', timezone: 'Europe/Budapest', clock })
  const later = (minutes: number) => {
    behind -= minutes * MINUTE
  }
  const sample = await fillSampleSpace(space, later, png(480, 200, 0xa0))
  await program(space, 'editor')('views_add', {
    collectionId: sample.suppliers,
    view: { name: 'All', type: 'table', calculations: { price: 'number_sum' } },
  })
  behind = 0
  // What is counted is in the bundled program.
  const script = countsFolder() === undefined ? 'src/start.js' : await bundledProgram()
  const args = [script, 'open', '--no-browser', '--port', '0', '--space', file]
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: [NO_INPUT, 'pipe', 'pipe'] })
  const origin = await originOf(child)
  return {
    space,
    sample,
    origin,
    pid: child.pid ?? 0,
    entry: () => `${origin}/enter/${createEntryToken(space.info, Date.now(), ENTRY_MS)}`,
    async linkTo(input = {}) {
      const standard = { kind: 'full', access: 'full', documents: [], isBearer: false } as const
      const { secret } = await space.write(OPERATOR_LINK, (view) => addAccessLink(view, { ...standard, ...input }))
      return `${origin}/links/${secret}/view`
    },
    async close() {
      await space.close()
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

function originOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-2_000)
        const [, origin] = /(http:\/\/[\d.:]+)\/enter\//.exec(output) ?? []
        if (origin !== undefined) resolve(origin)
      })
    }
    child.once('exit', () =>
      reject(new Error(`Expected pages that are served, found that the program ended: ${output}`)),
    )
  })
}

export interface Visit {
  context: BrowserContext
  page: Page
  /** The address of the pages, without a slash at its end. */
  base: string
}

/** Opens a separate browser context, and signs in with an address. */
export async function visit(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'Europe/Budapest', ...options })
  await countPages(context)
  const page = await context.newPage()
  await page.goto(address)
  return { context, page, base: page.url().replace(/\/$/, '') }
}
