/** What keys do on a whiteboard, and what each shape that can be drawn is called and says. */

import { text } from '../page-text.ts'
import type { Point, Shape } from './elements.ts'

/** By key: how much larger the drawing becomes; 0 shows all of it. */
export const ZOOMS: ReadonlyMap<string, number> = new Map(Object.entries({ '+': 1.25, '=': 1.25, '-': 0.8, '0': 0 }))

export const ARROWS: ReadonlyMap<string, Point> = new Map(
  Object.entries({
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
  }),
)

export const HINTS: Readonly<Record<Shape, string>> = {
  rectangle: text('Drag to draw it; Enter puts it in the middle.'),
  ellipse: text('Drag to draw it; Enter puts it in the middle.'),
  diamond: text('Drag to draw it; Enter puts it in the middle.'),
  text: text('Click where the text begins; Enter puts it in the middle.'),
  arrow: text('Drag from one element to another; or press Enter on both.'),
}

export const isShape = (tool: string): tool is Shape => Object.hasOwn(HINTS, tool)
