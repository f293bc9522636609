/** The contents of `npm pack` and of its installation. */
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { ASSET_SOURCES } from '../../src/page/assets.ts'
import { SCRIPT_SOURCES } from '../../src/page/scripts.ts'
import { FONT_FILES } from '../../src/render/fonts.ts'
import { root } from '../program.ts'
import { filesIn, installationSize, manifestsIn } from '../support/installation-size.ts'
import { installedPackage } from '../support/installed-package.ts'

const MOST_PACKAGES = 20
const MOST_MEGABYTES = 50

let modules: string
let installed: string

beforeAll(async () => {
  modules = join((await installedPackage()).folder, 'node_modules')
  installed = join(modules, 'scriptorium')
}, 300_000)

const readJson = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'))

/** A file of the program that only other files of it load. */
const CHUNK = /^dist\/[\w-]+-[\w-]{8}\.js$/
/** A script of the editable pages, or a chunk shared by several. */
const PAGE_SCRIPT = /^dist\/page\/scripts\/([\w-]+)-[\w-]{8}\.js$/
/**
 * Of the scripts and the style that a document needs before it can be opened and written in: their text, and as Brotli.
 * htmx, tools for the pointer and tables, conflicts and what pastes are loaded when they are first needed.
 */
const MOST_KILOBYTES_TO_EDIT = { text: 500, sent: 147 }
/** Of the style that narrow windows need besides, which others load when they have nothing else to do. */
const MOST_KILOBYTES_ON_PHONES = 5
/** Compressed, of what is loaded when somebody pastes: how HTML becomes blocks, and how Markdown does, with markdown-it. */
const MOST_KILOBYTES_LATER = 66

