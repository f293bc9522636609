/**
 * Makes the files of a release of the version in package.json, in the folder `release/`: the tarball, the bundle for
 * Claude Desktop, `server.json`, the list of the packages in it (SBOM), the notes, and the checksums. Publishes nothing.
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

interface SbomComponent {
  'bom-ref': string
  name: string
  version: string
  properties?: { name: string; value: string }[]
}

interface Sbom {
  metadata: { component: Record<string, unknown> }
  components: SbomComponent[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

/** The property by which npm marks development dependencies. */
const DEVELOPMENT = 'cdx:npm:package:development'

/** The packages that `dist` contains, as `name@version`: each has a heading in `dist/LICENSES.txt`. */
export const bundledPackages = (licenses: string): Set<string> =>
  new Set(
    [...licenses.matchAll(/(?:^|\n\n-{80}\n\n)(\S+) (\d\S*) \(/g)].map(([, name, version]) => `${name}@${version}`),
  )

/**
 * Leaves out what only development needs. npm counts what is bundled as that too, so `--omit=dev` would lose it.
 *
 * @throws Error for a bundled package that npm does not list
 */
export function shippedSbom<List extends Sbom>(sbom: List, bundled: ReadonlySet<string>): List {
  const nameOf = ({ name, version }: SbomComponent): string => `${name}@${version}`
  const listed = new Set(sbom.components.map(nameOf))
  const missing = [...bundled].filter((name) => !listed.has(name))
  if (missing.length > 0) throw new Error(`Expected ${missing.join(', ')} in the list of packages, found none.`)
  const isInstalled = ({ properties = [] }: SbomComponent): boolean =>
    !properties.some(({ name }) => name === DEVELOPMENT)
  const components = sbom.components
    .filter((one) => bundled.has(nameOf(one)) || isInstalled(one))
    .map((one) => ({ ...one, properties: (one.properties ?? []).filter(({ name }) => name !== DEVELOPMENT) }))
  const refs = new Set<unknown>([sbom.metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])])
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }))
  return { ...sbom, components, dependencies }
}

/** npm names the root by its folder. */
export const namedSbom = <List extends Pick<Sbom, 'metadata'>>(sbom: List, name: string, version: string): List => ({
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
  const all: Sbom = JSON.parse(npm('sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'))
  // `npm pack` has just built it.
  const bundled = bundledPackages(readFileSync(join(ROOT, 'dist', 'LICENSES.txt'), 'utf8'))
  write('sbom.cdx.json', json(namedSbom(shippedSbom(all, bundled), name, version)))
  const files = readdirSync(folder)
  write(CHECKSUMS, checksums(new Map(files.map((file) => [file, readFileSync(join(folder, file))]))))
  return [...files, CHECKSUMS].sort()
}

if (import.meta.main) {
  for (const file of await releaseFiles()) process.stdout.write(`release/${file}\n`)
}
