/** The ways in which a host starts the program: by name, from the bundle, and with the configuration from `install`. */
import { readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { getMcpConfigForManifest, unpackExtension } from '@anthropic-ai/mcpb'
import { configPath, readServer } from '../../../src/cli/hosts/host-config.ts'
import { currentSystem } from '../../../src/hosts/host-folders.ts'
import { HOST_IDS, type HostId } from '../../../src/hosts/host-ids.ts'
import { HOSTS } from '../../../src/hosts/host-table.ts'
import type { Home } from './home.ts'

/** Packages built from the checkout, in a folder of the home. */
export interface Artifacts {
  tarball: string
  bundle: string
}

export interface StartCommand {
  command: string
  args: string[]
}

export interface Way {
  name: string
  /** @param space  the path of the space, which does not exist yet */
  command(home: Home, artifacts: Artifacts, space: string): Promise<StartCommand>
}

const installed: Way = {
  name: 'the installed command',
  command: async (_, __, space) => ({ command: 'scriptorium', args: ['stdio', '--space', space] }),
}

const npx: Way = {
  name: 'npx',
  command: async (_, { tarball }, space) => ({
    command: 'npx',
    args: ['--yes', `--package=${tarball}`, 'scriptorium', 'stdio', '--space', space],
  }),
}

const bundle: Way = {
  name: 'the bundle',
  async command(home, { bundle: mcpbPath }, space) {
    const unpacked = join(home.folder, 'bundle')
    await unpackExtension({ mcpbPath, outputDir: unpacked, silent: true })
    const config = await getMcpConfigForManifest({
      manifest: JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8')),
      extensionPath: unpacked,
      systemDirs: { HOME: home.folder },
      userConfig: { folder: join(space, '..'), file: space.slice(space.lastIndexOf(sep) + 1) },
      pathSeparator: sep,
    })
    if (config === undefined) throw new Error('Expected a command in the manifest of the bundle, found none.')
    return { command: config.command, args: config.args ?? [] }
  },
}

/** Reads the configuration that `scriptorium install` wrote for a host, the way the host does. */
const hostWay = (id: HostId): Way => ({
  name: `the configuration of ${HOSTS[id].title}`,
  async command(home, _, space) {
    const { code, errors } = await home.run('scriptorium', ['install', id, '--space', space, '--yes'])
    if (code !== 0) throw new Error(`Expected scriptorium install ${id} to succeed, found ${code}: ${errors}`)
    const path = configPath(id, { ...currentSystem(), home: home.folder, env: home.env })
    const server = readServer({ host: HOSTS[id], path, text: readFileSync(path, 'utf8') })
    if (server === undefined) throw new Error(`Expected an entry in ${path}, found none.`)
    return { command: server.command, args: [...server.args] }
  },
})

export const WAYS: readonly Way[] = [installed, npx, bundle, ...HOST_IDS.map(hostWay)]
