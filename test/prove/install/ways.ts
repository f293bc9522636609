/** The ways in which a host starts the program. A configuration that the program writes for a host is one more. */
import { readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { getMcpConfigForManifest, unpackExtension } from '@anthropic-ai/mcpb'
import type { Home } from './home.ts'

/** What was made of the checkout, in a folder of the home. */
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
  /** @param space  the file of a space that is not there yet */
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

export const WAYS: readonly Way[] = [installed, npx, bundle]
