/** Documents that are open in a real browser, and what the server has of them. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { countPages, takeCounts } from '../../../coverage/page-counts.ts'
import type { PageBrowser } from '../../../support/page-browser.ts'

/** A block as the server reads it. */
interface ServedBlock {
  id: string
  markdown: string
}

type Answer = {
  items: { id: string }[]
  content?: ServedBlock[]
  title: string | { value: string }
  collectionBlockId?: string
}

const started = (): PageBrowser => inject('pageBrowser')

let connected: Promise<Browser> | undefined
const browser = (): Promise<Browser> => (connected ??= chromium.connect(started().endpoint))

/** Makes a call over REST, as an agent. */
export const agent = (line: string, body?: object): Promise<Answer> => request(started().rest, line, body)

/** The same over a link whose calls wait for approval. */
export const robot = (line: string, body?: object): Promise<Answer> => request(started().proposing, line, body)

async function request(base: string, line: string, body?: object): Promise<Answer> {
  const [method = '', path = ''] = line.split(' ')
  const response = await fetch(`${base}${path}${path.includes('?') ? '&' : '?'}ids=short`, {
    method,
    headers: { 'content-type': 'application/json', 'x-client-name': 'agent' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Answer & { error?: string }
  if (!response.ok) throw new Error(answer.error)
  return answer
}

export class OpenedDocument {
  readonly id: string
  readonly page: Page

  constructor(id: string, page: Page) {
    this.id = id
    this.page = page
  }

  /** The same document in another browser, as of another person. */
  async inAnotherBrowser(person: Person = 'Ben'): Promise<OpenedDocument> {
    return openPage(this.id, person)
  }

  /** The same document in another tab of this browser. */
  async inAnotherTab(): Promise<OpenedDocument> {
    const page = await this.page.context().newPage()
    await page.goto(this.page.url())
    await editable(page)
    return new OpenedDocument(this.id, page)
  }

  /** Clicks on the text of a block, and moves the caret to its start or end. */
  async caretAt(text: string, edge: 'Home' | 'End' = 'End'): Promise<void> {
    await this.page
      .locator('.part .block', { hasText: text })
      .first()
      .locator('p, .item-text, h2, h3, td, code')
      .first()
      .click()
    await this.page.keyboard.press(edge)
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text)
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key)
  }

  /** Pastes what stands on a clipboard, by the event that browsers dispatch. */
  async paste(texts: Record<string, string>): Promise<void> {
    await this.page.evaluate((given) => {
      const clipboardData = new DataTransfer()
      for (const [type, text] of Object.entries(given)) clipboardData.setData(type, text)
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      )
    }, texts)
  }

  /** What copying or cutting puts on the clipboard. */
  async copied(how: 'copy' | 'cut' = 'copy'): Promise<{ text: string; html: string }> {
    return this.page.evaluate((type) => {
      const clipboardData = new DataTransfer()
      document.activeElement?.dispatchEvent(
        new ClipboardEvent(type, { clipboardData, bubbles: true, cancelable: true }),
      )
      return { text: clipboardData.getData('text/plain'), html: clipboardData.getData('text/html') }
    }, how)
  }

  /** The Markdown of the blocks that the server has. */
  async stored(): Promise<string[]> {
    return ((await agent(`GET /blocks?id=${this.id}&maxDepth=1`)).content ?? []).map(({ markdown }) => markdown)
  }

  async ids(): Promise<string[]> {
    return ((await agent(`GET /blocks?id=${this.id}&maxDepth=1`)).content ?? []).map(({ id }) => id)
  }

  async title(): Promise<string> {
    const { title } = await agent(`GET /blocks?id=${this.id}&maxDepth=0`)
    return typeof title === 'string' ? title : title.value
  }

  /** Waits until the server has these blocks. */
  async expectStored(...markdown: string[]): Promise<void> {
    await this.#expectSoon(() => this.stored(), markdown)
  }

  /** Waits until the page shows these texts, one a block, without what stands around them. */
  async expectShown(...texts: string[]): Promise<void> {
    await this.#expectSoon(() => this.shown(), texts)
  }

  /** What the page shows and says goes with the error, since a page that failed once may not do so again. */
  async #expectSoon(read: () => Promise<string[]>, wanted: readonly string[]): Promise<void> {
    await expect
      .poll(read)
      .toEqual(wanted)
      .catch(async (error: Error) => {
        const notices = await this.page.locator('[role="status"], [role="alert"]').allTextContents()
        const focused = await this.page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))
        error.message += `\nThe page shows ${JSON.stringify(await this.shown())}, says ${JSON.stringify(notices)}, and the focus is in ${focused}.`
        throw error
      })
  }

  async shown(): Promise<string[]> {
    return this.page.evaluate(() =>
      [...document.querySelectorAll('.part > .block')].map((block) => {
        const text = block.querySelector('.item-text, p, h2, h3, h4, h5, h6, pre code, .wide, .formula code')
        return (text ?? block).textContent?.trim() ?? ''
      }),
    )
  }

  /** Closes all tabs of the browser, which stays for the next test, with what it has cached. */
  async close(): Promise<void> {
    const context = this.page.context()
    await context.setOffline(false)
    await takeCounts(context)
    await Promise.all(context.pages().map((page) => page.close()))
  }
}

