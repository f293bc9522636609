/** The configuration that adds a space to Claude Desktop. */
import { join } from 'node:path'
import envPaths from 'env-paths'
import { configuration, ROOT } from './host.ts'

/** All paths are absolute: desktop programs start servers in a folder of their own, without the PATH of a shell. */
export function desktopLines(): string {
  const [script = '', ...args] = configuration().args
  const space = join(envPaths('Scriptorium', { suffix: '' }).data, 'space.sqlite')
  const entry = { command: process.execPath, args: [join(ROOT, script), ...args, '--space', space] }
  return JSON.stringify({ mcpServers: { scriptorium: entry } }, null, 2)
}
