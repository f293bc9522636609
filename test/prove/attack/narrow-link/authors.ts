/** Author names, and how the program prints them. */
import type { Attack } from '../attack.ts'
import { CONNECTION_METHODS, type ConnectionMethod, enter } from '../connection-methods.ts'
import { OWNER } from '../server.ts'
import { program, tokensFor } from '../sign-in.ts'

/** A forged line of the log, and characters that move the cursor of a terminal. */
const FORGED = 'Mallory\u001b[1A\u001b[2K\n2026-01-01T00:00:00.000Z\there\tMallory\tdocuments_delete\tall\u202e'
/** The length in characters that a printed line must not exceed. */
const LINE = 2_000

/** Checks that the output has this number of lines, without control characters for the terminal. */
function faultsOf(what: string, printed: string, lines: number): string[] {
  const found = printed.split('\n').filter((line) => line !== '')
  const faults: string[] = []
  if (found.length !== lines) faults.push(`${what} printed ${found.length} lines for ${lines}`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const signs = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.exec(printed)
  if (signs !== null) faults.push(`${what} printed U+${signs[0].charCodeAt(0).toString(16)} as it is`)
  if (found.some((line) => line.length > LINE)) faults.push(`${what} printed a line of more than ${LINE} characters`)
  return faults
}

export const claimed: Attack = {
  finding: 10,
  name: 'a client that calls itself somebody else',
  async attempt(world) {
    const server = await world.serve({ flags: ['--oauth'] })
    const faults: string[] = []
    for (const door of CONNECTION_METHODS) {
      const { call, close } = await enter(server, door, { clientName: 'Mallory' })
      const { object } = await call('documents_add', { documents: [{ title: 'Forged', markdown: 'words' }] })
      const id = object?.items[0].id ?? ''
      const { text } = await server.rest(`GET /blocks?id=${id}&fetchMetadata=true`)
      if (/"(?:created|lastModified)By":"Mallory/.test(text)) faults.push(`over ${door}, blocks are by "Mallory"`)
      await close()
    }
    const writes = (await server.command(['log', '--json'])).split('\n').filter((line) => line !== '')
    const authors = writes.map((line) => (JSON.parse(line) as { author: string }).author)
    if (authors.includes('Mallory')) faults.push('the log has "Mallory" as author')
    await server.close()
    return faults
  },
}

const forgedOver = async (
  door: ConnectionMethod,
  server: Parameters<typeof enter>[0],
  clientName: string,
): Promise<void> => {
  // Refusing such a name is as good as printing it in a way that deceives no one.
  const connection = await enter(server, door, { clientName }).catch(() => undefined)
  await connection?.call('documents_add', { documents: [{ title: 'Forged' }] })
  await connection?.close()
}

export const printed: Attack = {
  finding: 10,
  name: 'names that forge lines of what is printed',
  async attempt(world) {
    const server = await world.serve({ flags: ['--oauth'] })
    for (const door of ['stdio', 'link'] as const) await forgedOver(door, server, FORGED)
    await forgedOver('link', server, 'x'.repeat(100_000))
    const named = await server.link({ name: FORGED }).catch(() => undefined)
    if (named !== undefined) await server.rest('POST /documents', { documents: [{ title: 'Forged' }] }, named)
    await tokensFor(await program(server, { client_name: FORGED })).catch(() => {})
    await server.command(['participants', 'add', FORGED]).catch(() => '')
    const faults: string[] = []
    for (const args of [['log'], ['links', 'list'], ['participants', 'list']]) {
      const values = await server.command([...args, '--json'])
      const count = args[0] === 'log' ? values.split('\n').length - 1 : JSON.parse(values).length
      faults.push(...faultsOf(`scriptorium ${args.join(' ')}`, await server.command(args), count))
    }
    if (!(await server.command(['participants', 'list'])).includes(OWNER.name)) faults.push('the owner is not listed')
    await server.close()
    return faults
  },
}
