/** A day's work in a document: by mouse, by keyboard alone, and by touch in a narrow window. */
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { type Title, writeTitle } from '../../../src/markdown/inline-title.ts'
import { type EditingServer, waitUntilSaved } from './editing-server.ts'

export interface SessionReport {
  screens: number
  rules: number
  faults: string[]
}

const BEGIN = `The north quay **closes** in March.

## Next steps

- [ ] Ask the suppliers
- [ ] Compare quotes

1. Measure the rail
2. Sign the sheet

> Nobody lifts anything over the promenade.

\`\`\`js
const load = 5
\`\`\`

| a | b |
| --- | --- |
| 1 | 2 |

Last words.`

const TITLE: Title = {
  value: 'Harbour plan for March',
  attributes: [
    { type: 'bold', start: 8, end: 12 },
    { type: 'dateLink', date: '2026-03-01', start: 17, end: 22 },
  ],
}

/** HTML to paste that would run or load something if any of it entered the page unchanged. */
const HOSTILE = [
  '<img src=x onerror="window.hacked=1"><p>a picture</p><p>below</p>',
  '<script>window.hacked=2</script><p>a script</p><p>below</p>',
  '<svg onload="window.hacked=3"><script>window.hacked=3</script></svg><p>an svg</p><p>below</p>',
  '<a href="javascript:window.hacked=4">a link</a><p>below</p>',
  '<a href="java&#10;script:window.hacked=4">a broken link</a><p>below</p>',
  '<iframe srcdoc="<script>parent.hacked=5</script>"></iframe><p>a frame</p><p>below</p>',
  '<math><mtext><table><mglyph><style><img src=x onerror="window.hacked=6"></style></mglyph></table></mtext></math><p>odd</p><p>x</p>',
  '<p>&lt;img src=x onerror=window.hacked=7&gt;</p><p>escaped</p>',
  '<form action="javascript:window.hacked=8"><button autofocus onfocus="window.hacked=8">b</button></form><p>form</p><p>x</p>',
  '<details open ontoggle="window.hacked=9"><summary>s</summary></details><p>toggle</p><p>x</p>',
]

const HOSTILE_SESSION = 'mouse, light'

export class EditingSession {
  readonly #server: EditingServer
  readonly #browser: Browser
  readonly #folder: string
  readonly #spoil: string | undefined
  readonly #result: SessionReport = { screens: 0, rules: 0, faults: [] }

  /** @param spoil  a script with a planted fault, to run in each page before it is examined */
  constructor(server: EditingServer, browser: Browser, folder: string, spoil?: string) {
    this.#server = server
    this.#browser = browser
    this.#folder = folder
    this.#spoil = spoil
  }

