/** The sources once more, with some of their guards taken out: a proof has to find that each is missing. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A guard that is taken out of a source. */
export interface Mutation {
  /** From the root of the checkout. */
  file: string
  /** What stands there once. */
  find: string
  /** What is to stand there. */
  replace: string
}

export const ROOT = join(import.meta.dirname, '../..')
/** What a package is built from, and the files that go into it as they are. */
const SOURCES = ['src', 'storage', 'tools', 'scripts', 'assets', 'package.json', 'README.md', 'CHANGELOG.md', 'LICENSE']

/**
 * Copies the sources and changes them.
 *
 * @param folder  that is not there yet
 * @throws Error for a mutation whose text does not stand in its file exactly once
 */
export function copyMutatedSources(folder: string, mutations: readonly Mutation[]): void {
  for (const name of SOURCES) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const mutation of mutations) {
    const path = join(folder, mutation.file)
    writeFileSync(path, mutated(readFileSync(path, 'utf8'), mutation))
  }
}

/** A source without the guard. @throws Error where its text does not stand there exactly once */
export function mutated(source: string, { file, find, replace }: Mutation): string {
  const count = source.split(find).length - 1
  if (count === 1) return source.replace(find, () => replace)
  throw new Error(`Expected once in ${file}, found ${count} times; mend the list of planted faults:\n${find}`)
}

/** Changes the sources of the checkout in memory. @throws Error as {@link mutated} */
export function checkMutations(mutations: readonly Mutation[]): void {
  const sources = new Map<string, string>()
  for (const mutation of mutations) {
    const source = sources.get(mutation.file) ?? readFileSync(join(ROOT, mutation.file), 'utf8')
    sources.set(mutation.file, mutated(source, mutation))
  }
}
