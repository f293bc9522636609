/** Somebody who uses the pages, and what it takes them: clicks, keys and seconds. */
import type { Locator, Page } from 'playwright-core'
import { type Program, program } from '../../page/sample-space.ts'
import type { PageServer } from '../pages/page-server.ts'

/** Milliseconds in which a page must show something, and the space must have it. */
const PATIENCE = 10_000
const LOOK_MS = 50

/** What somebody wants to do on the pages. It throws if it cannot be done, or the result is not there. */
export interface Job {
  /** In the words of the person: `Sort a table`. */
  name: string
  /** Where it begins, as a path below the pages; Home if it is left out. */
  at?: (sample: PageServer['sample']) => string
  width?: 'phone'
  /** What agents do before it. */
  before?: (person: Person) => Promise<void>
  run: (person: Person) => Promise<void>
}

/** What a job took. Words that are the content of a document or a field are not counted, only what leads to them. */
export interface Effort {
  clicks: number
  keys: number
  seconds: number
}

export class Person {
  clicks = 0
  keys = 0
  readonly page: Page
  readonly base: string
  readonly office: PageServer
  /** Looks into the space, as an agent. */
  readonly look: Program

  constructor(page: Page, base: string, office: PageServer) {
    this.page = page
    this.base = base
    this.office = office
    this.look = program(office.space, 'checker')
  }

  async click(what: string | Locator, options: { button?: 'right'; clickCount?: number; shift?: boolean } = {}) {
    const { shift = false, ...how } = options
    this.clicks += how.clickCount ?? 1
    await this.#found(what).click({ timeout: PATIENCE, ...how, ...(shift && { modifiers: ['Shift'] }) })
  }

  link = (name: string | RegExp): Locator => this.page.getByRole('link', { name, exact: true })
  button = (name: string | RegExp): Locator => this.page.getByRole('button', { name, exact: true })

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.keys += 1
      await this.page.keyboard.press(key)
    }
  }

  /** Puts texts on the clipboard, and pastes them by the event that browsers dispatch. */
  async paste(texts: Record<string, string>): Promise<void> {
    this.keys += 1
    await this.page.evaluate(`(() => {
      const clipboardData = new DataTransfer()
      for (const [type, text] of Object.entries(${JSON.stringify(texts)})) clipboardData.setData(type, text)
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.activeElement?.dispatchEvent(event)
    })()`)
  }

  /** What copying puts on the clipboard as plain text. */
  async copy(): Promise<string> {
    this.keys += 1
    return this.page.evaluate(`(() => {
      const clipboardData = new DataTransfer()
      const event = new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true })
      document.activeElement?.dispatchEvent(event)
      return clipboardData.getData('text/plain')
    })()`)
  }

  /** Types letters that only lead to something, such as those of a search. */
  async type(letters: string): Promise<void> {
    this.keys += letters.length
    await this.page.keyboard.type(letters)
  }

  /** Types content. */
  async write(words: string): Promise<void> {
    await this.page.keyboard.type(words)
  }

  /**
   * Drags one element to another, which counts as one click.
   *
   * @param over  what the page shows once it may be dropped
   */
  async drag(from: string | Locator, to: string | Locator, over: string): Promise<void> {
    this.clicks += 1
    const { mouse } = this.page
    const [start, end] = [await middle(this.#found(from)), await middle(this.#found(to))]
    await mouse.move(start.x, start.y)
    await mouse.down()
    const until = performance.now() + PATIENCE
    // No hand keeps still, and one that sees the mark still moves on to it.
    for (let n = 0, seen = 0; seen < 2 && performance.now() < until; n++) {
      await mouse.move(end.x + (n % 2), end.y)
      if ((await this.page.locator(over).count()) > 0) seen++
      await this.page.waitForTimeout(LOOK_MS)
    }
    await mouse.up()
  }

  /** Waits for something on the page. */
  async see(what: string | Locator): Promise<void> {
    await this.#found(what).waitFor({ timeout: PATIENCE })
  }

  async seeGone(what: string | Locator): Promise<void> {
    await this.#found(what).waitFor({ state: 'detached', timeout: PATIENCE })
  }

  /** Waits until the space, or the page, has what was meant. */
  async expect(wanted: unknown, read: () => Promise<unknown>): Promise<void> {
    const until = performance.now() + PATIENCE
    let found: unknown
    do {
      found = await read()
      if (JSON.stringify(found) === JSON.stringify(wanted)) return
      await this.page.waitForTimeout(LOOK_MS)
    } while (performance.now() < until)
    throw new Error(`expected ${JSON.stringify(wanted)}, found ${JSON.stringify(found)}`)
  }

  /** The Markdown of the blocks of a document. */
  async blocksOf(id: string): Promise<string[]> {
    const { content = [] } = await this.look('blocks_get', { id })
    return content.map(({ markdown }: { markdown: string }) => markdown)
  }

  /** A new document of an agent. @returns its ID */
  async document(title: string, markdown = ''): Promise<string> {
    return (await this.look('documents_add', { documents: [{ title, markdown }] })).items[0].id
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.base}${path}`)
    // Scripts take over the text of a document that can be edited.
    if (path.startsWith('/d/')) await this.page.locator('html.edits').waitFor()
  }

  #found(what: string | Locator): Locator {
    return typeof what === 'string' ? this.page.locator(what).first() : what.first()
  }
}

async function middle(element: Locator): Promise<{ x: number; y: number }> {
  await element.scrollIntoViewIfNeeded({ timeout: PATIENCE })
  const box = await element.boundingBox()
  if (box === null) throw new Error('expected it on the screen, found it nowhere')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
