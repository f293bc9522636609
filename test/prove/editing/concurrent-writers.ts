/**
 * Two browsers and two agents write to one document, at random. Each writes words that no one else writes, so that the
 * end result shows whether every word is in the document or in a version that the page shows. Connections are cut, and
 * the server is killed.
 */
import type { Page } from 'playwright-core'
import { readTableGrid, writeTableGrid } from '../../../src/markdown/table-grid.ts'
import { chance } from '../proof.ts'
import {
  type EditingServer,
  openBrowser,
  type ServedBlock,
  shownBlocks,
  shownVersions,
  waitUntilSaved,
} from './editing-server.ts'

export interface ConcurrentOptions {
  server: EditingServer
  seed: number
  seconds: number
  /** A script with a planted fault, to run in each page. */
  planted?: string
}

export interface ConcurrentResult {
  figures: { typed: number; written: number; cuts: number; versions: number; blocks: number }
  faults: string[]
}

const BEGIN = Array.from({ length: 12 }, (_, index) => `Paragraph ${index}.`)
  .toSpliced(8, 0, '```js\nconst begun = true\n```')
  .toSpliced(4, 0, '| A | B |\n| --- | --- |\n| one | two |\n| three | four |')
  .join('\n\n')

export async function writeConcurrently({
  server,
  seed,
  seconds,
  planted,
}: ConcurrentOptions): Promise<ConcurrentResult> {
  const id = await server.addDocument('Shared', BEGIN)
  const browser = await openBrowser()
  try {
    const pages = [await server.visit(browser, id), await server.visit(browser, id)]
    if (planted !== undefined) for (const page of pages) await page.evaluate(planted)
    const until = performance.now() + seconds * 1000
    const people = pages.map((page, index) => new Person(page, `p${index}`, chance(seed * 10 + index)))
    const agents = [0, 1].map((index) => new Agent(server, id, `a${index}`, chance(seed * 10 + 5 + index)))
    let cuts = 0
    const cutting = async () => {
      const random = chance(seed * 10 + 9)
      let isRestarted = false
      while (performance.now() < until) {
        await pause(1_500 + random() * 2_500)
        if (!isRestarted && performance.now() > until - seconds * 500) {
          isRestarted = true
          await server.restart()
        } else {
          const page = pages[random() < 0.5 ? 0 : 1]
          await page?.context().setOffline(true)
          await pause(500 + random() * 2_000)
          await page?.context().setOffline(false)
        }
        cuts++
      }
    }
    await Promise.all([...people, ...agents].map((one) => one.work(until)).concat(cutting()))
    // Twice, since what one page sends may cause the other to send again.
    for (const page of [...pages, ...pages]) await waitUntilSaved(page)
    return await examine(server, id, { pages, people, agents, cuts })
  } finally {
    await browser.close()
  }
}

async function examine(
  server: EditingServer,
  id: string,
  { pages, people, agents, cuts }: { pages: Page[]; people: Person[]; agents: Agent[]; cuts: number },
): Promise<ConcurrentResult> {
  const blocks = await server.blocks(id)
  const { value: title } = await server.title(id)
  const text = [title, ...blocks.map(({ markdown }) => markdown)].join('\n')
  const faults: string[] = []
  let versions = 0
  for (const [index, page] of pages.entries()) {
    const shown = await shownVersions(page)
    versions += await page.locator('.versions').count()
    const lost = (people[index]?.words ?? []).filter((word) => !hasWord(text, word) && !hasWord(shown, word))
    if (lost.length > 0) faults.push(`Words of browser ${index} are nowhere: ${lost.slice(0, 5).join(', ')}.`)
    const wanted = JSON.stringify(blocks.map((block) => [block.id, block.markdown]))
    const isAlike = async () =>
      JSON.stringify((await shownBlocks(page)).map((block) => [block.id, block.markdown])) === wanted &&
      (await page.locator('h1').textContent()) === title
    if (!(await comesTrue(isAlike))) {
      const seen = await shownBlocks(page)
      const at = blocks.findIndex(
        (block, place) => block.id !== seen[place]?.id || block.markdown !== seen[place]?.markdown,
      )
      faults.push(
        `Browser ${index} shows another document: ${JSON.stringify(title)}, shown ${JSON.stringify(await page.locator('h1').textContent())}; ${blocks.length} blocks, shown ${seen.length}; at ${at} ${JSON.stringify(blocks[at])}, shown ${JSON.stringify(seen[at])}.`,
      )
    }
  }
  for (const agent of agents) {
    const lost = agent.words.filter((word) => !hasWord(text, word))
    if (lost.length > 0) faults.push(`Words of ${agent.name} are gone: ${lost.slice(0, 5).join(', ')}.`)
  }
  for (const { name, order } of agents) {
    // Words that someone joined to another block move along with that block.
    const own = order.filter(({ id, word }) => blocks.some((block) => block.id === id && isFrom(block, word)))
    const places = own.map(({ id }) => blocks.findIndex((block) => block.id === id))
    const at = places.findIndex((place, index) => index > 0 && place < (places[index - 1] ?? 0))
    if (at > 0) {
      faults.push(
        `What ${name} added at the end one after another stands in another order: ${own[at]?.word} before ${own[at - 1]?.word}.`,
      )
    }
  }
  const count = (writers: { words: string[] }[]) => writers.reduce((sum, { words }) => sum + words.length, 0)
  return {
    figures: { typed: count(people), written: count(agents), cuts, versions, blocks: blocks.length },
    faults,
  }
}

