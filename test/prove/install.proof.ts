/** Installs the program like a new user: with an empty home folder, the tarball and the bundle, and nothing else. */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { bundle } from '../../scripts/bundle.ts'
import { median } from '../bench/figure.ts'
import { installationSize } from '../support/installation-size.ts'
import { type Ended, expectDone, type Home, makeHome } from './install/home.ts'
import { doMainJob } from './install/main-job.ts'
import { type Artifacts, WAYS } from './install/ways.ts'
import { ROOT } from './mutated-sources.ts'
import type { Proof, ProofContext, ProofResult } from './proof.ts'

/** The oldest supported version of Node, and the newest of each maintained line. */
const NODES = ['22.14.0', '22.23.3', '24.21.0', '26.10.0']
const TOO_OLD = '20.20.2'
const MOST_PACKAGES = 20
const MOST_MEGABYTES = { installed: 50, bundle: 20 }

export const proof: Proof = {
  runsLast: true,
  promise:
    'In an empty home folder, the commands of the README install the program, and it does the main job in each way that a host starts it.',

  async run(context) {
    const artifacts = await makeArtifacts(context)
    const installations: Installation[] = []
    for (const node of NODES) {
      context.log(`installing on Node ${node}`)
      installations.push(await installAndUse(node, artifacts, context))
    }
    const refused = await useOldNode(artifacts, context)
    const bundleBytes = readFileSync(artifacts.bundle).length
    const faults = [...installations.flatMap((one) => one.faults), ...refused]
    if (bundleBytes > MOST_MEGABYTES.bundle * 1e6) faults.push(`expected a smaller bundle, found ${bundleBytes} bytes`)
    return shown(installations, bundleBytes, faults)
  },

  /** Installations that lack something or contain too much. Every fault has to be detected. */
  async control(context) {
    const artifacts = await makeArtifacts(context)
    const [node = ''] = NODES
    const found: string[] = []
    for (const [name, plant] of Object.entries(PLANTED)) {
      const { faults } = await installAndUse(node, artifacts, context, plant)
      if (faults.length > 0) found.push(`${name}: ${faults[0]}`)
      else context.log(`Expected to be found: ${name}.`)
    }
    const refused = await useOldNode(artifacts, context, acceptAnyNode)
    if (refused.length > 0) found.push(`a Node that is too old is accepted: ${refused[0]}`)
    const planted = Object.keys(PLANTED).length + 1
    return { figures: { planted, found: found.length }, faults: found.length === planted ? found : [] }
  },
}

type Plant = (installed: string) => void

const PLANTED: Readonly<Record<string, Plant>> = {
  'the database is missing': (installed) =>
    rmSync(join(installed, 'node_modules/better-sqlite3/prebuilds'), { recursive: true }),
  'too large': (installed) => writeFileSync(join(installed, 'ballast'), Buffer.alloc(MOST_MEGABYTES.installed * 1e6)),
  'too many packages': (installed) => {
    for (let count = 0; count < MOST_PACKAGES; count++) {
      const folder = join(installed, 'node_modules', `package-${count}`)
      mkdirSync(folder)
      writeFileSync(join(folder, 'package.json'), '{}')
    }
  },
}

const acceptAnyNode: Plant = (installed) => {
  const start = join(installed, 'dist/start.js')
  writeFileSync(start, readFileSync(start, 'utf8').replace('const isEnough =', 'const isEnough = true ||'))
}

/** Builds the tarball with `npm pack`, and the bundle, outside of the checkout. */
async function makeArtifacts({ folder, log }: ProofContext): Promise<Artifacts> {
  log('packing')
  const { run } = await makeHome(NODES[2] ?? '', join(folder, 'packing'))
  const artifacts = join(folder, 'artifacts')
  mkdirSync(artifacts)
  expectDone(await run('npm', ['pack', '--pack-destination', artifacts], ROOT), 'npm pack')
  const [name = ''] = globSync('*.tgz', { cwd: artifacts })
  await bundle(join(artifacts, 'scriptorium.mcpb'))
  return { tarball: join(artifacts, name), bundle: join(artifacts, 'scriptorium.mcpb') }
}

/** The commands of the README that install the tarball and check the installation. */
export function readmeCommands(): string[] {
  const blocks = readFileSync(join(ROOT, 'README.md'), 'utf8').match(/^```sh\n[\s\S]*?^```$/gm) ?? []
  const block = blocks.find((text) => text.includes('npm install --global')) ?? ''
  const lines = block.split('\n').slice(1, -1)
  return lines.slice(lines.findIndex((line) => line.startsWith('npm install --global')))
}

interface Installation {
  node: string
  faults: string[]
  seconds: number
  packages: number
  bytes: number
  starts: number[]
}

