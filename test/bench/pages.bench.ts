/**
 * Pages for people: the time to the first and the last byte, compared with the calls behind them, and the size of what
 * browsers load.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type AssetName, assetFiles } from '../../src/page/assets.ts'
import type { PageRequest } from '../../src/page/page-call.ts'
import { createPages } from '../../src/page/pages.ts'
import { createAppViews } from '../../src/page/render-views.ts'
import { type OpenSpace, openSpace } from '../../src/space/open-space.ts'
import { endpoints } from '../../tools/index.ts'
import { type Figure, interleaved, type Measure, timed } from './figure.ts'
import { addDocument, callerOf, inFolder, newBlocks } from './workbench.ts'

const ROUNDS = 20
const SIZES = { short: 200, long: 20_000 } as const
const BLOCKS_PER_CALL = 2_000
/** The number of blocks in the first part of a document, which a browser shows before the rest has arrived. */
const FIRST_PART = 150

const LATEST = 60

const KILOBYTE = 1_024

export const measure: Measure = () =>
  inFolder(async (folder) => {
    const space = await openSpace(join(folder, 'space.sqlite'), { name: 'Bench', timezone: 'Europe/Budapest' })
    try {
      const figures = [...(await reading(space)), ...sizes()]
      return { figures }
    } finally {
      await space.close()
    }
  })

async function reading(space: OpenSpace): Promise<Figure[]> {
  const link = { ...(await space.createAccessLink('full', [], 'bench')), client: 'bench', connection: 'bench' }
  const call = callerOf(space, link)
  const ids = {
    short: await fill(call, SIZES.short),
    long: await fill(call, SIZES.long),
  }
  // Every page shows the latest calls. These are typical calls of agents, unlike those that filled the documents above.
  const pageId = await addDocument({ call, close: async () => {} }, 'Notes')
  for (const block of newBlocks(LATEST)) {
    await call('blocks_add', { blocks: [block], position: { position: 'end', pageId }, answer: 'ids' })
  }
  const pages = createPages(endpoints)
  const ask = (path: string): Promise<Response> => {
    const url = new URL(`http://localhost/view/key${path}`)
    const request: PageRequest = {
      ...{ request: new Request(url), url, path: url.pathname.slice('/view/key'.length), base: '/view/key', root: '' },
      ...{
        caller: { space, link },
        isOperator: false,
        formToken: '',
        isKept: false,
        owner: '',
        form: new URLSearchParams(),
        now: Date.now(),
      },
      ...{ log: console.error, markLongLived: () => {}, origin: url.origin },
    }
    return pages.handle(request)
  }
  const whole = async (path: string) => void (await (await ask(path)).text())
  /** Does not wait for the rest. */
  const begun = async (path: string) => {
    const reader = (await ask(path)).body?.getReader()
    await reader?.read()
    await reader?.cancel()
  }
  const get = (id: string, maxBlocks: number) => call('blocks_get', { id, maxDepth: 1, fetchMetadata: true, maxBlocks })
  const figure = async (
    what: string,
    most: number,
    work: () => Promise<unknown>,
    floor: string,
    bare: () => Promise<unknown>,
  ): Promise<Figure> => {
    const times = await interleaved(
      ROUNDS,
      () => timed(work),
      () => timed(bare),
    )
    return { what, floor, ...times, unit: 'ms', goal: { of: 'ours', most } }
  }
  const first = () => get(ids.long, FIRST_PART)
  return [
    await figure(
      'page of 200 blocks',
      100,
      () => whole(`/d/${ids.short}`),
      'its blocks',
      () => get(ids.short, 200),
    ),
    await figure('page of 20,000 blocks, begun', 100, () => begun(`/d/${ids.long}`), 'its first blocks', first),
    await figure(
      'page of the latest calls',
      100,
      () => whole('/now'),
      'the calls',
      () => call('history_list', {}),
    ),
  ]
}

async function fill(call: ReturnType<typeof callerOf>, count: number): Promise<string> {
  const pageId = await addDocument({ call, close: async () => {} }, `${count} blocks`)
  for (let done = 0; done < count; done += BLOCKS_PER_CALL) {
    const blocks = newBlocks(Math.min(BLOCKS_PER_CALL, count - done))
    await call('blocks_add', { blocks, position: { position: 'end', pageId }, answer: 'ids' })
  }
  return pageId
}

/** Kilobytes as sent, compressed. */
function sizes(): Figure[] {
  const zipped = (text: string | Buffer) => gzipSync(text).length / KILOBYTE
  const asset = (name: AssetName) => zipped(Buffer.concat(assetFiles(name).map((file) => readFileSync(file))))
  const size = (what: string, ours: number, most: number): Figure => ({
    ...{ what, floor: 'none', ours, bare: Number.NaN, unit: 'KB', ratio: Number.NaN },
    goal: { of: 'ours', most },
  })
  return [
    size('scripts of pages that are read, compressed', asset('page.js') + asset('htmx.js'), 60),
    size('style of pages, compressed', asset('page.css'), 60),
    size('frame of views in conversations, compressed', zipped(createAppViews(endpoints).frame()), 150),
  ]
}
