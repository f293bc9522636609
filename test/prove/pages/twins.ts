/**
 * Compares the pages of a narrow link in two spaces that differ only in what the link does not reach. Each page that
 * can be reached by following links must be the same in both, and must show nothing of what is hidden.
 */
import { addAccessLink } from '../../../src/auth/access-links/access-links.ts'
import { logFaultsTo } from '../../../src/base/logger.ts'
import { AddressRateLimiter, RateLimiter } from '../../../src/call/rate-limiter.ts'
import { singleSpaceRegistry } from '../../../src/call/space-registry.ts'
import { serveHttp } from '../../../src/http/app.ts'
import { createPages } from '../../../src/page/pages.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { openUsage } from '../../../storage/sqlite/usage.ts'
import { endpoints, noticeSources, prompts, resources, skills } from '../../../tools/index.ts'
import { instructionsFor } from '../../../tools/instructions.ts'
import { enterPages } from '../../support/enter-pages.ts'
import { type ProofContext, type ProofResult, times } from '../proof.ts'
import { buildTwin, openWorld } from '../reach/twin-world.ts'

type Kind = 'selected' | 'daily'

interface TwinPages {
  hidden: string[]
  /** Returns the response for a page, with placeholders for sealed and random values. */
  get(path: string): Promise<string>
  post(path: string, fields: Record<string, string>): Promise<string>
  close(): Promise<void>
}

/** Words that occur only in the hidden part. */
const HIDDEN_WORDS = /xylophone|zeppelin/i
/** The targets of links in a page, and of redirects. */
const LINKS = /(?: (?:href|src|hx-get|action)="|^30\d )(\/[^"#\n]*)/g
/** Paths that are not followed: assets, sign-out, and the endless months and days. */
const ENDLESS = /^\/(?:page|sign-out)\b|[?&]month=|^\/days\/\d|\/items\/new\?/
/** Maximum number of pages per link, nearest first. The long form's limit exceeds the number of pages. */
const MOST_PAGES = { short: 150, long: 2_000 }
const NO_LIMIT = { requests: 0, blocks: 0 }

/** @param spoil  true to plant a fault: the link of one space reaches more than it should */
export async function twinPages(context: ProofContext, spoil = false): Promise<ProofResult> {
  const { seed, log } = context
  const faults: string[] = []
  let pages = 0
  for (const kind of ['selected', 'daily'] as const) {
    const [one, other] = [await serveTwin(kind, seed, 1, spoil), await serveTwin(kind, seed, 2)]
    pages += await compare(
      { kind, most: times(context, 17, 1_000), mostPages: MOST_PAGES[context.length] },
      one,
      other,
      faults,
    )
    await one.close()
    await other.close()
  }
  log('pages of narrow links were compared')
  return { figures: { 'pages of twins': pages }, faults }
}

async function serveTwin(kind: Kind, seed: number, which: 1 | 2, isWide = false): Promise<TwinPages> {
  const world = await openWorld({ kind, seed, which, hasLinks: true })
  const { space, clock, ids } = world
  const { hidden, exposed } = await buildTwin(world)
  ids.use('seen')
  clock.now += 3_600_000
  const rateLimiter = new RateLimiter(openUsage(':memory:'), NO_LIMIT, () => clock.now)
  const server = await serveHttp({
    ...{ endpoints, resources, prompts, skills, version: '0.0.0', instructions: instructionsFor },
    ...{ host: '127.0.0.1', port: 0, trustsProxy: false },
    spaces: singleSpaceRegistry({ space, rateLimiter, close: async () => {} }, noticeSources),
    addressLimiter: new AddressRateLimiter(0, () => clock.now),
    pages: { load: async () => createPages(endpoints), addressLimiter: new AddressRateLimiter(0) },
    logger: logFaultsTo(() => {}),
  })
  const input = { access: 'full', documents: kind === 'selected' && !isWide ? exposed : [], isBearer: false } as const
  const { secret } = await space.write(OPERATOR_LINK, (view) =>
    addAccessLink(view, { ...input, kind: isWide ? 'full' : kind }),
  )
  const { base, cookie } = await enterPages(`${server.origin}/links/${secret}/view`)
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { cookie, origin: server.origin }
    const answer = await fetch(`${base}${path}`, { headers, redirect: 'manual', ...init })
    const response = `${answer.status} ${answer.headers.get('location') ?? ''}\n${await answer.text()}`
    return response.replaceAll(new URL(base).pathname, '').replaceAll(server.origin, '')
  }
  const token = /name="token" value="([^"]+)"/.exec(await ask('/'))?.[1] ?? ''
  return {
    // IDs of hidden things begin like this. Others may also be those of visible calls.
    hidden: hidden.filter((id) => /^2\d{11}$/.test(id)),
    get: async (path) => named(await ask(path)),
    post: async (path, fields) =>
      named(await ask(path, { method: 'POST', body: new URLSearchParams({ token, ...fields }) })),
    async close() {
      await server.close()
      await space.close()
    },
  }
}

