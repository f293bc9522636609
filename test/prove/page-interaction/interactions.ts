/** Manual work on pages: moving cards, changing cells, drawing. The space must then contain what was intended. */
import type { Page } from 'playwright-core'
import { type Program, program } from '../../page/sample-space.ts'
import type { PageServer } from '../pages/page-server.ts'
import { composeText } from './composed-text.ts'
import { foldCallouts } from './folded-callout.ts'
import { importFolder } from './imported-folder.ts'
import { markTitle } from './marked-title.ts'
import { pasteSamples } from './pasted-samples.ts'
import {
  type DragSigns,
  MissedDrag,
  middleOf,
  mousePointer,
  type Place,
  type Pointer,
  touchPointer,
} from './pointer.ts'
import type { Report } from './report.ts'
import { moveSeveralBlocks } from './several-blocks.ts'
import { changeFormula } from './text-formula.ts'
import { chooseBetweenTables } from './two-versions.ts'
import { leaveRowsInPlace } from './waiting-rows.ts'

/** Milliseconds in which a change must be stored. */
const STORED_MS = 10_000
/** Milliseconds between two polls of the space. */
const LOOK_MS = 50

export interface Interaction {
  page: Page
  base: string
  office: PageServer
  /** True for touch input, false for a mouse. */
  isTouch: boolean
}

/** @param isShort  true to only move cards */
export async function interact(work: Interaction, isShort: boolean): Promise<{ done: number; faults: string[] }> {
  const { page, office, isTouch } = work
  const pointer = isTouch ? await touchPointer(page) : mousePointer(page)
  const interactions = new Interactions(work, pointer, program(office.space, 'checker'))
  const isDragged = await interactions.dragCard()
  if (isShort) return interactions
  // Depends on the group that the card was dragged to.
  if (isDragged && (await interactions.moveCardByKey())) await interactions.orderCards()
  await interactions.moveInMonth()
  await interactions.moveInMonthOfDocument()
  await interactions.makeView()
  await interactions.changeCells()
  await interactions.changeCellInDocument()
  await interactions.drawOnBoard()
  await interactions.writeInDocument()
  return interactions
}

const CARD = '[data-item]:has-text("Nordkran")'

class Interactions {
  done = 0
  readonly faults: string[] = []
  readonly #work: Interaction
  readonly #pointer: Pointer
  readonly #check: Program

  constructor(work: Interaction, pointer: Pointer, check: Program) {
    this.#work = work
    this.#pointer = pointer
    this.#check = check
  }

