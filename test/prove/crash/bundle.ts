/** Programs of the harness in one file each: a process of one starts in half the time of one that loads the sources. */
import { execFile } from 'node:child_process'
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'

export const root = join(import.meta.dirname, '../../..')

/** A fault that is planted in the copy of the sources: what a file says, and what it says in its place. */
export interface Planted {
  file: string
  from: string
  to: string
}

/**
 * The writing processes of the harness, ready to be started by `node`: the path of `writer.ts`, or `forks.ts`.
 *
 * @param planted  a fault in the product's code, which this copy of it alone has
 */
export async function bundle(name: 'writer' | 'forks', folder: string, planted?: Planted): Promise<string> {
  const out = mkdtempSync(join(folder, `${name}-`))
  // The database binding is found from where the copy lies.
  symlinkSync(join(root, 'node_modules'), join(out, 'node_modules'))
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }')
  let isPlanted = planted === undefined
  const plugin = {
    name: 'plant',
    transform(code: string, id: string): string | undefined {
      if (planted === undefined || relative(root, id) !== planted.file) return undefined
      isPlanted = code.includes(planted.from)
      return code.replace(planted.from, planted.to)
    },
  }
  const input = { [name]: join(import.meta.dirname, `${name}.ts`) }
  const made = await rolldown({ input, platform: 'node', external: ['better-sqlite3'], plugins: [plugin] })
  await made.write({ dir: out, format: 'esm' })
  await made.close()
  if (!isPlanted) throw new Error(`Expected to find ${planted?.from} in ${planted?.file}.`)
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
