/** Faults of the machine, or of the program itself, must not end the server. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { ZipFile } from 'yazl'
import type { Attack } from '../attack.ts'
import type { AttackedServer } from '../server.ts'
import type { World } from '../world.ts'

/** Loaded into the server. Removing the folder of an import or export fails, as if another program held it. */
const HELD_FOLDERS = `
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
const { rm } = promises
promises.rm = (path, options) =>
  /scriptorium-(import|export)-/.test(String(path)) ? Promise.reject(new Error('EBUSY: ' + path)) : rm(path, options)
syncBuiltinESMExports()`

/** Loaded into the server. A signal rejects a promise that nothing handles. */
const UNHANDLED = `process.on('SIGUSR2', () => { Promise.reject(new Error('a fault')) })`

async function serveWith(world: World, preloaded: string): Promise<AttackedServer> {
  const file = join(world.folder(), 'preloaded.mjs')
  writeFileSync(file, preloaded)
  return world.serve({ env: { NODE_OPTIONS: `--import=${pathToFileURL(file)}` } })
}

/** Waits until the fault is logged, or the server has ended. */
async function endedBy(server: AttackedServer, logged: RegExp, what: string): Promise<string[]> {
  await server.untilLogged(logged)
  // An ending server may still log, but answers no more.
  const status = await server.ask('GET /health').then(
    (answer) => answer.status,
    () => undefined,
  )
  return status === 200 ? [] : [`${what} ended the server`]
}

export const exported: Attack = {
  finding: 18,
  name: 'an export whose folder cannot be removed',
  async attempt(world) {
    const server = await serveWith(world, HELD_FOLDERS)
    await server.document('Page')
    await fetch(`${server.full.restUrl}/export`).then((response) => response.arrayBuffer())
    return endedBy(server, /EBUSY/, 'an export')
  },
}

export const imported: Attack = {
  finding: 18,
  name: 'an import whose folder cannot be removed',
  async attempt(world) {
    const server = await serveWith(world, HELD_FOLDERS)
    const zip = new ZipFile()
    zip.addBuffer(Buffer.from('words'), 'Page.md')
    zip.end()
    const body = new Uint8Array(await buffer(zip.outputStream))
    await fetch(`${server.full.restUrl}/import?name=a`, { method: 'POST', body }).then((response) => response.text())
    return endedBy(server, /EBUSY/, 'an import')
  },
}

export const unhandled: Attack = {
  finding: 18,
  name: 'a rejection that nothing handles',
  async attempt(world) {
    const server = await serveWith(world, UNHANDLED)
    server.signal('SIGUSR2')
    return endedBy(server, /Expected each failure to be handled/, 'a rejection')
  },
}
