/** `scriptorium open`: opens the pages of a space for the person at this machine. */

import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import program from '../../package.json' with { type: 'json' }
import { endpoints, noticeSources, prompts, resources, skills } from '../../tools/index.ts'
import { instructionsFor } from '../../tools/instructions.ts'
import { spaceKey } from '../auth/access-links/access-links.ts'
import { createEntryToken } from '../auth/browser-sessions/browser-session.ts'
import { ScriptoriumError } from '../base/errors.ts'
import { ENTRY_SECONDS } from '../base/limits.ts'
import { logFaultsTo } from '../base/logger.ts'
import { AddressRateLimiter } from '../call/rate-limiter.ts'
import { type ServedSpace, singleSpaceRegistry } from '../call/space-registry.ts'
import { serveHttp } from '../http/app.ts'
import { createPages } from '../page/pages.ts'
import type { OpenSpace } from '../space/open-space.ts'
import type { Options } from './options.ts'
import { operatorAt } from './served-pages.ts'

/** The pages are only available on this machine. */
const PAGE_HOST = '127.0.0.1'

export interface OpenedPages {
  /** Lines to print about the address of the pages. */
  lines: string[]
  /** Absent if another process already serves them. */
  close?: () => Promise<void>
}

/** @throws CONFLICT for a port that another program uses */
export async function openPages(
  served: ServedSpace,
  options: Options,
  report: (line: string) => void,
): Promise<OpenedPages> {
  const { port, noBrowser, limitIp, limitFile } = options
  const { space } = served
  const startedAt = Date.now()
  try {
    const server = await serveHttp({
      endpoints,
      resources,
      prompts,
      skills,
      instructions: instructionsFor,
      version: program.version,
      spaces: singleSpaceRegistry(served, noticeSources),
      addressLimiter: new AddressRateLimiter(limitIp),
      host: PAGE_HOST,
      port,
      trustsProxy: false,
      // The terminal shows errors, but not every request.
      logger: logFaultsTo(report),
      fileLimit: limitFile,
      healthDetails: { operator: spaceKey(space.info.id) },
      pages: {
        load: async () => createPages(endpoints),
        // All pages are on this machine.
        addressLimiter: new AddressRateLimiter(0),
        operatorSince: startedAt,
      },
    })
    const entry = createEntry(server.origin, space)
    if (!noBrowser) entry.open()
    return {
      lines: [`Serving the pages of ${space.info.name} at ${server.origin}; open them once with ${entry.address}`],
      async close() {
        entry.remove()
        await server.close()
      },
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    const origin = `http://${PAGE_HOST}:${port}`
    if ((await operatorAt(origin)) !== spaceKey(space.info.id)) {
      throw new ScriptoriumError('CONFLICT', `Expected a free port, found ${port} in use; name another with --port.`)
    }
    const entry = createEntry(origin, space)
    if (!noBrowser) entry.open()
    return { lines: [`The pages of ${space.info.name} are served already; open them once with ${entry.address}`] }
  }
}

/** An address that opens the pages once. */
interface Entry {
  address: string
  open(): void
  remove(): void
}

function createEntry(origin: string, { info }: OpenSpace): Entry {
  const address = `${origin}/enter/${createEntryToken(info, Date.now(), ENTRY_SECONDS * 1000)}`
  let folder: string | undefined
  return {
    address,
    open() {
      // Other users can see the arguments of a process, so the browser opens a file that only this user can read.
      folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
      const file = join(folder, 'open.html')
      writeFileSync(file, forwardingPage(address), { mode: 0o600 })
      openInBrowser(pathToFileURL(file).href, folder)
    },
    remove() {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

const forwardingPage = (address: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Scriptorium</title>
<meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${address}"></head>
<body><a href="${address}">Open Scriptorium</a></body></html>
`

const OPENERS: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** If no browser can be opened, the printed address remains. @param folder  for output that no one reads */
function openInBrowser(url: string, folder: string): void {
  const [opener, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  // `ignore` would need a /dev/null that this user may open.
  const unread = openSync(join(folder, 'output.txt'), 'a+', 0o600)
  const child = spawn(opener, [...args, url], { stdio: [unread, unread, unread], detached: true })
  child.once('error', () => {})
  child.unref()
  closeSync(unread)
}
