/** Which local files a connection over stdio can import, and which it must not. */
import { chownSync, linkSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Attack } from '../attack.ts'
import { type Connection, enter } from '../connection-methods.ts'
import { runProgram } from '../process.ts'
import type { World } from '../world.ts'

const SECRET = 'words from outside'

interface Bringing {
  /** The folder from which files may be imported. */
  allowed: string
  /** A folder next to it, from which they may not. */
  outside: string
  /** Reports whether a path could be imported, and whether the imported file has these words, if given. */
  brings(path: string, words?: string): Promise<boolean>
  connection: Connection
  close(): Promise<void>
}

async function bringing(world: World, folderOf?: (allowed: string) => string): Promise<Bringing> {
  const folder = realpathSync(world.folder())
  const [allowed, outside] = [join(folder, 'allowed'), join(folder, 'outside')]
  for (const path of [allowed, outside]) mkdirSync(path)
  const server = await world.serve()
  const pageId = await server.document('Files')
  const connection = await enter(server, 'stdio', { files: folderOf?.(allowed) ?? allowed })
  const position = { position: 'end', pageId }
  return {
    allowed,
    outside,
    connection,
    async brings(path, words) {
      const { isRefused, object } = await connection.call('files_add', { position, path })
      if (isRefused || words === undefined) return !isRefused
      const { json } = await server.rest(`GET /blocks?id=${object.blockId}`)
      const { text } = await server.ask(`GET ${new URL(json.url).pathname}`)
      return text.includes(words)
    },
    async close() {
      await connection.close()
      await server.close()
    },
  }
}

/** Source of a worker that keeps swapping two files under one name, one of them a symbolic link. */
const SWAPPING = `
  const { workerData, parentPort } = require('node:worker_threads')
  const { linkSync, renameSync, symlinkSync } = require('node:fs')
  const { name, plain, secret, stop } = workerData
  const ended = new Int32Array(stop)
  while (Atomics.load(ended, 0) === 0) {
    linkSync(plain, name + '-plain')
    renameSync(name + '-plain', name)
    symlinkSync(secret, name + '-link')
    renameSync(name + '-link', name)
  }
`
/** Without the guard, about one of eight tries succeeds, or one of fifty on a busy machine. */
const TRIES = 300

export const swapped: Attack = {
  finding: 16,
  name: 'a symbolic link that is exchanged between check and opening',
  async attempt(world) {
    const { allowed, outside, brings, close } = await bringing(world)
    const [name, plain, secret] = [join(allowed, 'a.txt'), join(allowed, 'plain.txt'), join(outside, 'secret.txt')]
    writeFileSync(plain, 'words from inside')
    writeFileSync(name, 'words from inside')
    writeFileSync(secret, SECRET)
    const stop = new SharedArrayBuffer(4)
    const worker = new Worker(SWAPPING, { eval: true, workerData: { name, plain, secret, stop } })
    try {
      for (let count = 1; count <= TRIES; count++) {
        if (await brings(name, SECRET)) return [`a file from outside was brought in at try ${count} of ${TRIES}`]
      }
      return []
    } finally {
      Atomics.store(new Int32Array(stop), 0, 1)
      await worker.terminate()
      await close()
    }
  },
}

/** Suffixes of the files that belong to a space. */
const SIDE_FILES = ['', '-wal', '.usage', '.sign-in', '.files/aa']

export const spaces: Attack = {
  finding: 16,
  name: 'bringing in another space, or what lies beside one',
  async attempt(world) {
    const { allowed, brings, close } = await bringing(world)
    const other = join(allowed, 'other.sqlite')
    const made = await runProgram(world.program, ['links', 'add', '--space', other])
    if (made.code !== 0) throw new Error(made.errors)
    mkdirSync(`${other}.files`, { recursive: true })
    const faults: string[] = []
    for (const end of SIDE_FILES) {
      const path = `${other}${end}`
      // Creates the files that this space does not have yet.
      if (end !== '') writeFileSync(path, 'words of a space', { flag: 'a' })
      if (await brings(path)) faults.push(`other.sqlite${end} could be brought in`)
    }
    await close()
    return faults
  },
}

/** The ID of a user other than the one who runs the program. */
const ANOTHER = 65_534

export const hardLinks: Attack = {
  finding: 16,
  name: 'a hard link to a file of another user',
  async attempt(world) {
    const { allowed, outside, brings, close } = await bringing(world)
    const [secret, name] = [join(outside, 'secret.txt'), join(allowed, 'a.txt')]
    writeFileSync(secret, SECRET)
    linkSync(secret, name)
    chownSync(secret, ANOTHER, ANOTHER)
    const isBrought = await brings(name, SECRET)
    await close()
    return isBrought ? ['a file of another user was brought in by a hard link to it'] : []
  },
}

export const root: Attack = {
  finding: 16,
  name: '--files /, which must do what it says or be refused',
  async attempt(world) {
    const files = '/'
    const folder = world.folder()
    const args = ['stdio', '--space', join(folder, 'space.sqlite'), '--files', files]
    const { code, errors } = await runProgram(world.program, args)
    if (code === 2 && errors.includes('--files')) return []
    const { allowed, brings, close } = await bringing(world, () => files)
    writeFileSync(join(allowed, 'a.txt'), 'words')
    const isBrought = await brings(join(allowed, 'a.txt'), 'words')
    await close()
    return isBrought ? [] : ['--files / is taken, and nothing below it can be brought in']
  },
}
