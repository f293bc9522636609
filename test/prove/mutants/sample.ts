/** Chooses lines of files by a seed, so that a group of mutants takes minutes. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chance } from '../proof.ts'

const root = join(import.meta.dirname, '../../..')
/** Lines that are chosen together, so that whole statements are among them. */
const LINES_TOGETHER = 20
/** Lines of a sample, which have about a hundred mutants. */
const SAMPLED_LINES = 120

/**
 * @param files  paths and patterns, those with `!` excluded
 * @returns the same files, or ranges of their lines in the form that Stryker reads: `path:1-20`
 */
export function sampleLines(files: readonly string[], seed: number): string[] {
  const wanted = globSync(
    files.filter((file) => !file.startsWith('!')),
    { cwd: root },
  )
  const excluded = new Set(files.flatMap((file) => (file.startsWith('!') ? file.slice(1) : [])))
  const ranges = wanted.filter((path) => !excluded.has(path)).flatMap(rangesOf)
  const random = chance(seed)
  const drawn = ranges.map((range) => ({ range, at: random() })).toSorted((one, other) => one.at - other.at)
  return drawn.slice(0, SAMPLED_LINES / LINES_TOGETHER).map(({ range }) => range)
}

function rangesOf(path: string): string[] {
  const lines = readFileSync(join(root, path), 'utf8').trimEnd().split('\n').length
  return Array.from({ length: Math.ceil(lines / LINES_TOGETHER) }, (_, index) => {
    const first = index * LINES_TOGETHER + 1
    return `${path}:${first}-${Math.min(first + LINES_TOGETHER - 1, lines)}`
  })
}