  /** Works through the day. A planted fault is on every screen, so only the first part is run with it. */
  async run(): Promise<SessionReport> {
    await this.#work(HOSTILE_SESSION, byMouse, { colorScheme: 'light' })
    if (this.#spoil !== undefined) return this.#result
    await this.#work('mouse, dark', byMouse, { colorScheme: 'dark' })
    await this.#work('keys', byKeys, {})
    await this.#work('touch', byTouch, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })
    return this.#result
  }

  async #work(
    name: string,
    work: (page: Page, examine: (screen: string) => Promise<void>) => Promise<string[]>,
    options: object,
  ): Promise<void> {
    const id = await this.#server.addDocument(TITLE.value, BEGIN)
    await this.#server.call('PUT /blocks', { blocks: [{ id, title: TITLE }] })
    // In this part, the content security policy is off: pasted HTML must not run anything even without it.
    const bypassCSP = name === HOSTILE_SESSION
    const page = await this.#server.visit(this.#browser, id, { ...options, bypassCSP })
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    // The console reports what the content security policy blocks.
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    try {
      const wanted = await work(page, (screen) => this.#examine(page, `${name}-${screen}`))
      await waitUntilSaved(page)
      const found = (await this.#server.blocks(id)).map(({ markdown }) => markdown)
      found.push(writeTitle(await this.#server.title(id)))
      // What the server has rendered is read after the answer, later if the page is slow.
      const waits = page.locator('.part > .block.waits')
      await waits
        .first()
        .waitFor({ state: 'detached' })
        .catch(() => {})
      const waiting = await waits.allTextContents()
      if (waiting.length > 0)
        this.#result.faults.push(`${name}: Expected all blocks to arrive, found some that wait: ${waiting.join(', ')}.`)
      for (const text of wanted) {
        if (!found.includes(text))
          this.#result.faults.push(`${name}: Expected ${JSON.stringify(text)}, found ${JSON.stringify(found)}.`)
      }
      if ((await page.evaluate('window.hacked')) !== undefined)
        this.#result.faults.push(`${name}: a paste ran something.`)
      this.#result.faults.push(...errors.map((error) => `${name}: ${error}`))
    } finally {
      await page.context().close()
    }
  }

  async #examine(page: Page, screen: string): Promise<void> {
    if (this.#spoil !== undefined) await page.evaluate(this.#spoil)
    await page.screenshot({ path: `${this.#folder}/${screen.replace(/\W+/g, '-')}.png` })
    await page.evaluate(axe.source)
    const { violations, passes } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run())
    this.#result.screens++
    this.#result.rules += passes.length
    for (const { id, nodes } of violations) {
      this.#result.faults.push(`${screen}: ${id} at ${nodes[0]?.html.slice(0, 160)}`)
    }
    const isWide = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
    if (isWide) this.#result.faults.push(`${screen}: wider than the window`)
  }
}

const modifier = 'Control'

async function byMouse(page: Page, examine: (screen: string) => Promise<void>): Promise<string[]> {
  await page.getByText('Last words.').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' With **weight** and more.')
  await examine('typing')
  await page.keyboard.press('Enter')
  await page.keyboard.type('/')
  await examine('menu')
  await page.getByRole('option', { name: /^Task/ }).click()
  await page.keyboard.type('Book the diver')
  // Change a cell of the table, and add a column.
  await page.locator('td', { hasText: '1' }).click()
  await page.keyboard.press('End')
  await page.keyboard.type(' ton')
  await page.getByText('Rows and columns').click()
  await examine('table')
  await page.getByRole('button', { name: 'Column after' }).click()
  await page.keyboard.type('tide')
  // Change the words of the title, which keeps its marks.
  // At its beginning: the date in it is a link.
  await page.getByRole('heading', { level: 1 }).click({ position: { x: 4, y: 12 } })
  await page.keyboard.press('Home')
  await page.keyboard.type('The ')
  await examine('title')
  await page.keyboard.press('Escape')
  // Complete a task.
  await page.locator('.task', { hasText: 'Compare quotes' }).locator('.box').click()
  // Drag a block by its handle below another.
  await page.getByText('Measure the rail').hover()
  const handle = page.locator('.block-handle')
  await handle.hover()
  await page.mouse.down()
  const quote = await page.getByText('Nobody lifts').boundingBox()
  await page.mouse.move((quote?.x ?? 0) + 10, (quote?.y ?? 0) + (quote?.height ?? 0) + 8, { steps: 8 })
  await examine('dragging')
  await page.mouse.up()
  // Paste hostile HTML.
  for (const html of (await isDark(page)) ? [] : HOSTILE) {
    await page.getByText('Nobody lifts').click()
    await page.keyboard.press('End')
    await paste(page, { 'text/html': html, 'text/plain': 'x' })
  }
  await waitUntilSaved(page)
  // Drop a file on a block, and paste a picture.
  await dropFile(page, 'Measure the rail', { name: 'depths.txt', type: 'text/plain', base64: btoa('4 m at low tide') })
  await page.locator('.part > .block', { hasText: 'depths.txt' }).waitFor()
  await page.getByText('Ask the suppliers').click()
  await paste(page, {}, { name: 'quay.png', type: 'image/png', base64: PICTURE })
  await page.locator('.part > .block img').waitFor()
  await waitUntilSaved(page)
  await examine('files')
  // Select several blocks, delete them, and undo that.
  await page.getByText('The north quay').click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+ArrowDown')
  await examine('chosen')
  await page.keyboard.press('Delete')
  await page.getByText('The north quay').waitFor({ state: 'detached' })
  await page.keyboard.press(`${modifier}+z`)
  await page.getByText('The north quay').waitFor()
  await examine('end')
  return [
    'The Harbour **plan** for [March](date://2026-03-01)',
    'Last words. With **weight** and more.',
    '| a |  | b |\n| --- | --- | --- |\n| 1 ton | tide | 2 |',
    '- [ ] Book the diver',
    '- [x] Compare quotes',
    'The north quay **closes** in March.',
    '## Next steps',
    '1. Measure the rail',
  ]
}

const isDark = (page: Page) => page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: dark)').matches`)

async function byKeys(page: Page, examine: (screen: string) => Promise<void>): Promise<string[]> {
  const { keyboard } = page
  // Tab leads to the title, and from there to the text.
  for (let presses = 0; presses < 80 && !(await page.locator('.part:focus').count()); presses++) {
    await keyboard.press('Tab')
  }
  await keyboard.press('End')
  await keyboard.type(' By keys.')
  await keyboard.press('Enter')
  await keyboard.type('## Heading by keys')
  await keyboard.press('Enter')
  await keyboard.type('- one')
  await keyboard.press('Enter')
  await keyboard.press('Tab')
  await keyboard.type('two')
  await examine('nested')
  await keyboard.press('Enter')
  await keyboard.press('Enter')
  await keyboard.press('Enter')
  await keyboard.type('Joined')
  await keyboard.press('Home')
  await keyboard.press('Enter')
  await keyboard.press('Backspace')
  await keyboard.press('ArrowUp')
  await keyboard.press('Escape')
  await keyboard.press('Alt+ArrowUp')
  await examine('moved')
  await keyboard.press('Alt+ArrowDown')
  await keyboard.press('Enter')
  await keyboard.type(' more')
  await waitUntilSaved(page)
  // Move from the last line up into the table, through its cells, and out again.
  await page.getByText('Last words.').click()
  await keyboard.press('Home')
  await keyboard.press('ArrowUp')
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await keyboard.type('four')
  await examine('cells')
  await keyboard.press('Control+Shift+Backspace')
  await keyboard.press('Enter')
  await keyboard.type('Below the table')
  await keyboard.press('Enter')
  // A collection is inserted above, and the caret continues below it.
  await keyboard.type('/collection')
  await keyboard.press('Enter')
  await keyboard.type('After the collection')
  await keyboard.press('Enter')
  await keyboard.type('---')
  await keyboard.press('Enter')
  await keyboard.type('```ts')
  await keyboard.press('Enter')
  await keyboard.type('let tide = 2')
  await keyboard.press('Control+Enter')
  await keyboard.type('/table')
  await keyboard.press('Enter')
  await keyboard.type('Depth')
  await keyboard.press('Tab')
  await keyboard.type('Tide')
  await examine('new table')
  await keyboard.press('Enter')
  await keyboard.press('Enter')
  await keyboard.type('/code')
  await keyboard.press('Enter')
  await keyboard.type('let depth = 4')
  await keyboard.press('Escape')
  await page.getByText('const load = 5').click()
  await keyboard.press('End')
  await keyboard.press('Enter')
  await keyboard.press('Tab')
  await keyboard.type('lift(load)')
  await keyboard.press('Shift+Tab')
  await examine('code')
  await page.locator('.block.open').getByLabel('Language').fill('typescript')
  await keyboard.press('Enter')
  await waitUntilSaved(page)
  await page.getByText('four').waitFor({ state: 'detached' })
  await page.getByText('Below the table').click()
  await keyboard.press('Enter')
  await keyboard.type(' gone')
  await keyboard.press(`${modifier}+z`)
  await page.getByText('gone').waitFor({ state: 'detached' })
  return [
    'The north quay **closes** in March. By keys.',
    '## Heading by keys',
    '- one',
    '  - two more',
    'Below the table',
    'Collection',
    'After the collection',
    '*****',
    '```ts\nlet tide = 2\n```',
    '| Depth | Tide |\n| --- | --- |\n|  |  |',
    '```\nlet depth = 4\n```',
    '```typescript\nconst load = 5\nlift(load)\n```',
  ]
}

async function byTouch(page: Page, examine: (screen: string) => Promise<void>): Promise<string[]> {
  await page.getByText('Last words.').tap()
  await page.keyboard.press('End')
  await page.keyboard.type(' By touch.')
  await page.keyboard.press('Enter')
  await page.keyboard.type('/num')
  await examine('menu')
  await page.getByRole('option', { name: 'Numbered list' }).tap()
  await page.keyboard.type('First')
  await examine('typing')
  await page.locator('td', { hasText: '2' }).tap()
  await page.keyboard.type('0')
  await page.getByText('Rows and columns').tap()
  await examine('table')
  await page.getByRole('button', { name: 'Row above' }).tap()
  await page.keyboard.type('above')
  await page.getByText('const load = 5').tap()
  await examine('code')
  await page.locator('.task', { hasText: 'Ask the suppliers' }).locator('.box').tap()
  await page.getByText('Sign the sheet').tap()
  const handle = await page.locator('.block-handle').boundingBox()
  const rail = await page.getByText('Measure the rail').boundingBox()
  await drag(page, center(handle), { x: center(rail).x, y: (rail?.y ?? 0) - 2 })
  await examine('dragged')
  return ['Last words. By touch.', '1. First', '- [x] Ask the suppliers', '1. Sign the sheet']
}

type Box = { x: number; y: number; width: number; height: number } | null
const center = (box: Box) => ({ x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 })

/** Drags with a finger: touches, moves and releases. */
async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points })
  await send('touchStart', [from])
  for (let step = 1; step <= 6; step++) {
    await send('touchMove', [{ x: from.x + ((to.x - from.x) * step) / 6, y: from.y + ((to.y - from.y) * step) / 6 }])
  }
  await send('touchEnd', [])
}

