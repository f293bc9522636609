/**
 * Makes the package, `dist`: a few files in place of the six hundred that a checkout loads, since finding and reading
 * each costs more than what stands in it. What is loaded lazily stays so.
 *
 * They are ES modules like the sources, so that Node itself resolves what a package exports as its default: a bundle in
 * CommonJS guessed it, and was wrong about a package without a CommonJS form. That costs about 4 ms of a start.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { transform } from 'lightningcss'
import { type InputOptions, type Plugin, rolldown } from 'rolldown'
import { isolatedDeclarationSync, minifySync } from 'rolldown/experimental'
import licenseTexts from 'spdx-license-list/full.js'
import { ToolCatalog } from '../src/call/catalog/tool-catalog.ts'
import { prebuiltToolsFile } from '../src/mcp/prebuilt-tools.ts'
import { ASSET_SOURCES, type AssetName, assetFiles } from '../src/page/assets.ts'
import { FONT_FILES } from '../src/render/fonts.ts'
import { CONNECTION_KINDS } from '../src/space/model/space.ts'
import { endpoints } from '../tools/index.ts'
import { manPage } from './man-page.ts'
import { bundlePageScripts } from './page-scripts.ts'

const ROOT = join(import.meta.dirname, '..')

/** The library. All types of its exports are in this file. */
const LIBRARY = 'src/local/create-server.ts'

/** The worker threads, which are started by the names of their files, beside the file that starts them. */
export const WORKERS = {
  'markdown-worker': 'src/markdown/markdown-worker.ts',
  'migration-worker': 'src/space/migration-worker.ts',
  'pattern-worker': 'src/space/search/pattern-worker.ts',
  'calendar-worker': 'src/space/calendar/calendar-worker.ts',
  'difference-worker': 'src/difference/difference-worker.ts',
  'losses-worker': 'src/losses/losses-worker.ts',
  'backup-worker': 'src/cli/backup/backup-worker.ts',
  'whiteboard-png-worker': 'src/space/whiteboards/whiteboard-png-worker.ts',
  'source-worker': 'src/import/source-worker.ts',
  'spelling-worker': 'src/export/markdown/spelling-worker.ts',
  'highlight-worker': 'src/page/blocks/highlight-worker.ts',
  'formula-worker': 'src/page/blocks/formula-worker.ts',
  'board-worker': 'src/page/documents/board-worker.ts',
}

/** The command line, the library, and the workers. */
const ENTRY_POINTS = { main: 'src/cli/main.ts', index: LIBRARY, ...WORKERS }

/** Packages that load files of their own (native or WebAssembly), and optional ones. They are not bundled. */
const EXTERNAL_PACKAGES = ['better-sqlite3', '@resvg/resvg-wasm', 'pg']

/** Packages whose files are copied unchanged: fonts (0.9 of their 19 MB), and a script of the pages. */
const COPIED_PACKAGES = ['dejavu-fonts-ttf', '@expo-google-fonts/shantell-sans', 'htmx.org']

/**
 * jsonc-parser's main file is UMD, which requires its other files in a way that bundlers cannot follow. Node does not
 * find its ES modules from its package.json.
 */
const ALIASES = { 'jsonc-parser': join(ROOT, 'node_modules/jsonc-parser/lib/esm/main.js') }

/** How the bundler reads the sources of the program. */
export const SOURCE_OPTIONS = {
  cwd: ROOT,
  platform: 'node',
  external: EXTERNAL_PACKAGES,
  // koa's dependency `depd` wraps functions by eval of source text that it generates.
  checks: { eval: false },
  resolve: { alias: ALIASES },
  // Its `paths` only concern types.
  tsconfig: false,
} satisfies InputOptions