/** Scripts of pages, with those that they import before they run. */
function withImports(files: readonly string[]): string[] {
  const found = new Set(files)
  for (const file of found) {
    const text = readFileSync(join(installed, file), 'utf8')
    for (const [, name = ''] of text.matchAll(/(?:from|import)\s*["'`]\.\/([\w-]+\.js)["'`]/g))
      found.add(join(file, '..', name))
  }
  return [...found]
}

describe('the tarball', () => {
  test('contains the program, the documentation, and nothing else', () => {
    const folders = ['docs', ':!docs/site', 'examples', 'skills']
    const tracked = execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' })
      .trim()
      .split('\n')
    const own = ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json']
    const entries = [
      'backup-worker',
      'board-worker',
      'calendar-worker',
      'difference-worker',
      'formula-worker',
      'highlight-worker',
      'index',
      'losses-worker',
      'main',
      'markdown-worker',
      'migration-worker',
      'pattern-worker',
      'source-worker',
      'spelling-worker',
      'start',
      'whiteboard-png-worker',
    ]
    const dist = [
      ...entries.map((name) => `${name}.js`),
      'index.d.ts',
      'LICENSES.txt',
      join('man', 'scriptorium.1'),
      ...Object.keys(ASSET_SOURCES).map((name) => join('page', name)),
      ...['daily', 'full', 'selected'].map((kind) => `tools-${kind}.json`),
      ...FONT_FILES.map((font) => join('fonts', basename(font))),
    ]
    expect(filesIn(installed).filter((file) => !CHUNK.test(file) && !PAGE_SCRIPT.test(file))).toEqual(
      [...own, ...tracked, ...dist.map((file) => join('dist', file))].sort(),
    )
  })

  test('contains no unused file of the program', () => {
    const programs = filesIn(join(installed, 'dist')).filter((file) => file.endsWith('.js'))
    const texts = programs.map((file) => readFileSync(join(installed, 'dist', file), 'utf8')).join('\n')
    const chunks = programs.filter((file) => CHUNK.test(`dist/${file}`))
    expect(chunks.length).toBeGreaterThan(10)
    expect(chunks.filter((file) => !texts.includes(`./${file}`))).toEqual([])
  })

  test('contains small, readable scripts for the pages', () => {
    const scripts = filesIn(installed).filter((file) => PAGE_SCRIPT.test(file))
    const names = scripts.map((file) => PAGE_SCRIPT.exec(file)?.[1] ?? '')
    expect(names).toEqual(expect.arrayContaining(Object.keys(SCRIPT_SOURCES)))
    const named = (name: string) => scripts.filter((file) => PAGE_SCRIPT.exec(file)?.[1] === name)
    const bytes = (files: readonly string[]) =>
      files.reduce((sum, file) => sum + gzipSync(readFileSync(join(installed, file))).length, 0)
    const needed = withImports(named('edit'))
    const pasting = ['convertHtml', 'read-pasted'].flatMap(named)
    expect(pasting).toHaveLength(2)
    const visited = [
      ...withImports([...needed, ...named('unsent')]),
      ...['page.js', 'page.css'].map((name) => join('dist', 'page', name)),
    ].map((file) => readFileSync(join(installed, file)))
    const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0)
    expect(sum(visited.map(({ length }) => length))).toBeLessThan(MOST_KILOBYTES_TO_EDIT.text * 1024)
    expect(sum(visited.map((file) => brotliCompressSync(file).length))).toBeLessThan(MOST_KILOBYTES_TO_EDIT.sent * 1024)
    expect(statSync(join(installed, 'dist', 'page', 'phone.css')).size).toBeLessThan(MOST_KILOBYTES_ON_PHONES * 1024)
    expect(bytes(withImports(pasting).filter((file) => !needed.includes(file)))).toBeLessThan(
      MOST_KILOBYTES_LATER * 1024,
    )
  })

  test('describes itself, and runs nothing when it is installed', () => {
    const { name, version, license, mcpName, bin, man, engines, exports, scripts } = readJson(installed, 'package.json')
    expect({ name, license, bin, man, engines, exports }).toEqual({
      name: 'scriptorium',
      license: 'MIT',
      bin: { scriptorium: 'dist/start.js' },
      man: ['dist/man/scriptorium.1'],
      engines: { node: '>=22.14' },
      exports: {
        '.': { types: './dist/index.d.ts', default: './dist/index.js' },
        './package.json': './package.json',
      },
    })
    expect([version, mcpName]).toEqual([
      expect.stringMatching(/^\d+\.\d+\.\d+/),
      expect.stringMatching(/^[\w.-]+\/[\w.-]+$/),
    ])
    expect(Object.keys(scripts).filter((script) => /install|prepare|^publish/.test(script))).toEqual([])
    expect(statSync(join(installed, bin.scriptorium)).mode & 0o111).toBe(0o111)
  })
})

describe('an installation', () => {
  test(`has at most ${MOST_PACKAGES} packages and ${MOST_MEGABYTES} MB`, () => {
    const { packages, bytes } = installationSize(modules)
    expect(packages).toBeLessThanOrEqual(MOST_PACKAGES)
    expect(bytes).toBeLessThan(MOST_MEGABYTES * 1e6)
  })

  test('runs no script of any package', () => {
    const running = manifestsIn(modules).filter((file) => {
      const { scripts = {}, gypfile } = readJson(modules, file)
      // npm builds packages with a binding.gyp, unless the package disables that.
      const isBuilt = gypfile !== false && filesIn(join(modules, dirname(file))).includes('binding.gyp')
      return isBuilt || ['preinstall', 'install', 'postinstall'].some((name) => name in scripts)
    })
    expect(running).toEqual([])
  })

  test('has the database for Linux with glibc and musl, macOS and Windows', () => {
    expect(filesIn(join(modules, 'better-sqlite3/prebuilds'))).toEqual(
      ['darwin', 'linux', 'linuxmusl', 'win32'].flatMap((platform) => [
        `${platform}-arm64.node`,
        `${platform}-x64.node`,
      ]),
    )
  })
})
