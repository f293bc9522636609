/** The editor of a long document in Chromium: how soon it is open, how soon letters are seen, and the memory of many edits. */
import type { Page } from 'playwright-core'
import { type EditingServer, openBrowser, EditingServer as Server } from '../prove/editing/editing-server.ts'
import { typeInLongDocument } from '../prove/editing/typing.ts'
import { type Figure, type Measure, median, timed } from './figure.ts'
import { inFolder } from './workbench.ts'

const BLOCKS = 5_000
const VISITS = 5
const KEYS = 200
/** Edits before memory is measured for the first time, and until it is measured again. */
const WARM_EDITS = 100
const EDITS = 1_000
const MEGABYTE = 1_024 ** 2

export const measure: Measure = () =>
  inFolder(async (folder) => {
    const server = await Server.open(folder)
    try {
      return { figures: [await opening(server), ...(await typing(server)), await memory(server)] }
    } finally {
      await server.close()
    }
  })

const figure = (
  what: string,
  unit: string,
  ours: number,
  most: number,
  bare?: { floor: string; value: number },
): Figure => ({
  ...{ what, unit, ours, floor: bare?.floor ?? 'none', bare: bare?.value ?? Number.NaN },
  ratio: bare === undefined ? Number.NaN : ours / bare.value,
  goal: { of: 'ours', most },
})

/** From the request until the caret can be put into the text, with scripts that the browser has already. */
async function opening(server: EditingServer): Promise<Figure> {
  const lines = Array.from({ length: BLOCKS }, (_, n) => `Line ${n} of a long document.`)
  const id = await server.addDocument('Opened', lines.join('\n\n'))
  const browser = await openBrowser()
  try {
    const page = await server.visit(browser, id)
    const times: number[] = []
    for (let visit = 0; visit < VISITS; visit++) {
      times.push(
        await timed(async () => {
          await page.reload({ waitUntil: 'commit' })
          await page.locator('.part.ProseMirror').waitFor()
          await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
        }),
      )
    }
    const sent = await timed(() => page.evaluate('fetch(location.href).then((response) => response.text())'))
    return figure(`document of ${BLOCKS} blocks, open to write`, 'ms', median(times), 2_500, {
      floor: 'its HTML',
      value: sent,
    })
  } finally {
    await browser.close()
  }
}

async function typing(server: EditingServer): Promise<Figure[]> {
  const { p95, slowest } = await typeInLongDocument(server, KEYS)
  return [
    figure(`letter in ${BLOCKS} blocks, seen, 95 of 100, while an agent adds 100 blocks a second`, 'ms', p95, 100),
    figure('the slowest letter', 'ms', slowest, 500),
  ]
}

/** How much the heap grows in many edits: words, blocks, and their deletion. */
async function memory(server: EditingServer): Promise<Figure> {
  const id = await server.addDocument('Edited', 'Line 0.')
  const browser = await openBrowser()
  try {
    const page = await server.visit(browser, id)
    await page.getByText('Line 0.').click()
    await edit(page, WARM_EDITS)
    const before = await heapOf(page)
    await edit(page, EDITS)
    const after = await heapOf(page)
    return figure(`heap that ${EDITS} edits add`, 'MB', after - before, 2, {
      floor: `after ${WARM_EDITS} edits`,
      value: before,
    })
  } finally {
    await browser.close()
  }
}

/** Each edit types a word and takes it out again; each tenth also divides the text and joins it. */
async function edit(page: Page, count: number): Promise<void> {
  const { keyboard } = page
  for (let edits = 0; edits < count; edits++) {
    await keyboard.insertText(edits % 2 === 0 ? 'word ' : 'more ')
    await keyboard.press('Control+Backspace')
    if (edits % 10 !== 9) continue
    await keyboard.press('Enter')
    await keyboard.press('Backspace')
  }
  await page.waitForFunction('document.querySelector(".connection")?.hidden !== false')
}

/** Megabytes that are in use after what is unused was collected. */
async function heapOf(page: Page): Promise<number> {
  // Calls that wait for the pause after the last key.
  await page.evaluate('new Promise((done) => setTimeout(done, 3_000))')
  const session = await page.context().newCDPSession(page)
  for (let round = 0; round < 3; round++) await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / MEGABYTE
}
