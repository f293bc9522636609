/**
 * Makes the files of a release of the version in package.json, in the folder `release/`: the tarball, the bundle for
 * Claude Desktop, `server.json`, the list of all packages in it (SBOM), the notes, and the checksums. Publishes nothing.
 *
 *     npm run release:files
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import program from '../package.json' with { type: 'json' }
import { bundle } from './bundle.ts'
import { releaseNotes } from './changelog.ts'

const ROOT = join(import.meta.dirname, '..')
export const RELEASE_FOLDER = join(ROOT, 'release')
export const BUNDLE_FILE = 'scriptorium.mcpb'
const CHECKSUMS = 'SHA256SUMS'

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

/** Lines as `sha256sum --check` reads them, sorted by name. */
export const checksums = (files: ReadonlyMap<string, Buffer | string>): string =>
  [...files.keys()]
    .sort()
    .map((name) => `${sha256(files.get(name) ?? '')}  ${name}\n`)
    .join('')

interface ServerFile {
  version: string
  repository: { url: string }
  packages: object[]
}

/** `server.json` with the bundle as one more package: the registry accepts one that it can download and check. */
export function serverWithBundle(server: ServerFile, hash: string): ServerFile {
  const identifier = `${server.repository.url}/releases/download/v${server.version}/${BUNDLE_FILE}`
  const bundled = { registryType: 'mcpb', identifier, fileSha256: hash, transport: { type: 'stdio' } }
  return { ...server, packages: [...server.packages, bundled] }
}

interface Sbom {
  metadata: { component: Record<string, unknown> }
}

/** npm names the root by its folder. */
export const namedSbom = (sbom: Sbom, name: string, version: string): Sbom => ({
  ...sbom,
  metadata: { ...sbom.metadata, component: { ...sbom.metadata.component, name, purl: `pkg:npm/${name}@${version}` } },
})

/** Notes stand on a page of their own, where links to files of the repository need its address. */
export const linkedNotes = (notes: string, repository: string, version: string): string =>
  notes.replace(/\]\((?![a-z]+:|#)/g, `](${repository}/blob/v${version}/`)

const npm = (...args: string[]): string =>
  execFileSync('npm', args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** @returns the names of the files */
export async function releaseFiles(folder = RELEASE_FOLDER): Promise<string[]> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const { name, version } = program
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  const server = JSON.parse(readFileSync(join(ROOT, 'server.json'), 'utf8')) as ServerFile
  const notes = releaseNotes(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version)
  write('NOTES.md', linkedNotes(notes, server.repository.url, version))
  npm('pack', '--pack-destination', folder)
  await bundle(join(folder, BUNDLE_FILE))
  const hash = sha256(readFileSync(join(folder, BUNDLE_FILE)))
  write('server.json', json(serverWithBundle(server, hash)))
  // Packages that are bundled are development dependencies, so none is left out.
  const sbom = JSON.parse(npm('sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'))
  write('sbom.cdx.json', json(namedSbom(sbom, name, version)))
  const files = readdirSync(folder)
  write(CHECKSUMS, checksums(new Map(files.map((file) => [file, readFileSync(join(folder, file))]))))
  return [...files, CHECKSUMS].sort()
}

if (import.meta.main) {
  for (const file of await releaseFiles()) process.stdout.write(`release/${file}\n`)
}
