/**
 * Builds replacements for the Dockerfile's base images, for a machine without access to a registry of images: Debian
 * from its packages, without the files that Debian's slim images omit, and Node from the npm package of this checkout.
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectDone, npmFolder, registry, runIn } from '../install/home.ts'
import { ROOT } from '../mutated-sources.ts'
import type { Podman } from './podman.ts'

const LIBRARY = 'docker.io/library'
const NODE_IMAGE = /^node:(\d+)-(\w+)-slim$/
const DEBIAN_IMAGE = /^debian:(\w+)-slim$/

/** Flags with which podman builds an image without access to a registry of images. */
export function buildFlags(): string[] {
  const authorities = process.env.NODE_EXTRA_CA_CERTS
  const volume = authorities === undefined ? [] : ['--volume', `${authorities}:${authorities}:ro`]
  // Only this format supports HEALTHCHECK.
  return ['--pull=never', '--format', 'docker', '--network', 'host', ...volume]
}

/** Builds an image for each FROM in the Dockerfile. @throws Error for an image without a replacement */
export async function makeBaseImages(podman: Podman, folder: string): Promise<void> {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  const [build = '', final = ''] = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image ?? '')
  const [, debian] = DEBIAN_IMAGE.exec(final) ?? []
  const [, major, suite] = NODE_IMAGE.exec(build) ?? []
  if (debian === undefined || suite !== debian) {
    throw new Error(`Expected node:MAJOR-SUITE-slim and debian:SUITE-slim in the Dockerfile, found ${build}, ${final}.`)
  }
  await podman.output('import', '--quiet', await debianRoot(debian, folder), `${LIBRARY}/${final}`)

  const node = join(ROOT, 'node_modules/node')
  const { version } = JSON.parse(readFileSync(join(node, 'package.json'), 'utf8'))
  if (version.split('.')[0] !== major) throw new Error(`Expected Node ${major} in ${node}, found ${version}.`)
  const context = join(folder, 'node')
  mkdirSync(context)
  cpSync(join(node, 'bin/node'), join(context, 'node'))
  cpSync(join(await npmFolder(), '..'), join(context, 'npm'), { recursive: true })
  writeFileSync(join(context, 'Containerfile'), await nodeSteps(`${LIBRARY}/${final}`))
  await podman.output('build', ...buildFlags(), '--tag', `${LIBRARY}/${build}`, context)
}

async function nodeSteps(debian: string): Promise<string> {
  const authorities = process.env.NODE_EXTRA_CA_CERTS
  const modules = '/usr/local/lib/node_modules'
  return [
    `FROM ${debian}`,
    'COPY node /usr/local/bin/node',
    `COPY npm ${modules}/npm`,
    `RUN ln -s ${modules}/npm/bin/npm-cli.js /usr/local/bin/npm`,
    `ENV npm_config_registry=${await registry()}`,
    ...(authorities === undefined ? [] : [`ENV NODE_EXTRA_CA_CERTS=${authorities}`]),
  ].join('\n')
}

/**
 * Files that debootstrap leaves behind, and files that Debian's slim images omit. They keep only the licenses in `doc`.
 */
const LEFT_OUT = [
  'dev/*',
  'usr/share/{groff,info,linda,lintian,locale,man}/*',
  'var/cache/apt/*',
  'var/cache/debconf/*-old',
  'var/lib/apt/lists/*',
  'var/lib/dpkg/*-old',
  'var/log/*',
]

/** Returns a tarball of a minimal Debian, which is cached for the next run. */
async function debianRoot(suite: string, folder: string): Promise<string> {
  const kept = join(tmpdir(), 'scriptorium-packages', `debian-${suite}.tar`)
  if (existsSync(kept)) return kept
  mkdirSync(join(kept, '..'), { recursive: true })
  const root = join(folder, suite)
  expectDone(await runIn({}, 'debootstrap', ['--variant=minbase', suite, root]), `debootstrap of ${suite}`)
  for (const path of globSync(LEFT_OUT, { cwd: root })) rmSync(join(root, path), { recursive: true })
  for (const path of globSync('usr/share/doc/**', { cwd: root, withFileTypes: true })) {
    if (!path.isDirectory() && path.name !== 'copyright') rmSync(join(path.parentPath, path.name))
  }
  const half = join(folder, `${suite}.tar`)
  expectDone(await runIn({}, 'tar', ['--create', '--numeric-owner', '--file', half, '--directory', root, '.']), 'tar')
  copyFileSync(half, `${kept}.half`)
  renameSync(`${kept}.half`, kept)
  return kept
}