const wordPattern = (word: string) => new RegExp(`${word}(?!\\d)`)

const hasWord = (text: string, word: string): boolean => wordPattern(word).test(text)

const isFrom = ({ markdown }: { markdown: string }, word: string): boolean => hasWord(markdown, `From ${word}`)

/** True if moving the block does not change the order of what agents added at the end. */
const mayMove = (markdown: string): boolean => !markdown.includes('From ')

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Waits up to about ten seconds for a condition. @returns true if it became true */
async function comesTrue(isTrue: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 50; tries++) {
    if (await isTrue()) return true
    await pause(200)
  }
  return false
}

/** A script. Letters do not replace selected blocks. */
const HAS_CARET = `document.activeElement?.matches('h1 .ProseMirror') ||
  (document.activeElement?.matches('.part') && document.querySelector('.part > .selected') === null)`

/** A simulated person at a browser. */
class Person {
  readonly words: string[] = []
  readonly #page: Page
  readonly #name: string
  readonly #random: () => number

  constructor(page: Page, name: string, random: () => number) {
    this.#page = page
    this.#name = name
    this.#random = random
  }

  async work(until: number): Promise<void> {
    while (performance.now() < until) {
      await this.#act().catch((error: Error) => {
        // The block may disappear before the click.
        if (!/Timeout|detached|not visible/.test(error.message)) throw error
      })
      await pause(this.#random() * 300)
    }
  }

  async #act(): Promise<void> {
    const { keyboard } = this.#page
    const choice = this.#random()
    if (choice < 0.2) await this.#inCell()
    else if (choice < 0.3) await this.#inCode()
    else if (choice < 0.33) await this.#click('h1.editable', 'Control+End')
    else await this.#inText()
    // Backspace after a table or code selects it, and leaves no caret to type at.
    if (!(await this.#page.evaluate(HAS_CARET))) return
    const word = `${this.#name}w${this.words.length}`
    this.words.push(word)
    await keyboard.type(` ${word}`, { delay: 5 + this.#random() * 30 })
    if (this.#random() < 0.2) await keyboard.press('Escape')
  }

  async #inText(): Promise<void> {
    const { keyboard } = this.#page
    await this.#click('.part > .block:not(.waits) > p, .part > .block .item-text')
    const choice = this.#random()
    if (choice < 0.35) await keyboard.press('Enter')
    else if (choice < 0.45) await keyboard.press('Home').then(() => keyboard.press('Enter'))
    else if (choice < 0.5) await keyboard.press('Home').then(() => keyboard.press('Backspace'))
    else if (choice < 0.57) {
      const text = await this.#page.evaluate<string>(`document.querySelector('.block.open')?.textContent ?? ''`)
      if (mayMove(text)) await keyboard.press('Alt+Shift+ArrowDown')
    } else if (choice < 0.62) await keyboard.press('Tab')
  }

  /** Chooses a cell of a table, the next one, the one below, or a new row or column. */
  async #inCell(): Promise<void> {
    const { keyboard } = this.#page
    await this.#click('.part > .block:not(.waits) :is(td, th)', 'Control+End')
    const choice = this.#random()
    if (choice < 0.2) await keyboard.press('Tab')
    else if (choice < 0.35) await keyboard.press('Enter')
    else if (choice < 0.45) await keyboard.press('Control+Enter')
    else if (choice < 0.48) await keyboard.press('Control+Shift+Enter')
  }

  async #inCode(): Promise<void> {
    const { keyboard } = this.#page
    await this.#click('.part > .block:not(.waits) > pre')
    const choice = this.#random()
    if (choice < 0.4) await keyboard.press('Enter')
    else if (choice < 0.5) await keyboard.press('Tab')
  }

  /**
   * Puts the caret at the end of a line in a random element that matches.
   *
   * @param end  the key for that; in titles and cells, lines wrap inside of words, which must not be split
   */
  async #click(selector: string, end: 'End' | 'Control+End' = 'End'): Promise<void> {
    const places = this.#page.locator(selector)
    const count = await places.count()
    await places.nth(Math.floor(this.#random() * count)).click({ timeout: 2_000 })
    await this.#page.keyboard.press(end)
  }
}

/** A simulated agent, which reads before it writes. */
class Agent {
  readonly words: string[] = []
  /** The words that it added at the end, with the IDs of the added blocks. */
  readonly order: { word: string; id: string }[] = []
  readonly name: string
  readonly #server: EditingServer
  readonly #document: string
  readonly #random: () => number

  constructor(server: EditingServer, document: string, name: string, random: () => number) {
    this.#server = server
    this.#document = document
    this.name = name
    this.#random = random
  }

  async work(until: number): Promise<void> {
    for (let count = 0; performance.now() < until; count++) {
      const word = `${this.name}w${count}`
      const isWritten = await this.#write(word).catch((error: Error) => {
        const isExpected = /fetch failed|terminated|Expected the ID of a block|ended|JSON/.test(error.message)
        if (error.name !== 'CONFLICT' && !isExpected) throw error
        return false
      })
      if (isWritten) this.words.push(word)
      await pause(150 + this.#random() * 500)
    }
  }

  /** @returns true if the word was written and acknowledged */
  async #write(word: string): Promise<boolean> {
    if (this.#random() < 0.03) return this.#writeTitle(word)
    const blocks = await this.#server.blocks(this.#document)
    const block = blocks[Math.floor(this.#random() * blocks.length)]
    const choice = this.#random()
    if (block === undefined || choice < 0.4) {
      const siblingId = block?.id ?? ''
      const position = choice < 0.2 ? { position: 'end', pageId: this.#document } : { position: 'before', siblingId }
      const added: Readonly<Record<number, string>> = {
        0: `| ${word} | b |\n| --- | --- |\n| c | d |`,
        1: `\`\`\`\n${word}\n\`\`\``,
      }
      const markdown = added[Math.floor(this.#random() * 20)] ?? `From ${word}`
      const { items } = await this.#server.call('POST /blocks', { markdown, position }, this.name)
      if (choice < 0.2 && markdown.startsWith('From')) this.order.push({ word, id: items[0]?.id ?? '' })
    } else if (choice < 0.9) {
      const change = { id: block.id, markdown: this.#written(block, word), base: block.markdown }
      await this.#server.call('PUT /blocks', { blocks: [change] }, this.name)
    } else if (!mayMove(block.markdown)) {
      return false
    } else {
      const position = { position: 'start', pageId: this.#document }
      await this.#server.call('PUT /blocks/move', { blockIds: [block.id], position }, this.name)
      return false
    }
    return true
  }

  /** Adds a bold word to the title. */
  async #writeTitle(word: string): Promise<true> {
    const id = this.#document
    const { value, attributes } = await this.#server.title(id)
    const bold = { type: 'bold', start: value.length + 1, end: value.length + 1 + word.length }
    const title = { value: `${value} ${word}`, attributes: [...attributes, bold] }
    await this.#server.call('PUT /blocks', { blocks: [{ id, title, expectedMarkdown: value }] }, this.name)
    return true
  }

  /** The block's Markdown with the word added: after its text, in a cell, or in a line of code. */
  #written({ type, markdown }: ServedBlock, word: string): string {
    if (type === 'code') {
      const lines = markdown.split('\n')
      return lines.toSpliced(1 + Math.floor(this.#random() * (lines.length - 1)), 0, word).join('\n')
    }
    if (type !== 'table') return `${markdown === '' ? '' : `${markdown} `}${word}`
    const grid = readTableGrid(markdown)
    const row = grid.rows[Math.floor(this.#random() * grid.rows.length)] ?? []
    const column = Math.floor(this.#random() * row.length)
    row[column] = `${row[column]} ${word}`.trim()
    return writeTableGrid(grid)
  }
}