/** Milliseconds for what arrives at another page or at the server. A machine may be busy. */
const PATIENCE = 60_000

/** Adds a document, and opens it. */
export async function openDocument(markdown: string): Promise<OpenedDocument> {
  const { items } = await agent('POST /documents', { documents: [{ title: 'Plan', ...(markdown && { markdown }) }] })
  return openPage(items[0]?.id ?? '', 'Anna')
}

/** Anna and Ben have the same link. What Robot does waits for approval, Rita only reads, and Cora comments. */
export type Person = 'Anna' | 'Ben' | 'Robot' | 'Rita' | 'Cora'

const baseOf = (person: Person): string => {
  const { rest, proposing, reading, commenting } = started()
  const bases = { Anna: rest, Ben: rest, Robot: proposing, Rita: reading, Cora: commenting }
  return bases[person]
}

/** A browser per person, which is used for all tests: pages have a limit of requests, and what is cached needs none. */
const contexts = new Map<Person, Promise<BrowserContext>>()

async function contextOf(person: Person): Promise<BrowserContext> {
  const known = contexts.get(person)
  if (known !== undefined) return known
  const made = browser().then(async (one) => {
    const context = await one.newContext({ viewport: { width: 1280, height: 900 } })
    await countPages(context)
    return context
  })
  contexts.set(person, made)
  return made
}

async function openPage(id: string, person: Person): Promise<OpenedDocument> {
  const context = await contextOf(person)
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE)
  page.on('pageerror', (error) => expect.soft(error.message, 'an error in the page').toBe(''))
  await page.goto(baseOf(person).replace('/api/v1', '/view'))
  await page.goto(`${page.url().replace(/\/$/, '')}/d/${id}`)
  if (person !== 'Rita' && person !== 'Cora') await editable(page)
  return new OpenedDocument(id, page)
}

/** Waits until the text can be written in. What failed, and what is shown, goes with the error. */
async function editable(page: Page): Promise<void> {
  const edits = page.locator('html.edits')
  await edits.waitFor().catch(async (error: Error) => {
    const requests = (await page.requests()).map(
      (request) => `${request.url()} ${request.failure()?.errorText ?? 'ok'}`,
    )
    const messages = (await page.consoleMessages()).map((message) => message.text())
    const shown = await page.locator('body').ariaSnapshot()
    error.message += `\nThe page of ${page.url()} asked for ${JSON.stringify(requests)}, says ${JSON.stringify(messages)}, and shows ${JSON.stringify(shown.slice(0, 500))}.`
    throw error
  })
}
