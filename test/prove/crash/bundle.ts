/** Programs of the harness in one file each: a process of one starts in half the time of one that loads the sources. */
import { execFile } from 'node:child_process'
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { type Mutation, mutated, ROOT } from '../mutated-sources.ts'

/**
 * The writing processes of the harness, ready to be started by `node`: the path of `writer.ts`, or `forks.ts`.
 *
 * @param planted  a fault in the product's code, which this copy of it alone has
 */
export async function bundle(name: 'writer' | 'forks', folder: string, planted?: Mutation): Promise<string> {
  const out = mkdtempSync(join(folder, `${name}-`))
  // The database binding is found from where the copy lies.
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
  const input = { [name]: join(import.meta.dirname, `${name}.ts`) }
  const made = await rolldown({ input, platform: 'node', external: ['better-sqlite3'], plugins: [plugin] })
  await made.write({ dir: out, format: 'esm' })
  await made.close()
  if (!isPlanted) throw new Error(`Expected ${planted?.file} to be part of ${name}, found that it is not.`)
  return join(out, `${name}.js`)
}

/** A library in C of this folder, to be preloaded. */
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
