/**
 * Draws docs/in-use.svg: what happens when two agents and a person work together, one line after another. The lines are
 * those of a real run, and a test compares the file with one.
 *
 *     npm run picture
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './host.ts'
import { type Scene, workTogether } from './together.ts'

export const PICTURE = join(ROOT, 'docs/in-use.svg')

const WIDTH = 900
const ROW = 66
const TOP = 54
/** Seconds from a line to the next, and that all of them stay. */
const STEP = 2
const STAY = 5
const COLORS: Readonly<Record<Scene['who'], string>> = { Researcher: '#0f766e', Editor: '#9a3412', You: '#1d4ed8' }
const TITLE = 'Two agents and a person work in one space: a claim, a suggestion, its approval, and an undo.'

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** An animated picture; where people ask for less motion, and in programs that do not move, all lines are there. */
export function pictureOf(scenes: readonly Scene[]): string {
  const seconds = scenes.length * STEP + STAY
  const height = TOP + scenes.length * ROW + 14
  const percent = (time: number): string => `${Math.round((time / seconds) * 1000) / 10}%`
  const steps = scenes.map((_, index) => {
    const from = index * STEP
    const hidden = index === 0 ? '' : `0%, ${percent(from)} { opacity: 0 } `
    return `    @keyframes line${index} { ${hidden}${percent(from + 0.4)}, 100% { opacity: 1 } }
    .line${index} { animation: line${index} ${seconds}s infinite }`
  })
  const rows = scenes.map(({ who, does, shows }, index) => {
    const y = TOP + index * ROW
    return `  <g class="line${index}">
    <rect x="20" y="${y}" width="${WIDTH - 40}" height="${ROW - 10}" rx="8" fill="#ffffff" stroke="#d8d4ca"/>
    <rect x="20" y="${y}" width="5" height="${ROW - 10}" rx="2" fill="${COLORS[who]}"/>
    <text x="40" y="${y + 23}" fill="#1f2937"><tspan fill="${COLORS[who]}" font-weight="bold">${who}</tspan> ${escapeText(does)}</text>
    <text x="40" y="${y + 44}" fill="#57534e" font-size="12.5">${escapeText(shows)}</text>
  </g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title" font-family="ui-sans-serif, system-ui, sans-serif" font-size="14">
  <title id="title">${TITLE}</title>
  <style>
${steps.join('\n')}
    @media (prefers-reduced-motion: reduce) { g { animation: none !important } }
  </style>
  <rect width="${WIDTH}" height="${height}" rx="12" fill="#f3f1ec"/>
  <text x="24" y="34" fill="#57534e" font-size="13">Space: my-space.sqlite</text>
${rows.join('\n')}
</svg>
`
}

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-picture-'))
  try {
    writeFileSync(PICTURE, pictureOf(await workTogether(folder, { script: 'src/start.js', cwd: ROOT })))
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
