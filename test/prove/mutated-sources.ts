/** Copies of the sources with some guards removed. A proof has to detect each missing guard. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A guard to remove from a source. */
export interface Mutation {
  /** Path, relative to the root of the checkout. */
  file: string
  /** Text that occurs exactly once in the file. */
  find: string
  /** The text to replace it with. */
  replace: string
}

export const ROOT = join(import.meta.dirname, '../..')
/** The sources of a package, and the files that go into it unchanged. */
const SOURCES = [
  ...['src', 'storage', 'tools', 'scripts', 'assets', 'package.json', 'server.json'],
  ...['README.md', 'CHANGELOG.md', 'LICENSE'],
]

/**
 * Copies the sources and changes them.
 *
 * @param folder  a folder that does not exist yet
 * @throws Error if the text of a mutation does not occur exactly once in its file
 */
export function copyMutatedSources(folder: string, mutations: readonly Mutation[]): void {
  for (const name of SOURCES) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const mutation of mutations) {
    const path = join(folder, mutation.file)
    writeFileSync(path, mutated(readFileSync(path, 'utf8'), mutation))
  }
}

/** Returns a source without the guard. @throws Error if its text does not occur exactly once */
export function mutated(source: string, { file, find, replace }: Mutation): string {
  const count = source.split(find).length - 1
  if (count === 1) return source.replace(find, () => replace)
  throw new Error(`Expected once in ${file}, found ${count} times; update the list of planted faults:\n${find}`)
}

/** Applies mutations to the sources of the checkout in memory only. @throws the errors of {@link mutated} */
export function checkMutations(mutations: readonly Mutation[]): void {
  const sources = new Map<string, string>()
  for (const mutation of mutations) {
    const source = sources.get(mutation.file) ?? readFileSync(join(ROOT, mutation.file), 'utf8')
    sources.set(mutation.file, mutated(source, mutation))
  }
}
