/** Pointer input: a mouse, or a finger on a phone. */
import type { CDPSession, Page } from 'playwright-core'

export interface Place {
  x: number
  y: number
}

/** The number of steps of one drag. */
const STEPS = 8
/** Milliseconds in which a page must show the effects of a drag on a busy machine. */
const SHOWN_MS = 15_000

/** Selectors of what a page shows during a drag. The drag continues once they are visible. */
export interface DragSigns {
  /** Visible once the thing is picked up, after the press. */
  held?: string
  /** Visible once the thing is at its target, before it is released. */
  over?: string
}

/** The page did not show the drag. The pointer was released. */
export class MissedDrag extends Error {}

export interface Pointer {
  /** Presses at one place and releases at another. @throws MissedDrag */
  drag(from: Place, to: Place, signs?: DragSigns): Promise<void>
}

/** The actions that differ between mouse and touch. */
interface Press {
  down(at: Place): Promise<void>
  move(to: Place): Promise<void>
  up(): Promise<void>
}

export const mousePointer = (page: Page): Pointer =>
  pointer(page, {
    async down({ x, y }) {
      await page.mouse.move(x, y)
      await page.mouse.down()
    },
    move: ({ x, y }) => page.mouse.move(x, y),
    up: () => page.mouse.up(),
  })

export async function touchPointer(page: Page): Promise<Pointer> {
  const session: CDPSession = await page.context().newCDPSession(page)
  const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: Place) => {
    await session.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [at] })
  }
  return pointer(page, {
    down: (at) => touch('touchStart', at),
    move: (to) => touch('touchMove', to),
    up: () => touch('touchEnd'),
  })
}

const pointer = (page: Page, press: Press): Pointer => ({
  async drag(from, to, { held, over } = {}) {
    const see = async (sign: string | undefined, what: string) => {
      if (sign === undefined) return
      const element = page.locator(sign).first()
      const isSeen = await element.waitFor({ state: 'attached', timeout: SHOWN_MS }).then(
        () => true,
        () => false,
      )
      if (!isSeen) throw new MissedDrag(`expected ${sign} on the page once it is ${what}, found none`)
    }
    await press.down(from)
    try {
      await see(held, 'taken hold of')
      for (let step = 1; step <= STEPS; step++) {
        const along = (one: number, other: number) => one + ((other - one) * step) / STEPS
        await press.move({ x: along(from.x, to.x), y: along(from.y, to.y) })
      }
      await see(over, 'where it is to go')
    } finally {
      await press.up()
    }
  },
})

/** Scrolls an element into view and returns its center. */
export async function middleOf(page: Page, selector: string): Promise<Place> {
  const element = page.locator(selector).first()
  await element.scrollIntoViewIfNeeded()
  const box = await element.boundingBox()
  if (box === null) throw new Error(`Expected ${selector} on the screen, found it nowhere.`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
