/** Mistyped options of an operator or of a program must not open more than was meant. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Attack } from '../attack.ts'
import { commandOf, runProgram } from '../process.ts'

const OPTIONS: readonly object[] = [
  { acess: 'read' },
  { access: 'raed' },
  { access: null },
  { kinds: 'daily' },
  { kind: 'Daily' },
  { tool: 'documents' },
  { tools: ',' },
  { files: '/' },
]

/** A program that uses the library. It prints the options with which a server was made. */
const LIBRARY = `
const { createServer } = await import(process.argv[2])
for (const options of JSON.parse(process.argv[3])) {
  const server = await createServer({ space: ':memory:', ...options }).catch(() => undefined)
  if (server !== undefined) console.log(JSON.stringify(options))
  await server?.close()
}`

export const library: Attack = {
  finding: 21,
  name: 'mistyped options of the library',
  async attempt(world) {
    const { program } = world
    const file = join(world.folder(), 'mistyped-options.mjs')
    writeFileSync(file, LIBRARY)
    const args = [file, pathToFileURL(join(dirname(program.script), 'index.js')).href, JSON.stringify(OPTIONS)]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: program.folder })
    return stdout.split('\n').flatMap((options) => (options === '' ? [] : [`createServer took ${options}`]))
  },
}

/** Values that a shell or a platform makes of variables that are not set. */
const EMPTY: readonly { args?: readonly string[]; env?: NodeJS.ProcessEnv }[] = [
  { args: ['--access', ''] },
  { args: ['--kind='] },
  { env: { SCRIPTORIUM_ACCESS: '' } },
  { env: { SCRIPTORIUM_KIND: '' } },
]

export const empty: Attack = {
  finding: 21,
  name: 'links whose access is an empty text',
  async attempt(world) {
    const { program } = world
    const space = join(world.folder(), 'space.sqlite')
    const faults: string[] = []
    for (const { args = [], env = {} } of EMPTY) {
      const command = ['links', 'add', '--space', space, ...args]
      const { code, output } = await runProgram(program, command, { env })
      if (code === 0) faults.push(`${[...args, ...Object.keys(env)].join(' ')} made ${output.split('\n')[0]}`)
    }
    return faults
  },
}

export const databases: Attack = {
  finding: 21,
  name: 'addresses of databases whose encryption is mistyped',
  async attempt({ program }) {
    const faults: string[] = []
    for (const parameter of ['sslmod=verify-full', 'sslMode=verify-full', 'sslmode=verify_full']) {
      // Nothing listens there: an address that is accepted fails later, when it is connected to.
      const address = `postgres://a:secret@127.0.0.1:1/b?${parameter}`
      const { errors } = await runProgram(program, ['spaces', 'list', '--database', address])
      if (!errors.includes('did you mean')) faults.push(`${parameter} was taken: ${errors.trim()}`)
    }
    return faults
  },
}

export const identities: Attack = {
  finding: 21,
  name: 'taking an identity back without naming it',
  async attempt(world) {
    const { program } = world
    const at = ['--space', join(world.folder(), 'space.sqlite')]
    await commandOf(program, ['participants', 'add', 'Anna', ...at])
    const mistaken = ['participants', 'remove', 'Anna', '--oauth-issuer', 'https://id.example']
    await runProgram(program, [...mistaken, ...at])
    const left = await commandOf(program, ['participants', 'list', ...at])
    return left.includes('Anna') ? [] : ['the whole participant was removed']
  },
}

export const addresses: Attack = {
  finding: 21,
  name: 'a selection of tools that is mistyped in an address',
  async attempt(world) {
    const server = await world.shared()
    const { mcpUrl } = await server.link()
    const faults: string[] = []
    for (const query of ['tool=documents', 'Tools=documents', 'tools=']) {
      const message = { jsonrpc: '2.0', id: 1, method: 'ping' }
      const headers = { accept: 'application/json, text/event-stream' }
      const { status } = await server.ask(`POST ${new URL(mcpUrl).pathname}?${query}`, message, headers)
      if (status === 200) faults.push(`?${query} selects all tools`)
    }
    return faults
  },
}
