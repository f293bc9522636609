/** The package once more, built from sources of which the guards were taken out: on it each attack has to work. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Program } from './process.ts'

/** A guard that is taken out of a source. */
export interface Mutation {
  /** From the root of the checkout. */
  file: string
  /** What stands there once. */
  find: string
  /** What is to stand there. */
  replace: string
}

const ROOT = join(import.meta.dirname, '../../..')
/** What a package is built from, and the files that go into it as they are. */
const SOURCES = ['src', 'storage', 'tools', 'package.json', 'README.md', 'CHANGELOG.md']

/**
 * Builds and packs the mutated sources, and lays the package down beside the same dependencies as the installed one has.
 *
 * @param folder  where to do so
 * @throws Error for a mutation whose text does not stand in its file exactly once
 */
export async function weakenedPackage(
  folder: string,
  installed: Program,
  mutations: readonly Mutation[],
): Promise<Program> {
  const sources = join(folder, 'sources')
  for (const name of SOURCES) cpSync(join(ROOT, name), join(sources, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(sources, 'node_modules'))
  for (const mutation of mutations) mutate(sources, mutation)
  const run = promisify(execFile)
  await run(process.execPath, ['src/build.ts'], { cwd: sources })
  await run('npm', ['pack', '--ignore-scripts', '--loglevel', 'error'], { cwd: sources })
  const tarball = readdirSync(sources).find((name) => name.endsWith('.tgz')) ?? ''
  const packages = join(folder, 'weakened', 'node_modules')
  const own = join(packages, 'scriptorium')
  mkdirSync(own, { recursive: true })
  await run('tar', ['-xzf', join(sources, tarball), '-C', own, '--strip-components', '1'])
  linkDependencies(join(installed.folder, 'node_modules'), packages)
  return { folder: join(folder, 'weakened'), script: join(own, 'dist', 'start.js') }
}

function mutate(sources: string, mutation: Mutation): void {
  const path = join(sources, mutation.file)
  writeFileSync(path, mutated(readFileSync(path, 'utf8'), mutation))
}

/** A source without the guard. @throws Error where its text does not stand there exactly once */
export function mutated(source: string, { file, find, replace }: Mutation): string {
  const count = source.split(find).length - 1
  if (count === 1) return source.replace(find, () => replace)
  throw new Error(`Expected once in ${file}, found ${count} times; mend the list of planted faults:\n${find}`)
}

/** Names of packages, and of the scopes that hold several. */
function linkDependencies(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    if (name !== 'scriptorium') symlinkSync(join(from, name), join(to, name))
  }
}
