/** What is typed at the start of a block and changes its kind, such as `# `. */
import type { Fields } from './block-text.ts'

/** Maps text typed at the start of a block to fields. */
const SHORTCUTS: readonly [typed: RegExp, fields: Partial<Fields>][] = [
  [/^# $/, { textStyle: 'h1' }],
  [/^## $/, { textStyle: 'h2' }],
  [/^### $/, { textStyle: 'h3' }],
  [/^#### $/, { textStyle: 'h4' }],
  [/^[-*] $/, { listStyle: 'bullet' }],
  [/^\+ $/, { listStyle: 'toggle' }],
  [/^1[.)] $/, { listStyle: 'numbered' }],
  [/^\[ ?\] $/, { listStyle: 'task', taskInfo: { state: 'todo' } }],
  [/^\[x\] $/i, { listStyle: 'task', taskInfo: { state: 'done' } }],
  [/^> $/, { decorations: { quote: true } }],
]

/** What is typed after `- ` makes the bullet that it has become a task. */
const TASKS = SHORTCUTS.filter(([, { listStyle }]) => listStyle === 'task')

/**
 * The fields for text typed at the start of a block. A number makes an item only if it is 1 or continues the list above:
 * `24. ` begins a date.
 *
 * @param above  the number of the item above on the same level
 * @param isBullet  true if the block is a bullet already
 */
export function shortcutFor(typed: string, above: number | undefined, isBullet: boolean): Partial<Fields> | undefined {
  if (isBullet) return TASKS.find(([pattern]) => pattern.test(typed))?.[1]
  const number = /^(\d{1,9})[.)] $/.exec(typed)?.[1]
  if (number !== undefined && above !== undefined && Number(number) === above + 1) return { listStyle: 'numbered' }
  return SHORTCUTS.find(([pattern]) => pattern.test(typed))?.[1]
}
