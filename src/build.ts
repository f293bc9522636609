/**
 * Makes the package, `dist`: a few files in place of the six hundred that a checkout loads, since finding and reading
 * each costs more than what stands in it. What is loaded lazily stays so.
 *
 * They are CommonJS, which Node starts in five sixths of the time of the same files as ES modules.
 */
import crypto from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { endpoints } from '../tools/index.ts'
import { publishedFile } from './published.ts'
import { ToolTable } from './server/table.ts'
import { KINDS } from './space/space.ts'

const ROOT = join(import.meta.dirname, '..')

/** The command line, and the threads, which are started by their names from beside it. */
const PROGRAMS = {
  main: 'src/main.ts',
  'read-thread': 'src/markdown/read-thread.ts',
  'scan-thread': 'src/pattern/scan-thread.ts',
  'picture-thread': 'src/space/whiteboards/picture-thread.ts',
}

export const VALIDATOR = '@modelcontextprotocol/server/validators/ajv'

/** Packages that find files of their own, or are large and seldom used: they stay where npm puts them. */
const APART = ['better-sqlite3', '@resvg/resvg-wasm', 'pino', 'oidc-provider', VALIDATOR]

/** What each start loads, in a file each; the rest falls into files by who needs it. */
const TOGETHER = [
  { name: 'words', test: /\/src\/(errors|limits)\.ts$|rolldown\/runtime/, priority: 3 },
  {
    name: 'space',
    test: /\/(storage|drizzle-orm|@opentelemetry)\/|\/src\/(space\/(space|open|watch)|server\/(budget|news))\.ts$/,
    priority: 2,
  },
  { name: 'protocol', test: /\/node_modules\/(@modelcontextprotocol|zod)\//, priority: 1 },
]

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

/**
 * Modules that are written anew, since a start would load with them what it has no use for: a validator of JSON Schema,
 * which the SDK has for what hosts fill in, and the cryptography of Node, of which a call needs some and a start none.
 * Both are loaded where they are asked for.
 */
export const laterModules: Plugin = {
  name: 'later-modules',
  resolveId(id, importer = '') {
    // Packages import of it what is no function, too.
    const isLater = id === SHIMS || (id === 'node:crypto' && !importer.includes('node_modules'))
    return isLater ? `\0${id}` : null
  },
  load: (id) => LATER[id.slice(1)] ?? null,
}

const SHIMS = '@modelcontextprotocol/server/_shims'

const LATER: Record<string, string> = {
  [SHIMS]: `
    export { default as process } from 'node:process'
    export class DefaultJsonSchemaValidator {
      getValidator(schema) {
        const { AjvJsonSchemaValidator } = require('${VALIDATOR}')
        return new AjvJsonSchemaValidator().getValidator(schema)
      }
    }`,
  'node:crypto': Object.keys(crypto)
    .filter((name) => /^[a-z]/.test(name) && typeof crypto[name as keyof typeof crypto] === 'function')
    .map((name) => `export const ${name} = (...given) => process.getBuiltinModule('node:crypto').${name}(...given)`)
    .join('\n'),
}

/** @param folder  emptied before */
export async function build(folder = join(ROOT, 'dist')): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const bundle = await rolldown({
    cwd: ROOT,
    input: PROGRAMS,
    platform: 'node',
    external: APART,
    plugins: [bundledModules, laterModules],
  })
  const { output } = await bundle.write({
    dir: folder,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    codeSplitting: { groups: TOGETHER },
    // Names stay, since the log of a fault shows them.
    minify: { compress: true, mangle: false, codegen: true },
  })
  await bundle.close()
  copyFileSync(join(ROOT, 'src', 'start.js'), join(folder, 'start.js'))
  for (const kind of KINDS) {
    writeFileSync(join(folder, publishedFile(kind)), JSON.stringify(new ToolTable(endpoints, kind).list.published))
  }
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
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
