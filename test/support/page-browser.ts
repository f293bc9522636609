/**
 * A server of pages on an empty space, and Debian's Chromium, both started once for all tests of the projects `browser` and `pages`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { bundledProgram } from './bundled-program.ts'
import { NO_INPUT, UNREAD } from './unread.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Only in tests of the projects `browser` and `pages`. */
    pageBrowser: PageBrowser
  }
}

export interface PageBrowser {
  /** The address by which Playwright connects to the browser. */
  endpoint: string
  /** The base address of the REST interface of a link to the whole space. */
  rest: string
  /** The same of a link whose calls wait for approval. */
  proposing: string
  /** The same of a link that only reads. */
  reading: string
  /** The same of a link that only reads and comments. */
  commenting: string
}

/** Chromium without windows, which takes about half the processor time for the same tests. */
const WITHOUT_WINDOWS = '/usr/bin/chromium-headless-shell'
const CHROMIUM = process.env.CHROMIUM ?? (existsSync(WITHOUT_WINDOWS) ? WITHOUT_WINDOWS : '/usr/bin/chromium')
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
const UNLIMITED = ['--limit-requests', '0', '--limit-blocks', '0', '--limit-ip', '0']

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  assertInstalled(CHROMIUM, 'chromium', 'CHROMIUM')
  const server = await startPages()
  const browser = await chromium.launchServer({ executablePath: CHROMIUM, args: FLAGS })
  const { rest, proposing, reading, commenting } = server
  provide('pageBrowser', { endpoint: browser.wsEndpoint(), rest, proposing, reading, commenting })
  return async () => {
    await browser.close()
    await server.close()
  }
}

/** @throws Error with the name of the package that is missing */
export function assertInstalled(path: string, name: string, variable: string): void {
  if (existsSync(path)) return
  throw new Error(
    `Expected a browser at ${path}, found none; install the package ${name} (apt-get install ${name}), or name a program in ${variable}.`,
  )
}

/** Serves an empty space. `rest` is the base address of the REST interface of a link to the whole space. */
export async function startPages(): Promise<Omit<PageBrowser, 'endpoint'> & { close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'browser-'))
  const space = join(folder, 'space.sqlite')
  const program = await bundledProgram()
  /** @returns the path of its REST interface */
  const addLink = (name: string, access: string): string => {
    const given = ['--name', name, '--access', access, '--json', '--port', '1', '--space', space]
    const added = execFileSync(process.execPath, [program, 'links', 'add', ...given], {
      encoding: 'utf8',
      stdio: [NO_INPUT, 'pipe', UNREAD],
    })
    return new URL((JSON.parse(added) as { restUrl: string }).restUrl).pathname
  }
  const paths = [
    addLink('Anna', 'full'),
    addLink('Robot', 'propose'),
    addLink('Rita', 'read'),
    addLink('Cora', 'comment'),
  ]
  const server = spawn(
    process.execPath,
    [program, 'serve', '--space', space, '--port', '0', '--no-welcome', ...UNLIMITED],
    { stdio: [NO_INPUT, UNREAD, 'pipe'] },
  )
  const origin = await originOf(server)
  const [rest = '', proposing = '', reading = '', commenting = ''] = paths.map((path) => `${origin}${path}`)
  return {
    ...{ rest, proposing, reading, commenting },
    async close() {
      const exited = once(server, 'exit')
      server.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The address that a server names when it is ready. */
function originOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [origin] = /http:\/\/[\d.]+:\d+/.exec(output) ?? []
      if (origin !== undefined) resolve(origin)
    })
    server.once('exit', () =>
      reject(new Error(`Expected pages that are served, found that the program ended: ${output}`)),
    )
  })
}