/**
 * Installs with the commands of the README, measures the installation, and does the main job in every way, twice each.
 */
async function installAndUse(
  node: string,
  { tarball, bundle: bundleFile }: Artifacts,
  { folder }: ProofContext,
  plant: Plant = () => {},
): Promise<Installation> {
  const place = join(folder, `home-${node}`)
  rmSync(place, { recursive: true, force: true })
  const home = await makeHome(node, place)
  const work = join(place, 'work')
  mkdirSync(work)
  const artifacts = { tarball: join(work, basename(tarball)), bundle: join(work, basename(bundleFile)) }
  await copyFile(tarball, artifacts.tarball)
  await copyFile(bundleFile, artifacts.bundle)

  const faults: string[] = []
  const commands = readmeCommands()
  const ended: Ended[] = []
  for (const command of commands) {
    const one = await home.run('sh', ['-c', command], work)
    ended.push(one)
    if (one.code !== 0) faults.push(`Node ${node}, ${command}: expected exit code 0, found ${one.code}: ${one.errors}`)
    if (/\bwarn\b/i.test(one.errors)) faults.push(`Node ${node}, ${command}: expected no warning, found ${one.errors}`)
  }
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  if (ended.at(-1)?.output.trim() !== version)
    faults.push(`Node ${node}: expected ${version}, found ${ended.at(-1)?.output}`)

  const seconds = ended[0]?.seconds ?? Number.NaN
  const installed = installedFolder(home)
  if (!existsSync(installed)) return { node, faults, seconds, packages: 0, bytes: 0, starts: [] }
  plant(installed)
  const size = installationSize(join(installed, '..'))
  if (size.packages > MOST_PACKAGES)
    faults.push(`Node ${node}: expected ${MOST_PACKAGES} packages at most, found ${size.packages}`)
  if (size.bytes > MOST_MEGABYTES.installed * 1e6)
    faults.push(`Node ${node}: expected fewer bytes, found ${size.bytes}`)
  const starts: number[] = []
  for (const [index, way] of WAYS.entries()) {
    const space = join(place, `space-${index}.sqlite`)
    const command = await way.command(home, artifacts, space)
    for (const title of ['First', 'Second']) {
      const job = await doMainJob(home, command, title)
      starts.push(job.startMilliseconds)
      faults.push(...job.faults.map((fault) => `Node ${node}, ${way.name}: ${fault}`))
    }
  }
  return { node, faults, seconds, ...size, starts }
}

const installedFolder = ({ env }: Home): string => join(env.npm_config_prefix ?? '', 'lib/node_modules/scriptorium')

const ONE_SENTENCE = `Expected Node 22.14 or newer, found ${TOO_OLD}; install a current one from https://nodejs.org.\n`

/** With a Node that is too old, the program must say so in one sentence and exit with code 2. */
async function useOldNode(
  { tarball }: Artifacts,
  { folder }: ProofContext,
  plant: Plant = () => {},
): Promise<string[]> {
  const place = join(folder, 'home-old')
  rmSync(place, { recursive: true, force: true })
  const home = await makeHome(TOO_OLD, place)
  const { code: installCode, errors } = await home.run('npm', ['install', '--global', tarball])
  if (installCode !== 0) return [`Node ${TOO_OLD}: expected it to be installed with a warning, found ${errors}`]
  plant(installedFolder(home))
  const ended = await home.run('scriptorium', ['stdio', '--space', join(place, 'space.sqlite')])
  const found = JSON.stringify([ended.code, ended.output, ended.errors])
  const expected = JSON.stringify([2, '', ONE_SENTENCE])
  return found === expected ? [] : [`Node ${TOO_OLD}: expected ${expected}, found ${found}`]
}

function shown(installations: readonly Installation[], bundleBytes: number, faults: string[]): ProofResult {
  const most = (of: (one: Installation) => number) => Math.max(...installations.map(of))
  const megabytes = (bytes: number) => Math.round(bytes / 1e5) / 10
  const startsOf = (turn: number) => Math.round(median(installations.map(({ starts }) => starts[turn] ?? Number.NaN)))
  return {
    figures: {
      'versions of Node': installations.length,
      'ways to start': WAYS.length,
      'main jobs done': installations.reduce(
        (sum, { starts }) => sum + starts.filter((ms) => !Number.isNaN(ms)).length,
        0,
      ),
      packages: most(({ packages }) => packages),
      'MB installed': megabytes(most(({ bytes }) => bytes)),
      's to install, at most': Math.round(most(({ seconds }) => seconds) * 10) / 10,
      'ms of a first start': startsOf(0),
      'ms of a second': startsOf(1),
      'MB of the bundle': megabytes(bundleBytes),
    },
    faults,
  }
}
