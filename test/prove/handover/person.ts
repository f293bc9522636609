/** Anna in a browser: she asks, finds in "For me" what waits for her, decides and answers. */
import type { Browser, Page } from 'playwright-core'
import { type HandoverServer, PASSWORD } from './handover-server.ts'

/** Milliseconds for one action on a page, with what it waits for. */
const PATIENCE = 30_000
/** Milliseconds until a page that a killed server did not deliver is asked for again. */
const AGAIN = 250
/** Milliseconds after which a form has been sent, by any page, or never will be. */
const SENT = 20_000

export class Person {
  readonly #page: Page
  readonly #base: string
  /** Milliseconds that something may take to show up in her list. */
  readonly #patience: number

  private constructor(page: Page, base: string, patience: number) {
    this.#page = page
    this.#base = base
    this.#patience = patience
  }

  static async signIn(browser: Browser, { origin, story }: HandoverServer, patience = PATIENCE): Promise<Person> {
    const context = await browser.newContext({ locale: 'en-US' })
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE)
    const person = new Person(page, `${origin}${story.pages}`, patience)
    await person.#open('/sign-in')
    await page.fill('input[name="name"]', 'Anna')
    await page.fill('input[name="password"]', PASSWORD)
    await Promise.all([page.waitForURL((url) => !url.pathname.endsWith('/sign-in')), page.keyboard.press('Enter')])
    return person
  }

  async comment(blockId: string, text: string): Promise<void> {
    const path = `/comments/new?block=${blockId}`
    await this.#submit(path, 'main button.go:text-is("Comment")', {
      fill: () => this.#page.fill('main textarea[name="text"]', text),
      isDone: async () => {
        await this.#open(`/d/${blockId}`)
        return (await this.#page.locator('.thread').allTextContents()).some((all) => all.includes(text))
      },
    })
  }

  async assign(taskId: string, memberId: string): Promise<void> {
    const assignee = 'main select[name="assignee"]'
    await this.#submit(`/tasks/${taskId}/edit`, 'main button.go:text-is("Save")', {
      fill: async () => void (await this.#page.selectOption(assignee, memberId)),
      isDone: async () => (await this.#page.inputValue(assignee)) === memberId,
    })
  }

  /** Waits until her list, which follows the space by itself, has this entry. @returns the address that it leads to */
  async find(text: string): Promise<string> {
    await this.#open('/for-me')
    const entry = this.#page.locator('#for-me li[data-for-me]', { hasText: text }).locator('a').first()
    await this.#until(`"${text}" under For me`, () => entry.isVisible())
    return (await entry.getAttribute('href')) ?? ''
  }

  /** How many things wait for her. */
  async waiting(): Promise<number> {
    await this.#open('/for-me')
    return this.#page.locator('#for-me li[data-for-me]').count()
  }

  /** Approves the proposal at this address. */
  async approve(href: string): Promise<void> {
    const button = 'main button.go:text-is("Approve")'
    await this.#submit(href.slice(new URL(this.#base).pathname.length), button, {
      fill: async () => {},
      isDone: async () => (await this.#page.locator('main .about', { hasText: 'approved' }).count()) > 0,
    })
  }

  /** Waits until a document says something. */
  async read(documentId: string, text: string): Promise<void> {
    await this.#until(`"${text}" in the document`, async () => {
      await this.#open(`/d/${documentId}`)
      return (await this.#page.locator('main').textContent())?.includes(text) === true
    })
  }

  /**
   * Fills a form in and sends it. If the server is killed meanwhile, the browser may say that it cannot be reached, so
   * she looks whether it was done: at once if the page sent it later, and she fills it in again if it was not.
   */
  async #submit(
    path: string,
    button: string,
    { fill, isDone }: { fill: () => Promise<void>; isDone: () => Promise<boolean> },
  ): Promise<void> {
    await this.#until(`a form at ${path} that is sent`, async () => {
      await this.#open(path)
      await fill()
      const before = this.#page.url()
      await this.#page.click(button)
      await this.#page.waitForURL((url) => url.href !== before, { timeout: SENT }).catch(() => {})
      for (const end = performance.now() + SENT; performance.now() < end; await this.#page.waitForTimeout(AGAIN)) {
        await this.#open(path)
        if (await isDone()) return true
      }
      return false
    })
  }

  async #until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
    for (const end = performance.now() + this.#patience; ; await this.#page.waitForTimeout(AGAIN)) {
      if (await isTrue().catch(() => false)) return
      if (performance.now() > end) throw new Error(`Expected ${what}, found none.`)
    }
  }

  /** Opens a page, again if the server is being killed. */
  async #open(path: string): Promise<void> {
    for (const end = performance.now() + PATIENCE; ; ) {
      try {
        await this.#page.goto(`${this.#base}${path}`)
        return
      } catch (error) {
        if (performance.now() > end) throw error
        await this.#page.waitForTimeout(AGAIN)
      }
    }
  }

  async close(): Promise<void> {
    await this.#page.context().close()
  }
}
