/** Output for a person: a progress bar on a terminal, plain lines elsewhere, and a table at the end. */
import { stripVTControlCharacters, styleText } from 'node:util'

const WIDTH = 28
const { stdout } = process

type Style = Parameters<typeof styleText>[0]
/** Colored on a terminal, unless its owner disables that. */
export const paint = (style: Style, text: string): string => styleText(style, text, { stream: stdout })

/** Runs a step for all items and shows the progress; an item counts as `size` says. */
export async function withBar<Item>(
  label: string,
  items: readonly Item[],
  step: (item: Item) => Promise<void>,
  size: (item: Item) => number = () => 1,
): Promise<void> {
  const all = items.reduce((sum, item) => sum + size(item), 0)
  let done = 0
  for (const item of items) {
    draw(label, done, all)
    await step(item)
    done += size(item)
  }
  draw(label, done, all)
  stdout.write(stdout.isTTY ? '\n' : `${label.padEnd(30)} ${done} of ${all}\n`)
}

function draw(label: string, done: number, all: number): void {
  if (!stdout.isTTY) return
  const filled = all === 0 ? WIDTH : Math.round((done / all) * WIDTH)
  const bar = paint('green', '█'.repeat(filled)) + paint('gray', '░'.repeat(WIDTH - filled))
  stdout.write(`\r${label.padEnd(30)} ${bar} ${String(done).padStart(4)} of ${all}`)
}

/** Columns as wide as their content, with numbers aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const length = (text: string) => stripVTControlCharacters(text).length
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => length(row[column] ?? ''))))
  const isNumber = head.map((_, column) => rows.every((row) => /^(-?[\d.,]+( \S+)?)?$/.test(row[column] ?? '')))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - length(cell))
        return isNumber[column] ? space + cell : cell + space
      })
      .join('  ')
      .trimEnd()
  return [paint('bold', line(head)), ...rows.map(line)].join('\n')
}