  /** Waits until the space contains the intended value. @returns true if it does */
  async #expect(what: string, read: () => Promise<unknown>, wanted: unknown): Promise<boolean> {
    const until = performance.now() + STORED_MS
    let found: unknown
    do {
      found = await read()
      if (JSON.stringify(found) === JSON.stringify(wanted)) {
        this.done++
        return true
      }
      await this.#work.page.waitForTimeout(LOOK_MS)
    } while (performance.now() < until)
    this.#blame(what, `expected ${JSON.stringify(wanted)}, found ${JSON.stringify(found)}`)
    return false
  }

  #blame(what: string, why: string): void {
    this.faults.push(`${what}, ${this.#work.isTouch ? 'by touch' : 'by mouse'}: ${why}.`)
  }

  /** @returns true if the page showed the drag */
  async #drag(what: string, from: Place, to: Place, signs: DragSigns): Promise<boolean> {
    try {
      await this.#pointer.drag(from, to, signs)
      return true
    } catch (error) {
      if (!(error instanceof MissedDrag)) throw error
      this.#blame(what, error.message)
      return false
    }
  }

  async #item(title: string): Promise<{ id: string; properties: Record<string, unknown> }> {
    const { items } = await this.#check('items_list', {
      collectionId: this.#work.office.sample.suppliers,
      maxDepth: 0,
    })
    return items.find((item: { title: string }) => item.title === title)
  }

  /** Drags a card to the next group. @returns true if it was stored there */
  async dragCard(): Promise<boolean> {
    const { page, base, office } = this.#work
    await page.goto(`${base}/collections/${office.sample.suppliers}`)
    await page.locator('.tabs a:text-is("By status")').click()
    await page.locator(`.moves [data-board] ${CARD}`).waitFor()
    const from = await middleOf(page, `[data-board] ${CARD}`)
    const list = await page.locator('[data-name="asked"]').boundingBox()
    const to = { x: (list?.x ?? 0) + 24, y: (list?.y ?? 0) + 24 }
    const what = 'a card is dragged'
    const isDragged = await this.#drag(what, from, to, { held: `${CARD}.chosen`, over: `[data-name="asked"] ${CARD}` })
    return isDragged && this.#expect(what, () => this.#status(), 'asked')
  }

  async #status(): Promise<unknown> {
    return (await this.#item('Nordkran')).properties.status
  }

  /** Moves the card back. */
  async moveCardByKey(): Promise<boolean> {
    const { page } = this.#work
    await page.locator(`[data-name="asked"] ${CARD} a`).first().focus()
    await page.keyboard.press('Control+ArrowLeft')
    return this.#expect('a card is moved by a key', () => this.#status(), 'in')
  }

  async #titles(): Promise<string[]> {
    const { suppliers } = this.#work.office.sample
    const { items } = await this.#check('items_list', { collectionId: suppliers, maxDepth: 0 })
    return items.map(({ title }: { title: string }) => title).filter((title: string) => title !== 'Maritime Lifting')
  }

  /** With two cards in one group, drags the second above the first and moves it down again by a key. */
  async orderCards(): Promise<void> {
    const { page } = this.#work
    const other = '[data-item]:has-text("Hafenbau")'
    await page.locator(`[data-name="in"] ${other} + ${CARD}`).waitFor()
    const to = await middleOf(page, `[data-board] ${other}`)
    const from = await middleOf(page, `[data-board] ${CARD}`)
    const what = 'a card is ordered'
    const over = `[data-name="in"] ${CARD} + ${other}`
    await page.evaluate(
      "for (const card of document.querySelectorAll('[data-board] [data-item]')) card.dataset.old = ''",
    )
    if (!(await this.#drag(what, from, to, { held: `${CARD}.chosen`, over }))) return
    await this.#expect(what, () => this.#titles(), ['Nordkran', 'Hafenbau Lübeck'])
    // The page reads the board again after the move is stored. Until then, it may still show an earlier order.
    const read = `[data-name="in"] ${CARD}:not([data-old])`
    await page.locator(`${read} + ${other}`).waitFor()
    await page.locator(`${read} a`).first().focus()
    await page.keyboard.press('Control+ArrowDown')
    await this.#expect('a card is ordered by a key', () => this.#titles(), ['Hafenbau Lübeck', 'Nordkran'])
  }

  /** Drags an item to the next day, and moves it to the next week by a key. */
  async moveInMonth(): Promise<void> {
    const { page, base, office } = this.#work
    await page.goto(`${base}/collections/${office.sample.suppliers}?by=answered&month=2026-11`)
    const item = '[data-item]:has-text("Hafenbau")'
    await page.locator(`.moves [data-calendar] ${item}`).waitFor()
    const answered = async () => (await this.#item('Hafenbau Lübeck')).properties.answered as string
    const [day, next, last] = (await answered()) === '2026-11-18' ? [18, 19, 26] : [26, 27, 20]
    const from = await middleOf(page, `[data-date="2026-11-${day}"] ${item}`)
    const box = await page.locator(`[data-date="2026-11-${next}"]`).boundingBox()
    const to = { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 12 }
    const what = 'an item is dragged to another day'
    const over = `[data-date="2026-11-${next}"] ${item}`
    if (!(await this.#drag(what, from, to, { held: `${item}.chosen`, over }))) return
    await this.#expect(what, answered, `2026-11-${next}`)
    await page.locator(`${over} a`).focus()
    await page.keyboard.press(last > next ? 'Control+ArrowDown' : 'Control+ArrowUp')
    await this.#expect('an item is moved to another week by a key', answered, `2026-11-${last}`)
  }

  /** In a document: browses the months in place, drags an item without a date to a day, and moves it on by a key. */
  async moveInMonthOfDocument(): Promise<void> {
    const { page, base, office } = this.#work
    const { suppliers: collectionId, suppliersDocument } = office.sample
    const { id, properties } = await this.#item('Maritime Lifting')
    if (properties.answered !== undefined) {
      const itemsToUpdate = [{ id, properties: { answered: null } }]
      await this.#check('items_update', { collectionId, itemsToUpdate })
    }
    const view = { name: 'Answers', type: 'kanban', groupBy: [{ property: 'answered' }] }
    const { id: viewId } = await this.#check('views_add', { collectionId, view })
    await this.#check('views_activate', { collectionId, viewId })
    await page.goto(`${base}/d/${suppliersDocument}?month-${collectionId}=2026-10`)
    await page.locator('.moves article [data-calendar]').waitFor()
    await page.evaluate('document.body.dataset.stayed = "yes"')
    await page.locator('.months a:text-is("Later")').click()
    await page.locator('.months b:text-is("November 2026")').waitFor()
    await this.#expect('another month is shown in place', () => page.evaluate('document.body.dataset.stayed'), 'yes')
    const answered = async () => (await this.#item('Maritime Lifting')).properties.answered as string
    const item = '[data-item]:has-text("Maritime")'
    const from = await middleOf(page, `[data-date=""] ${item}`)
    // The first week for which there is enough room above it in the window.
    const box = await page.locator('[data-date="2026-11-24"]').boundingBox()
    const to = { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 12 }
    const what = 'an item without a date is dragged to a day'
    const over = `[data-date="2026-11-24"] ${item}`
    if (!(await this.#drag(what, from, to, { held: `${item}.chosen`, over }))) return
    await this.#expect(what, answered, '2026-11-24')
    await page.locator(`${over} a`).focus()
    await page.keyboard.press('Control+ArrowLeft')
    await this.#expect('an item is moved to the day before by a key', answered, '2026-11-23')
    await this.#check('views_delete', { collectionId, viewId })
  }

  /** Creates a view with the keyboard only, and checks that the page shows it. */
  async makeView(): Promise<void> {
    const { page, base, office } = this.#work
    const { suppliers: collectionId } = office.sample
    await page.goto(`${base}/collections/${collectionId}`)
    await page.locator('[popovertarget="collection-menu"]').focus()
    await page.keyboard.press('Enter')
    await page.locator('.menu:popover-open a:text-is("New view…")').focus()
    await page.keyboard.press('Enter')
    await page.locator('#panel[open] [name="name"]:focus').waitFor()
    await page.keyboard.type('By hand')
    await page.keyboard.press('Enter')
    const current = () =>
      page.evaluate('document.querySelector(".tabs [aria-current]")?.textContent').catch(() => undefined)
    await this.#expect('a view that was made is shown', current, 'By hand')
    const { views } = await this.#check('views_list', { collectionId })
    const viewId = views.find(({ name }: { name: string }) => name === 'By hand')?.id
    if (viewId !== undefined) await this.#check('views_delete', { collectionId, viewId })
  }

  /** Uses the keyboard only: types a number, discards another with Escape, and checks a checkbox. */
  async changeCells(): Promise<void> {
    const { page, base, office, isTouch } = this.#work
    await page.goto(`${base}/collections/${office.sample.suppliers}`)
    await page.locator('.tabs a:text-is("All")').click()
    await page.locator('table[role="grid"]').waitFor()
    const price = async () => (await this.#item('Hafenbau Lübeck')).properties.price
    const amount = isTouch ? 700 : 900
    const cell = 'tr:has-text("Hafenbau") [data-key="price"]'
    const open = async () => {
      if (isTouch) await page.locator(cell).tap()
      else {
        await page.locator(cell).focus()
        await page.keyboard.press('Enter')
      }
      await page.locator('.cell-editor :focus').waitFor()
    }
    await open()
    await page.keyboard.type(String(amount))
    await page.keyboard.press('Enter')
    await this.#expect('a cell is changed', price, amount)
    await page.locator('.cell-editor').waitFor({ state: 'detached' })
    await open()
    await page.keyboard.type('1')
    await page.keyboard.press('Escape')
    await page.locator('.cell-editor').waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowRight')
    const key = await page.evaluate('document.activeElement.dataset.key')
    if (key !== 'answered')
      this.faults.push(`${isTouch ? 'phone' : 'desktop'}: expected the next cell to have the focus, found ${key}.`)
    const box = page.locator('tr:has-text("Hafenbau") .box')
    const isTicked = (await this.#item('Hafenbau Lübeck')).properties.certified === true
    if (isTouch) await box.tap()
    else await box.click()
    await this.#expect('a box is ticked, and the number stays', async () => {
      const { properties } = await this.#item('Hafenbau Lübeck')
      return [properties.certified === true, properties.price]
    }, [!isTicked, amount])
  }

  /** Edits a cell of a collection in a document, which keeps the focus when an agent changes another row. */
  async changeCellInDocument(): Promise<void> {
    const { page, base, office, isTouch } = this.#work
    const { plan, suppliers, suppliersDocument } = office.sample
    const loaded = 'performance.getEntriesByType("resource").some(({ name }) => name.includes("/page/collection-"))'
    await page.goto(`${base}/d/${plan}`)
    await page.locator('.edits article').waitFor()
    if (await page.evaluate(loaded)) this.#blame('a document without a collection', 'expected no script for items')
    await page.goto(`${base}/d/${suppliersDocument}`)
    await page.locator('article [data-items]').waitFor()
    const { views } = await this.#check('views_list', { collectionId: suppliers })
    const viewId = views.find(({ type }: { type: string }) => type === 'table').id
    await this.#check('views_activate', { collectionId: suppliers, viewId })
    await page.locator('article table[role="grid"]').waitFor()
    const cell = 'article tr:has-text("Hafenbau") [data-key="price"]'
    const price = async () => (await this.#item('Hafenbau Lübeck')).properties.price
    const amount = isTouch ? 710 : 910
    if (isTouch) await page.locator(cell).tap()
    else await page.locator(cell).click()
    await page.locator('.cell-editor :focus').waitFor()
    await page.keyboard.type(String(amount))
    await page.keyboard.press('Enter')
    await this.#expect('a cell in a document is changed', price, amount)
    await page.locator('.cell-editor').waitFor({ state: 'detached' })
    const { id } = await this.#item('Maritime Lifting')
    await this.#check('items_update', {
      collectionId: suppliers,
      itemsToUpdate: [{ id, properties: { price: amount + 1 } }],
    })
    await page.locator(`article tr:has-text("Maritime"):has-text("${amount + 1}")`).waitFor()
    const focused = await page.evaluate('document.activeElement.dataset.key')
    if (focused !== 'price')
      this.#blame('a row is changed by an agent', `expected the cell to keep the focus, found ${focused}`)
    else this.done++
  }

  async writeInDocument(): Promise<void> {
    const report: Report = {
      expect: (what, read, wanted) => this.#expect(what, read, wanted),
      drag: (what, from, to, signs) => this.#drag(what, from, to, signs),
      blame: (what, why) => this.#blame(what, why),
    }
    await moveSeveralBlocks(this.#work, report)
    await markTitle(this.#work, report)
    await pasteSamples(this.#work, report)
    await composeText(this.#work, report)
    await chooseBetweenTables(this.#work, report)
    await foldCallouts(this.#work, report)
    await changeFormula(this.#work, report)
    await importFolder(this.#work, report)
    // A finger does not rest over a list.
    if (!this.#work.isTouch) await leaveRowsInPlace(this.#work, report)
  }

  async #elements(): Promise<
    { id: string; type: string; x: number; y: number; originalText?: string; containerId?: string }[]
  > {
    return (await this.#check('elements_list', { whiteboardBlockId: this.#work.office.sample.board })).elements
  }

  /** Drags an element and moves it by keys, draws a rectangle, writes on it, and deletes it. */
  async drawOnBoard(): Promise<void> {
    const { page, base, office } = this.#work
    await page.goto(`${base}/whiteboards/${office.sample.board}`)
    const crane = '[id="element-crane"]'
    await page.locator(crane).waitFor()
    const placeOf = async (id: string) => {
      const found = (await this.#elements()).find((one) => one.id === id)
      return found === undefined ? undefined : [Math.round(found.x), Math.round(found.y)]
    }
    const scale = (await page.evaluate('document.querySelector("#drawing svg").getScreenCTM().a')) as number
    const before = await placeOf('crane')
    const from = await middleOf(page, crane)
    const held = '[id="element-crane"].is-chosen'
    if (!(await this.#drag('an element is dragged', from, { x: from.x + 20, y: from.y + 30 }, { held }))) return
    const label = async () => {
      const [own, bound] = [await placeOf('crane'), await placeOf('crane-label')]
      return (
        own !== undefined &&
        bound !== undefined &&
        own[1] !== before?.[1] &&
        Math.abs((bound[1] ?? 0) - (own[1] ?? 0)) < 40
      )
    }
    await this.#expect('an element is dragged with its label', label, true)
    const [x = 0, y = 0] = (await placeOf('crane')) ?? []
    if (Math.abs(x - (before?.[0] ?? 0) - 20 / scale) > 3)
      this.faults.push(`Expected the element where it was let go, found it at ${x}, ${y}.`)
    await page.locator(crane).focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
    await this.#expect('an element is moved by keys', () => placeOf('crane'), [x + 10, y + 20])
    await this.#draw()
  }

  async #draw(): Promise<void> {
    const { page } = this.#work
    const ids = new Set((await this.#elements()).map(({ id }) => id))
    await page.locator('[data-tool="rectangle"]').click()
    await page.locator('[data-tool="rectangle"][aria-pressed="true"]').waitFor()
    const board = await page.locator('#board').boundingBox()
    const corner: Place = { x: (board?.x ?? 0) + 40, y: (board?.y ?? 0) + 60 }
    const end = { x: corner.x + 90, y: corner.y + 50 }
    if (!(await this.#drag('a rectangle is drawn', corner, end, { over: '.sketch' }))) return
    const added = async () => (await this.#elements()).filter(({ id }) => !ids.has(id))
    await this.#expect('a rectangle is drawn', async () => (await added()).map(({ type }) => type), ['rectangle'])
    const [drawn] = await added()
    await page.locator(`[id="element-${drawn?.id}"]:focus`).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Ware & <b>house')
    await page.keyboard.press('Enter')
    await this.#expect(
      'words are written on it',
      async () => (await this.#elements()).find(({ containerId }) => containerId === drawn?.id)?.originalText,
      'Ware & <b>house',
    )
    await page.locator(`[id="element-${drawn?.id}"]:focus`).waitFor()
    await page.keyboard.press('Delete')
    await this.#expect('it is deleted with its words', added, [])
  }
}
