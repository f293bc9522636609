/** Bundles programs of the harness into few files, which halves the time to start a process. */
import { execFile } from 'node:child_process'
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { SOURCE_OPTIONS, WORKERS } from '../../../scripts/build.ts'
import { type Mutation, mutated, ROOT } from '../mutated-sources.ts'

/**
 * Bundles `writer.ts` or `forks.ts` and returns the path of a program for `node`.
 *
 * @param planted  a fault to plant in the product's code in this bundle
 */
export async function bundle(name: 'writer' | 'forks', folder: string, planted?: Mutation): Promise<string> {
  const out = mkdtempSync(join(folder, `${name}-`))
  // The bundle resolves the database binding relative to its own path.
  symlinkSync(join(ROOT, 'node_modules'), join(out, 'node_modules'))
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }')
  let isPlanted = planted === undefined
  const plugin = {
    name: 'plant',
    transform(code: string, id: string): string | undefined {
      if (planted === undefined || relative(ROOT, id) !== planted.file) return undefined
      isPlanted = true
      return mutated(code, planted)
    },
  }
  // The program alone in one file, and what workers share in others.
  for (const input of [{ [name]: join(import.meta.dirname, `${name}.ts`) }, WORKERS]) {
    const made = await rolldown({ ...SOURCE_OPTIONS, input, plugins: [plugin] })
    await made.write({ dir: out, format: 'esm' })
    await made.close()
  }
  if (!isPlanted) throw new Error(`Expected ${planted?.file} to be part of ${name}, found that it is not.`)
  return join(out, `${name}.js`)
}

/** Compiles a C file of this folder to a library for LD_PRELOAD. */
export async function compile(name: string, folder: string): Promise<string> {
  const out = join(folder, `${name}.so`)
  await promisify(execFile)('gcc', [
    '-O2',
    '-shared',
    '-fPIC',
    '-o',
    out,
    join(import.meta.dirname, `${name}.c`),
    '-ldl',
  ])
  return out
}
