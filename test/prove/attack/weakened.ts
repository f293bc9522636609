/** The package once more, built from sources of which the guards were taken out: on it each attack has to work. */
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { copyMutatedSources, type Mutation } from '../mutated-sources.ts'
import type { Program } from './process.ts'

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
  copyMutatedSources(sources, mutations)
  const run = promisify(execFile)
  await run(process.execPath, ['scripts/build.ts'], { cwd: sources })
  await run('npm', ['pack', '--ignore-scripts', '--loglevel', 'error'], { cwd: sources })
  const tarball = readdirSync(sources).find((name) => name.endsWith('.tgz')) ?? ''
  const packages = join(folder, 'weakened', 'node_modules')
  const own = join(packages, 'scriptorium')
  mkdirSync(own, { recursive: true })
  await run('tar', ['-xzf', join(sources, tarball), '-C', own, '--strip-components', '1'])
  linkDependencies(join(installed.folder, 'node_modules'), packages)
  return { folder: join(folder, 'weakened'), script: join(own, 'dist', 'start.js') }
}

/** Names of packages, and of the scopes that hold several. */
function linkDependencies(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    if (name !== 'scriptorium') symlinkSync(join(from, name), join(to, name))
  }
}