interface GivenFile {
  name: string
  type: string
  base64: string
}

/** A PNG of one pixel, in base64. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The source of an expression that creates a DataTransfer in the page. */
const transferOf = (texts: Record<string, string>, file?: GivenFile): string => `(() => {
  const transfer = new DataTransfer()
  for (const [type, text] of Object.entries(${JSON.stringify(texts)})) transfer.setData(type, text)
  const file = ${JSON.stringify(file ?? null)}
  if (file !== null) {
    const bytes = Uint8Array.from(atob(file.base64), (letter) => letter.charCodeAt(0))
    transfer.items.add(new File([bytes], file.name, { type: file.type }))
  }
  return transfer
})()`

async function paste(page: Page, texts: Record<string, string>, file?: GivenFile): Promise<void> {
  await page.evaluate(`document.activeElement?.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData: ${transferOf(texts, file)}, bubbles: true, cancelable: true }),
  )`)
  // HTML is converted for a moment.
  await page.locator('article:not([aria-busy])').waitFor()
}

/** @param text  text of the block to drop the file on */
async function dropFile(page: Page, text: string, file: GivenFile): Promise<void> {
  const dataTransfer = await page.evaluateHandle(transferOf({}, file))
  const block = page.getByText(text)
  await block.dispatchEvent('dragover', { dataTransfer })
  await block.dispatchEvent('drop', { dataTransfer })
}
