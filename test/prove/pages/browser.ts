/** Debian's Chromium: examines pages in both themes and at both widths, and uses them with the keyboard alone. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import { type Browser, chromium, type Frame, type Page } from 'playwright-core'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync']

export const WIDTHS = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 900 } } as const
export type Width = keyof typeof WIDTHS
export const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]
/** The rules whose result can differ between the themes. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** A script with planted faults, to run in the page: its fields lose their labels, and its text gets pale. */
export const SPOILT = `
  for (const label of document.querySelectorAll('label')) label.replaceWith(...label.childNodes)
  document.body.style.setProperty('color', '#bbb')`
/** A script with a planted fault, to run in the page: calls are answered, and not carried out. */
export const UNSENT = `
  const send = fetch
  globalThis.fetch = async (address, options) =>
    options?.headers?.['idempotency-key'] === undefined ? send(address, options) : Response.json({ answer: {} })`
const IS_WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'

export function launchBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    throw new Error(`Expected Chromium at ${CHROMIUM}, found none; install it, or name it in CHROMIUM.`)
  }
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...QUIET] })
}

/** Saves a screenshot of a page in a folder below the one named in PAGES. Does nothing if PAGES is not set. */
export async function saveScreenshot(page: Page, folder: string, name: string): Promise<void> {
  if (process.env.PAGES === undefined) return
  await page.screenshot({ path: join(process.env.PAGES, folder, `${name}.png`) })
}

export interface Examined {
  passed: number
  faults: string[]
}

/** Rules of WCAG 2.2 that axe leaves out unless they are asked for. */
const RULES = { 'target-size': { enabled: true } }

/** Examines a page as it is shown with axe. In the dark theme, only the color rules are checked. */
export async function examine(page: Page | Frame, theme: Theme): Promise<Examined> {
  if (await page.evaluate('!("axe" in globalThis)')) await page.evaluate(axe.source)
  const { violations, passes } = await page.evaluate(
    (options) => (globalThis as unknown as { axe: typeof axe }).axe.run(options),
    theme === 'light' ? { rules: RULES } : { runOnly: COLOR_RULES },
  )
  const faults = violations.map(({ id, nodes }) => `${id} at ${nodes[0]?.html.slice(0, 120)}`)
  if (await page.evaluate(IS_WIDE)) faults.push('wider than the window')
  return { passed: passes.length, faults }
}

/** Presses Enter, and waits for the navigation that follows. */
export async function enter(page: Page): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
}

/** Maximum number of Tab presses before a person would give up. */
const MOST_PRESSES = 150

/** Presses Tab until the element has the focus, like a person who watches the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  const wanted = page.locator(selector).first()
  await wanted.waitFor()
  for (let presses = 0; presses < MOST_PRESSES; presses++) {
    if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Expected to come to ${selector} by Tab, found no way.`)
}
