/**
 * Makes a release of the checkout: dates the CHANGELOG, sets the version, tests, packs, tests the package, builds the
 * bundle, commits and tags. Does not publish anything.
 *
 *     npm run release -- 1.2.3
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/
const TARBALL = /scriptorium-\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+?)?\.tgz/g
/** Documents that contain the name of the tarball. */
export const TARBALL_DOCUMENTS = ['README.md', 'docs/package.md', 'docs/deploying.md']
const UNRELEASED = '## Unreleased\n'

/**
 * Moves the unreleased changes of the CHANGELOG under a version and a date, and adds an empty section for later ones.
 *
 * @param date  YYYY-MM-DD
 * @throws Error if there are no unreleased changes, or the version exists already
 */
export function datedChangelog(text: string, version: string, date: string): string {
  if (text.includes(`\n## ${version} `)) throw new Error(`Expected a new version, found ${version} in the CHANGELOG.`)
  const [before, after, ...others] = text.split(UNRELEASED)
  if (after === undefined || others.length > 0) {
    throw new Error(
      `Expected one section "${UNRELEASED.trim()}" in the CHANGELOG, found ${text.split(UNRELEASED).length - 1}.`,
    )
  }
  const [changes = ''] = after.split(/^## /m)
  if (!/^- /m.test(changes)) throw new Error('Expected changes to release, found none in the CHANGELOG.')
  return `${before}${UNRELEASED}\n## ${version} (${date})\n${after}`
}

/** Updates the versions of the server and its packages in `server.json`, without changing its layout. */
export const versionedServer = (text: string, version: string): string =>
  text.replaceAll(/(?<="version": )"[^"]*"/g, JSON.stringify(version))

/** Updates the tarball's version wherever a document names it. */
export const versionedDocument = (text: string, version: string): string =>
  text.replaceAll(TARBALL, `scriptorium-${version}.tgz`)

function run(command: string, args: readonly string[], folder = ROOT, input?: string): string {
  const stdio = ['pipe', 'pipe', 'inherit'] as const
  return execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: [...stdio], ...(input && { input }) })
}

/** The first message of a host, which the installed program must answer. */
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'release', version: '1.0.0' } },
}

/** Installs a tarball into an empty folder and calls the program. @throws Error if it does not respond */
function tryPackage(tarball: string, version: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-release-'))
  try {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    run('npm', ['install', '--no-fund', '--no-audit', tarball], folder)
    const start = join(folder, 'node_modules', 'scriptorium', 'dist', 'start.js')
    const found = run(process.execPath, [start, '--version'], folder).trim()
    if (!found.endsWith(version)) throw new Error(`Expected the package to be ${version}, found ${found}.`)
    const space = join(folder, 'space.sqlite')
    const answer = run(process.execPath, [start, 'stdio', '--space', space], folder, `${JSON.stringify(INITIALIZE)}\n`)
    if (!answer.includes('"serverInfo"')) throw new Error(`Expected an answer over stdio, found ${answer}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function rewrite(file: string, change: (text: string) => string): void {
  const path = join(ROOT, file)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

function release(version: string): void {
  if (!VERSION.test(version)) throw new Error(`Expected a version such as 1.2.3, found ${JSON.stringify(version)}.`)
  const changed = run('git', ['status', '--porcelain'])
  if (changed !== '') throw new Error(`Expected a clean tree, found changes; commit them first:\n${changed}`)
  const today = new Date().toISOString().slice(0, 10)
  rewrite('CHANGELOG.md', (text) => datedChangelog(text, version, today))
  run('npm', ['version', version, '--no-git-tag-version'])
  rewrite('server.json', (text) => versionedServer(text, version))
  for (const file of TARBALL_DOCUMENTS) rewrite(file, (text) => versionedDocument(text, version))
  run('npm', ['run', 'check'])
  run('npm', ['test'])
  const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', tmpdir()]))
  const tarball = join(tmpdir(), filename)
  tryPackage(tarball, version)
  run('npm', ['run', 'bundle'])
  const bundle = join(ROOT, 'scriptorium.mcpb')
  const hash = createHash('sha256').update(readFileSync(bundle)).digest('hex')
  run('git', ['commit', '--all', '--message', `release ${version}`])
  run('git', ['tag', '--annotate', `v${version}`, '--message', `Scriptorium ${version}`])
  process.stdout.write(`Released ${version}: ${tarball}\n${bundle} (SHA-256 ${hash})\n`)
}

if (import.meta.main) {
  try {
    release(process.argv[2] ?? '')
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}