/** Everything that each start loads goes into one chunk each; the bundler splits the rest by importers. */
const CHUNK_GROUPS = [
  { name: 'words', test: /\/src\/base\/(errors|limits)\.ts$|rolldown\/runtime/, priority: 3 },
  {
    name: 'space',
    // Excludes PostgreSQL, except for the format of its addresses, and buckets, which load HTTP.
    test: /\/(storage(?!\/bucket|\/postgres\/(?!address))|drizzle-orm(?!\/pg-core)|@opentelemetry)\/|\/src\/(space\/(model\/space|open-space|change-watcher)|call\/(rate-limiter|pending-notices))\.ts$/,
    priority: 2,
  },
  {
    name: 'protocol',
    // Excludes protocol extensions, which are loaded when a client asks for them.
    test: /\/node_modules\/(@modelcontextprotocol\/[^/]+\/dist\/(?!ext)|zod\/)/,
    priority: 1,
  },
  { name: 'code-languages', test: /\/highlight\.js\/es\/languages\//, priority: 1 },
]

interface BuildOptions {
  /** Emptied first. */
  folder?: string
  /** Changes the sources of the pages' scripts. */
  pagePlugins?: readonly Plugin[]
  /** Changes those that are no modules. */
  pageScript?: (code: string, path: string) => Promise<string>
}

export async function build({
  folder = join(ROOT, 'dist'),
  pagePlugins = [],
  pageScript = async (code) => code,
}: BuildOptions = {}): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const bundle = await rolldown({ ...SOURCE_OPTIONS, input: ENTRY_POINTS })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: CHUNK_GROUPS },
    // Node stores files with non-ASCII characters in two bytes per character.
    charset: 'ascii',
    // Keeps names, since logs of faults show them, and oidc-provider stores tokens under their class names.
    keepNames: true,
    minify: { compress: { keepNames: { class: true, function: true } }, mangle: false, codegen: true },
  })
  await bundle.close()
  copyFileSync(join(ROOT, 'src', 'start.js'), join(folder, 'start.js'))
  writeFileSync(join(folder, 'index.d.ts'), libraryTypes())
  mkdirSync(join(folder, 'man'))
  writeFileSync(join(folder, 'man', 'scriptorium.1'), manPage())
  mkdirSync(join(folder, 'fonts'))
  for (const font of FONT_FILES) copyFileSync(join(ROOT, 'node_modules', font), join(folder, 'fonts', basename(font)))
  mkdirSync(join(folder, 'page'))
  for (const name of Object.keys(ASSET_SOURCES) as AssetName[]) {
    writeFileSync(join(folder, 'page', name), await minified(name, pageScript))
  }
  mkdirSync(join(folder, 'page', 'scripts'))
  const scripts = await bundlePageScripts(pagePlugins)
  for (const { file, code } of scripts.files) writeFileSync(join(folder, 'page', 'scripts', file), code)
  for (const kind of CONNECTION_KINDS) {
    writeFileSync(join(folder, prebuiltToolsFile(kind)), JSON.stringify(new ToolCatalog(endpoints, kind).list.entries))
  }
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  writeFileSync(
    join(folder, 'LICENSES.txt'),
    collectLicenses([
      ...modules,
      ...scripts.modules,
      ...COPIED_PACKAGES.map((name) => join(ROOT, 'node_modules', name, 'package.json')),
    ]),
  )
}

/** An asset without comments and white space. htmx comes minified. */
async function minified(
  name: AssetName,
  changed: (code: string, path: string) => Promise<string>,
): Promise<Uint8Array | string> {
  const files = assetFiles(name)
  const source = Buffer.concat(files.map((file) => readFileSync(file)))
  if (name.endsWith('.css')) return transform({ filename: name, code: source, minify: true }).code
  if (!name.endsWith('.js') || name === 'htmx.js') return source
  const scripts = await Promise.all(files.map((file) => changed(readFileSync(file, 'utf8'), file)))
  const script = scripts.join('\n')
  const { code, errors } = minifySync(name, script, { module: true })
  if (errors.length > 0) throw new Error(`Expected ${name} to be a module, found: ${errors[0]?.message}`)
  return code
}

/** @throws Error if the type of an export would have to be inferred */
function libraryTypes(): string {
  const { code, errors } = isolatedDeclarationSync(LIBRARY, readFileSync(join(ROOT, LIBRARY), 'utf8'))
  if (errors.length > 0) throw new Error(`Expected exports with types in ${LIBRARY}, found: ${errors[0]?.message}`)
  return code
}

/**
 * The licenses of the bundled packages and icons, which must be included. Some packages name their license without its text.
 * @throws Error if a license has no text
 */
function collectLicenses(modules: readonly string[]): string {
  const packages = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []))
  const sections = [...packages].sort().map((folder) => {
    const about: PackageManifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice|third-party)/i.test(file))
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
    const { name, version, license } = about
    return [`${name} ${version} (${license})`, ...(texts.length > 0 ? texts : [standardText(about)])].join('\n\n')
  })
  const icons = readFileSync(join(ROOT, 'src/page/assets/icons-license.txt'), 'utf8').trim()
  sections.push(`Icons of Lucide (ISC)\n\n${icons}`)
  return `${sections.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

interface PackageManifest {
  name: string
  version: string
  license: string
  author?: string | { name: string }
}

/** The text of a license by its SPDX identifier, with the package's authors in place of those of the example. */
function standardText({ name, license, author = `the ${name} authors` }: PackageManifest): string {
  const found = licenseTexts[license]
  if (found === undefined) throw new Error(`Expected the text of the license of ${name}, found none for "${license}".`)
  const copyright = `Copyright (c) ${typeof author === 'string' ? author : author.name}`
  const body = found.licenseText.replace(/^(?:ISC License:|Copyright \(c\) .*)$\n*/gim, '')
  return `${copyright}\n\n${body.trim()}`
}

if (import.meta.main) await build()
