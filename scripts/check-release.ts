/**
 * Checks what a first release must have: the files that people look for, what registries ask for, and that all of it
 * says the same. Prints each fault as a sentence, and exits with 1 if there is one.
 *
 *     npm run release:check
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import program from '../package.json' with { type: 'json' }
import server from '../server.json' with { type: 'json' }
import { changelogFaults } from './changelog.ts'

const ROOT = join(import.meta.dirname, '..')

/** Files that a visitor, GitHub or a registry looks for. */
const FILES = [
  ...['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CODE_OF_CONDUCT.md', 'server.json'],
  ...['assets/icon.png', 'package-lock.json', '.github/workflows/check.yml', '.github/workflows/release.yml'],
  ...['.github/ISSUE_TEMPLATE/bug.yml', '.github/pull_request_template.md', 'docs/README.md', 'examples/README.md'],
]
/** The registry of servers accepts at most so many characters. */
const MAX_SERVER_DESCRIPTION = 100
/** Bytes. Registries and GitHub show the README as the first page. */
const MAX_README = 6_000

type Manifest = Record<string, unknown>

/** What is missing or contradictory; empty if a release can be made. */
export function releaseFaults(manifest: Manifest = program, root = ROOT): string[] {
  const read = (file: string): string => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '')
  return [
    ...FILES.filter((file) => !existsSync(join(root, file))).map((file) => `Expected a file ${file}, found none.`),
    ...manifestFaults(manifest),
    ...serverFaults(manifest),
    ...changelogFaults(read('CHANGELOG.md')),
    ...textFaults(read),
  ]
}

function manifestFaults(manifest: Manifest): string[] {
  const named = ['name', 'version', 'description', 'license', 'repository', 'homepage', 'bugs', 'author', 'keywords']
  const needed = [...named, 'engines', 'bin', 'exports', 'files', 'mcpName']
  const missing = needed.filter((field) => manifest[field] === undefined || manifest[field] === '')
  const faults = missing.map((field) => `Expected ${field} in package.json, found none.`)
  if (manifest.private === true)
    faults.push('Expected a package that can be published, found "private" in package.json.')
  const dependencies = Object.entries({ ...(manifest.dependencies as Record<string, string>) })
  const local = dependencies.filter(([, range]) => /^(?:file|link|git|https?|workspace):/.test(range))
  faults.push(...local.map(([name, range]) => `Expected ${name} from the registry, found ${range} in package.json.`))
  const running = Object.keys((manifest.scripts as object | undefined) ?? {}).filter((script) =>
    /^(?:pre|post)?install$/.test(script),
  )
  faults.push(...running.map((script) => `Expected a package that runs nothing when installed, found "${script}".`))
  return faults
}

function serverFaults(manifest: Manifest): string[] {
  const faults: string[] = []
  const versions = [server.version, ...server.packages.map(({ version }) => version)]
  const others = versions.filter((version) => version !== manifest.version)
  if (others.length > 0) faults.push(`Expected version ${manifest.version} in server.json, found ${others[0]}.`)
  if (server.name !== manifest.mcpName)
    faults.push(`Expected ${manifest.mcpName} in server.json, found ${server.name}.`)
  if (server.description.length > MAX_SERVER_DESCRIPTION) {
    faults.push(`Expected a description of at most ${MAX_SERVER_DESCRIPTION} characters in server.json.`)
  }
  return faults
}

/** What texts say that no release may say. */
function textFaults(read: (file: string) => string): string[] {
  const faults: string[] = []
  const readme = read('README.md')
  if (Buffer.byteLength(readme) > MAX_README) {
    faults.push(`Expected a README of at most ${MAX_README} bytes, found ${Buffer.byteLength(readme)}.`)
  }
  for (const file of ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'docs/README.md']) {
    const [found] = /\b(?:TODO|FIXME|XXX|lorem ipsum)\b/i.exec(read(file)) ?? []
    if (found !== undefined) faults.push(`Expected finished text in ${file}, found ${found}.`)
  }
  if (!/\breport/i.test(read('SECURITY.md'))) faults.push('Expected SECURITY.md to say how to report a weakness.')
  return faults
}

if (import.meta.main) {
  const faults = releaseFaults()
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  if (faults.length > 0) process.exitCode = 1
  else process.stdout.write(`Nothing is missing for release ${program.version}.\n`)
}
