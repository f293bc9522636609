/** Finds files of a source that were renamed or moved since the last import: by their content, or most of it. */
import { addToGroup } from '../base/grouping.ts'
import type { SourceContent } from './import-format.ts'
import { stem } from './import-source.ts'
import { likeness } from './text-sketch.ts'

/** A file of the last import that is gone, or one that is new. */
export interface RenamedFile {
  path: string
  content: SourceContent
}

/** How much of a file must be the same. A file that was moved under the same name needs less. */
const LEAST_LIKENESS = 0.5
const LEAST_LIKENESS_OF_SAME_NAME = 0.25
/** How many pairs of files are compared by their sketches. */
const MOST_PAIRS = 4_000_000

/**
 * @param gone  files of the last import that are not at their paths
 * @param added  files that were not in the last import
 * @returns the new path by the earlier one; each file is in at most one pair
 */
export function matchRenames(gone: readonly RenamedFile[], added: readonly RenamedFile[]): Map<string, string> {
  const renames = new Map<string, string>()
  const taken = new Set<string>()
  const pair = (from: string, to: string) => {
    renames.set(from, to)
    taken.add(to)
  }
  const byHash = new Map<string, RenamedFile[]>()
  for (const file of added) if (file.content.sketch !== '') addToGroup(byHash, file.content.hash, file)
  for (const isSameName of [true, false]) {
    for (const { path, content } of gone) {
      if (renames.has(path)) continue
      const same = (byHash.get(content.hash) ?? []).find(
        (file) => !taken.has(file.path) && (!isSameName || stem(file.path) === stem(path)),
      )
      if (same !== undefined) pair(path, same.path)
    }
  }
  for (const { from, to } of likePairs(
    gone.filter(({ path }) => !renames.has(path)),
    added.filter(({ path }) => !taken.has(path)),
  )) {
    if (!renames.has(from) && !taken.has(to)) pair(from, to)
  }
  return renames
}

/** Pairs of files that are alike, the most alike first. */
function likePairs(gone: readonly RenamedFile[], added: readonly RenamedFile[]): { from: string; to: string }[] {
  if (gone.length * added.length > MOST_PAIRS) return []
  const pairs: { from: string; to: string; like: number }[] = []
  for (const one of gone) {
    for (const other of added) {
      const like = likeness(one.content.sketch, other.content.sketch)
      const least = stem(one.path) === stem(other.path) ? LEAST_LIKENESS_OF_SAME_NAME : LEAST_LIKENESS
      if (like >= least) pairs.push({ from: one.path, to: other.path, like })
    }
  }
  return pairs.sort((one, other) => other.like - one.like)
}
