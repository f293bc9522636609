/**
 * Makes the package, `dist`: a few files in place of the six hundred that a checkout loads, since finding and reading
 * each costs more than what stands in it. What is loaded lazily stays so.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { endpoints } from '../tools/index.ts'
import { publishedFile } from './published.ts'
import { ToolTable } from './server/table.ts'
import { KINDS } from './space/space.ts'

const ROOT = join(import.meta.dirname, '..')

/** The command line, and the threads, which are started by their names from beside it. */
const PROGRAMS = {
  start: 'src/start.js',
  'read-thread': 'src/markdown/read-thread.ts',
  'scan-thread': 'src/pattern/scan-thread.ts',
  'picture-thread': 'src/space/whiteboards/picture-thread.ts',
}

/** Packages that find files of their own, or are large and seldom used: they stay where npm puts them. */
const APART = ['better-sqlite3', '@resvg/resvg-wasm', 'pino', 'oidc-provider']

/** Names stay, since the log of a fault shows them. */
const SHORT = { compress: true, mangle: false, codegen: true }

/**
 * What a checkout loads as CommonJS, to be quick, is bundled from its ES modules, of which only what is used is kept.
 * Such a line reads `export const { … } = require('…') as …`.
 */
const bundledModules: Plugin = {
  name: 'bundled-modules',
  transform: {
    filter: { id: /storage\/drizzle\.ts$/ },
    handler: (code) => code.replaceAll(/export const (\{[^}]*\}) =\s+require\(('[^']+')\) as .*/g, 'export $1 from $2'),
  },
}

/** @param folder  emptied before */
export async function build(folder = join(ROOT, 'dist')): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const bundle = await rolldown({
    cwd: ROOT,
    input: PROGRAMS,
    platform: 'node',
    external: APART,
    plugins: [bundledModules],
  })
  const { output } = await bundle.write({ dir: folder, entryFileNames: '[name].js', minify: SHORT })
  await bundle.close()
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  for (const kind of KINDS) {
    writeFileSync(join(folder, publishedFile(kind)), JSON.stringify(new ToolTable(endpoints, kind).list.published))
  }
  writeFileSync(join(folder, 'LICENSES.txt'), licences(modules))
}

/** The licences of the packages whose code the bundle holds, as they ask. */
function licences(modules: readonly string[]): string {
  const packages = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []))
  const texts = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice|third-party)/i.test(file))
    const words = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
    return [`${name} ${version} (${license})`, ...words].join('\n\n')
  })
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

if (import.meta.main) await build()
