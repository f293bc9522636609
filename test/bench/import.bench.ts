/**
 * Imports 10,000 notes with 1,000 files and measures notes per second, memory, and how long other calls are delayed.
 *
 * SCRIPTORIUM_BENCH_SOURCES names your own sources, folders or zips of any format, separated by commas. Each is
 * imported twice. What is lost is counted, as the report names it and as independent counts of words and of other
 * things find it (`unnamed-losses.ts`, `unnamed-kinds.ts`). In a vault each link is checked (`vault-links.ts`), and each folder is exported again
 * (`identical-notes.ts`).
 */
import { fork } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Figure, Goal, Measure } from './figure.ts'
import type { IdenticalNotes } from './identical-notes.ts'
import type { ImportFigures } from './import-process.ts'
import { inFolder } from './workbench.ts'

const NOTES = 10_000
const FILES = 1_000

export const measure: Measure = () =>
  inFolder(async (folder) => {
    const vault = join(folder, 'vault')
    writeVault(vault)
    const figures = await importIn(vault, join(folder, 'space.sqlite'))
    const { seconds, again, reading, memory, memoryBefore, longest, longestBefore } = figures
    const megabytes = (bytes: number) => bytes / 1024 / 1024
    const figure = (
      ...[what, floor, ours, bare, unit, goal]: [string, string, number, number, string, Omit<Goal, 'of'>]
    ): Figure => ({ what, floor, ours, bare, ratio: ours / bare, unit, goal: { of: 'ours', ...goal } })
    const what = `${NOTES.toLocaleString('en-US')} notes with ${FILES.toLocaleString('en-US')} files`
    const [rate, least] = ['notes/s', { least: 300 }]
    return {
      figures: [
        figure(`import of ${what}`, 'reading them', NOTES / seconds, NOTES / reading, rate, least),
        figure('the same again', 'reading them', NOTES / again, NOTES / reading, rate, least),
        figure('its memory', 'before it', megabytes(memory), megabytes(memoryBefore), 'MB', { most: 400 }),
        figure('longest other call', 'before it', longest, longestBefore, 'ms', { most: 100 }),
      ],
      notes: await ownSources(folder),
    }
  })

/** Imports each source that the environment names, and returns a line for each. */
async function ownSources(folder: string): Promise<string[]> {
  const lines: string[] = []
  for (const [index, source] of (process.env.SCRIPTORIUM_BENCH_SOURCES?.split(',') ?? []).entries()) {
    const figures = await importIn(source, join(folder, `own-${index}.sqlite`))
    const { files, documents, seconds, again, writtenAgain, problems, unnamed, links, identical, memory } = figures
    const named = Object.values(problems).reduce((sum, count) => sum + count, 0)
    const kinds = Object.entries(problems).map(([kind, count]) => `${count} ${kind}`)
    lines.push(
      `${basename(source)}: ${files} files, ${documents} documents, in ${seconds.toFixed(1)} s and ${Math.round(memory / 1024 / 1024)} MB.`,
      `  ${named} losses and changes are named${kinds.length === 0 ? '' : ` (${kinds.join(', ')})`}.`,
      ...(unnamed === undefined ? [] : [`  ${unnamed.words} lost words are not named (goal: 0).`]),
      ...Object.entries(unnamed?.kinds ?? {}).map(
        ([kind, count]) => `  ${count} lost ${kind} are not named (goal: 0).`,
      ),
      ...(unnamed?.examples ?? []).map((example) => `  not named: ${example}`),
      `  The second import took ${again.toFixed(1)} s and wrote ${writtenAgain} blocks (goal: 0).`,
      ...(links === undefined
        ? []
        : [`  ${links.links} links have an end in it, and ${links.wrong.length} lead elsewhere.`]),
      ...(links?.wrong ?? []).map((wrong) => `  ${wrong}`),
      ...identicalLines(identical),
    )
  }
  return lines
}

function identicalLines(figures: IdenticalNotes | undefined): string[] {
  if (figures === undefined || figures.notes === 0) return []
  const { notes, identical, changed, seconds } = figures
  const share = ((100 * identical) / notes).toFixed(1)
  return [
    `  ${identical} of ${notes} notes (${share} %) are exported byte for byte, in ${seconds.toFixed(1)} s.`,
    ...changed.map((path) => `  changed: ${path}`),
  ]
}

/** Writes notes of a few paragraphs to folders. They link to each other's headings and embed files. */
function writeVault(path: string): void {
  mkdirSync(join(path, '.obsidian'), { recursive: true })
  mkdirSync(join(path, 'files'))
  for (let index = 0; index < FILES; index++) {
    writeFileSync(join(path, 'files', `file ${index}.txt`), `The bytes of ${index}. `.repeat(200))
  }
  for (let index = 0; index < NOTES; index++) {
    const folder = join(path, `Box ${index % 100}`)
    if (index < 100) mkdirSync(folder)
    const [near, far] = [(index + 1) % NOTES, (index * 7919) % NOTES]
    const text = `---\ntags: [box${index % 100}]\n---\n# Note ${index}\n\nWe met on the pier and spoke of the *harbour* plan, as [[Note ${near}#Note ${near}]] says, and [[Note ${far}|another]].\n\n- [ ] settle point ${index} 📅 2026-12-01\n- [x] pay the crane\n\n> [!info] Mind\n> the tide.\n${index % 10 === 0 ? `\n![[file ${(index / 10) % FILES}.txt]]\n` : ''}`
    writeFileSync(join(folder, `Note ${index}.md`), text)
  }
}

/** Imports in a process of its own, so that its memory is that of the import alone. @param source  a folder or a zip */
function importIn(source: string, file: string): Promise<ImportFigures> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'import-process.ts'), [source, file])
    child.once('message', (figures) => resolve(figures as ImportFigures))
    child.once('error', reject)
    child.once('exit', (code) => code !== 0 && reject(new Error(`Expected figures, found exit code ${code}.`)))
  })
}
