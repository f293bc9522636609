/** The box of a task as people write it in a field that is a task anyway: without a dash, or as a character. */
import type { TaskState } from './block.ts'

const BOX = /^(?:[-*+•–—][ \t]+)?(?:\\?\[(?<box>[ xX✓✔-]?)\\?\]|(?<sign>[☐☑☒✅✔])\uFE0F?)[ \t]+(?=\S)/u

const STATES: ReadonlyMap<string, TaskState> = new Map([
  ...[' ', '', '☐'].map((box) => [box, 'todo'] as const),
  ...['x', 'X', '✓', '✔', '☑', '✅'].map((box) => [box, 'done'] as const),
  ...['-', '☒'].map((box) => [box, 'canceled'] as const),
])

/** Reads `[x] text`, `• [ ] text` or `☑ text`. Undefined for text without a box. */
export function readTaskBox(text: string): { state: TaskState; text: string } | undefined {
  const { 0: prefix = '', groups: { box, sign } = {} } = BOX.exec(text) ?? {}
  const state = prefix === '' ? undefined : STATES.get(box ?? sign ?? '')
  return state && { state, text: text.slice(prefix.length) }
}
