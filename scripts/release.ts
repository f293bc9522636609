/**
 * Makes a release of the checkout: dates the CHANGELOG, sets the version, checks that nothing is missing, tests, commits
 * and tags, and makes its files in `release/`: the tarball, which is installed and tried, the bundle, `server.json`, the
 * list of the packages in it (SBOM), notes and checksums. Does not publish anything.
 *
 *     npm run release -- 1.2.3
 *     npm run release -- 1.2.3 --prepare      only writes the version and the CHANGELOG, to be looked at
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import program from '../package.json' with { type: 'json' }
import { datedChangelog, joinedChangelog } from './changelog.ts'

const ROOT = join(import.meta.dirname, '..')
/** Address of the repository. */
const HOME = program.repository.url.replace(/^git\+|\.git$/g, '')
const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/
const TARBALL = /scriptorium-\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+?)?\.tgz/g
/** Documents that contain the name of the tarball. */
export const TARBALL_DOCUMENTS = ['README.md', 'docs/package.md', 'docs/deploying.md']

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

/** Writes the version into all files that name it, and dates the CHANGELOG. What is as it should be stays. */
function prepare(version: string): void {
  const today = new Date().toISOString().slice(0, 10)
  rewrite('CHANGELOG.md', (text) =>
    text.includes(`\n## [${version}] - `)
      ? joinedChangelog(text, version, today)
      : datedChangelog(text, version, today, HOME),
  )
  run('npm', ['version', version, '--no-git-tag-version', '--allow-same-version'])
  rewrite('server.json', (text) => versionedServer(text, version))
  for (const file of TARBALL_DOCUMENTS) rewrite(file, (text) => versionedDocument(text, version))
  // In processes of their own, since package.json has changed.
  run('npm', ['run', '--silent', 'readme'])
  run('npm', ['run', '--silent', 'release:check'])
}

function release(version: string): void {
  run('npm', ['run', 'check'])
  run('npm', ['test'])
  const files = run('npm', ['run', '--silent', 'release:files']).trim()
  tryPackage(join(ROOT, 'release', `scriptorium-${version}.tgz`), version)
  if (run('git', ['status', '--porcelain']) !== '') run('git', ['commit', '--all', '--message', `release ${version}`])
  run('git', ['tag', '--annotate', `v${version}`, '--message', `Scriptorium ${version}`])
  process.stdout.write(`Released ${version}:\n${files}\n`)
}

if (import.meta.main) {
  try {
    const [version = '', step] = process.argv.slice(2)
    if (!VERSION.test(version)) throw new Error(`Expected a version such as 1.2.3, found ${JSON.stringify(version)}.`)
    const changed = run('git', ['status', '--porcelain'])
    if (changed !== '') throw new Error(`Expected a clean tree, found changes; commit them first:\n${changed}`)
    if (run('git', ['tag', '--list', `v${version}`]) !== '')
      throw new Error(`Expected a version that was not released, found the tag v${version}; name the next one.`)
    prepare(version)
    if (step !== '--prepare') release(version)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}
