/** Builds the package again from sources without the guards: on this package every attack must succeed. */
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { copyMutatedSources, type Mutation } from '../mutated-sources.ts'
import { linkDependencies } from './database.ts'
import type { Program } from './process.ts'

/**
 * Builds and packs the mutated sources, and installs the package with the same dependencies as the installed one.
 *
 * @param folder  where to build and install it
 * @throws Error if the text of a mutation does not occur in its file exactly once
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
