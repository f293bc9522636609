/** Other users of the machine: what they can read of a space, and which code they could make the program run. */
import { chmodSync, existsSync, globSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack } from '../attack.ts'
import { enter } from '../connection-methods.ts'
import { runProgram } from '../process.ts'
import { AttackedServer } from '../server.ts'
import type { World } from '../world.ts'

/** The mode bits that give access to others. */
const OTHERS = 0o077

const openTo = (path: string): number => statSync(path).mode & OTHERS

export const compiled: Attack = {
  finding: 14,
  name: 'code in the common temporary folder, which the program runs',
  async attempt(world) {
    const folder = world.folder()
    const [temporary, home] = [join(folder, 'tmp'), join(folder, 'home')]
    for (const path of [temporary, home]) mkdirSync(path)
    const env = { TMPDIR: temporary, HOME: home, XDG_CACHE_HOME: '', NODE_COMPILE_CACHE: '' }
    for (let count = 0; count < 2; count++) await runProgram(world.program, ['--help'], { env })
    const common = globSync('**/*', { cwd: temporary })
    const own = globSync('**/*compile*', { cwd: home }).filter((path) => openTo(join(home, path)) !== 0)
    return [
      ...(common.length > 0 ? [`compiled code is kept in the temporary folder: ${common[0]}`] : []),
      ...own.map((path) => `compiled code is kept in ${path}, which others may use`),
    ]
  },
}

/** Starts a server on a space that has all its additional files. */
async function usedSpace(world: World, folder: string): Promise<AttackedServer> {
  const server = await AttackedServer.start(world.program, folder, { flags: ['--oauth'], requests: 1_000 })
  await server.upload(await server.document('Private'), 'private words')
  return server
}

const openOf = (folder: string): string[] =>
  globSync('**/*', { cwd: folder }).filter((path) => openTo(join(folder, path)) !== 0)

export const readable: Attack = {
  finding: 15,
  name: 'reading a space that another user made',
  async attempt(world) {
    const folder = world.folder()
    const mask = process.umask(0o022)
    try {
      const server = await usedSpace(world, folder)
      const open = openOf(folder)
      await server.close()
      return [...open, ...openOf(folder)].map((path) => `others may use ${path}`)
    } finally {
      process.umask(mask)
    }
  },
}

export const stillReadable: Attack = {
  finding: 15,
  name: 'reading a space that was made for everybody, before',
  async attempt(world) {
    const folder = world.folder()
    const server = await usedSpace(world, folder)
    const { file } = server
    await server.close()
    for (const path of globSync('**/*', { cwd: folder })) {
      const whole = join(folder, path)
      chmodSync(whole, statSync(whole).isDirectory() ? 0o755 : 0o644)
    }
    const again = await AttackedServer.start(world.program, folder, { flags: ['--oauth'], requests: 1_000 })
    const { call, close } = await enter(again, 'stdio')
    await call('documents_list')
    if (!existsSync(file)) throw new Error(`Expected a space at ${file}, found none.`)
    const open = openOf(folder)
    await close()
    await again.close()
    return open.map((path) => `others may use ${path}, which was there`)
  },
}
