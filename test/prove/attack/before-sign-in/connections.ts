/** Silent connections from one client, which must not keep others from connecting. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Attack } from '../attack.ts'

const CHILD = join(import.meta.dirname, 'silent-connections.ts')

/**
 * Connections from the local machine are not limited, so the attack needs another address. It runs in a network
 * namespace of its own, which has such addresses and no route to the outside.
 */
export const silent: Attack = {
  finding: 7,
  name: 'silent connections of one client',
  async attempt(world) {
    const { script, folder } = world.program
    const inside = `ip link set lo up && ip addr add 203.0.113.1/32 dev lo && ip addr add 203.0.113.2/32 dev lo && exec "$@"`
    const child = [process.execPath, CHILD, script, folder, join(world.folder(), 'space.sqlite')]
    const args = ['--map-root-user', '--net', 'sh', '-c', inside, 'sh', ...child]
    const { stdout } = await promisify(execFile)('unshare', args)
    return JSON.parse(stdout) as string[]
  },
}