/**
 * Replaces values that differ without revealing anything by their length, or removes them. `data-had` is a hash of what
 * is shown, with the address of the link and its tokens.
 */
const named = (text: string): string =>
  text
    .replace(
      /(name="token" value="|data-cursor="|data-token="|data-owner="|data-had="|[?;]cursor=)([\w-]+)/g,
      (_, before, sealed) => before + sealed.length,
    )
    .replace(/(connection="?)[0-9a-f]{8}\b/g, '$1')

async function compare(
  { kind, most, mostPages }: { kind: Kind; most: number; mostPages: number },
  one: TwinPages,
  other: TwinPages,
  faults: string[],
): Promise<number> {
  const secret = new RegExp(one.hidden.concat(other.hidden).join('|'))
  const known = new Set(['/'])
  const expect = (path: string, text: string, otherText: string) => {
    if (text !== otherText) faults.push(`${kind}, ${path} tells twins apart: ${differing(text, otherText)}`)
    const leak = HIDDEN_WORDS.exec(text) ?? secret.exec(text)
    if (leak !== null) faults.push(`${kind}, ${path} holds ${leak[0]}`)
  }
  for (const path of known) {
    // Once a fault was found, further pages would show the same.
    if (faults.length > 0) return known.size
    const response = await one.get(path)
    expect(path, response, await other.get(path))
    for (const [, href = ''] of response.matchAll(LINKS)) {
      // The address to which a form returns does not matter.
      const next = href.replaceAll('&amp;', '&').replace(/[?&]back=[^&]*/, '')
      if (!ENDLESS.test(next) && known.size < mostPages) known.add(next)
    }
  }
  // Requests for hidden things by address must give the same responses as for things that do not exist.
  for (const id of one.hidden.slice(0, most)) {
    for (const path of [`/d/${id}`, `/d/${id}/history`, `/collections/${id}`, `/whiteboards/${id}`, `/calls/${id}`]) {
      const missing = await one.get(path.replace(id, MISSING))
      expect(path, (await one.get(path)).replaceAll(id, MISSING), missing)
    }
    for (const [path, field] of [['/tasks', 'task'] as const, ['/undo', 'calls'] as const]) {
      const missing = await one.post(path, { [field]: `${MISSING} done` })
      expect(
        `POST ${path} of ${id}`,
        (await one.post(path, { [field]: `${id} done` })).replaceAll(id, MISSING),
        missing,
      )
    }
  }
  return known.size
}

const MISSING = '999999999999'

/** The first line that differs, from both responses. */
function differing(text: string, otherText: string): string {
  const [lines, linesOther] = [text.split('\n'), otherText.split('\n')]
  const at = lines.findIndex((line, index) => line !== linesOther[index])
  return `${lines[at]?.slice(0, 300)} and ${linesOther[at]?.slice(0, 300)}`
}
