/**
 * Runs all bench files in this folder, or the named ones (`npm run bench -- reading`), and prints one table. With
 * `--peers` it compares this server with others instead (`peers/`).
 */
import { readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { paint, table } from '../demo/progress.ts'
import { type Figure, isMet, type Measure } from './figure.ts'

const ENDING = '.bench.ts'
const subjects = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(ENDING))
  .map((name) => name.slice(0, -ENDING.length))
const { values, positionals: input } = parseArgs({
  allowPositionals: true,
  options: { peers: { type: 'boolean', default: false }, data: { type: 'string' } },
})
const unknown = input.filter((name) => !subjects.includes(name))

if (unknown.length > 0) {
  console.error(`Expected subjects (${subjects.join(', ')}), found ${unknown.join(', ')}.`)
  process.exitCode = 2
} else if (values.peers) {
  const { sideBySide } = await import('./peers/side-by-side.ts')
  console.log(`\n${await sideBySide((line) => console.error(`  ${line}`))}`)
} else await bench(input.length > 0 ? input : subjects)

async function bench(chosen: readonly string[]): Promise<void> {
  const figures: Figure[] = []
  const notes: string[] = []
  for (const subject of chosen) {
    const from = performance.now()
    const { measure } = (await import(`./${subject}${ENDING}`)) as { measure: Measure }
    const measured = await measure({ data: values.data }).catch((error: Error) => {
      process.exitCode = 1
      return { figures: [], notes: [`${subject} failed: ${error.stack}`] }
    })
    figures.push(...measured.figures)
    notes.push(...(measured.notes ?? []))
    console.error(`${subject}: ${((performance.now() - from) / 1000).toFixed(1)} s`)
  }
  console.log(`\n${table(['Figure', 'ours', 'floor', '', 'against', 'ratio', 'goal', ''], figures.map(row))}`)
  if (notes.length > 0) console.log(`\n${notes.join('\n')}`)
}

function row(figure: Figure): string[] {
  const { what, ours, bare, unit, floor, ratio, goal } = figure
  const bound = goal.most === undefined ? `at least ${amount(goal.least ?? 0)}` : `at most ${amount(goal.most)}`
  const words = isMet(figure) ? paint('green', 'ok') : paint('red', 'missed')
  return [
    what,
    amount(ours),
    amount(bare),
    unit,
    floor,
    amount(ratio),
    goal.of === 'ours' ? `${bound} ${unit}` : bound,
    words,
  ]
}

/** Formats a number, or prints a dash if there is no floor. */
function amount(value: number): string {
  if (Number.isNaN(value)) return '–'
  const digits = value < 100 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 }
  return value.toLocaleString('en-US', digits)
}
