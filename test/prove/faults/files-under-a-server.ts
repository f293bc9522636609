/** Files that are deleted, replaced or truncated under a running program, and files behind a symbolic link. */
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { Scenario, ScenarioContext } from './scenario.ts'
import { addDocument, addFile, closedSpace, type Running, start, TRANSPORTS, titlesIn } from './transports.ts'

/** What happens to the files, and what must be there at the end. */
interface Disturbance {
  disturb(file: string, context: ScenarioContext): Promise<void>
  /** The file that contains the acknowledged writes after the program has ended. Absent if they cannot survive. */
  keptIn?: (file: string) => string
  /** Additional checks afterwards. */
  check?: (file: string) => string[]
}

const WRITTEN = 'Written before'

/** Writes, disturbs the files, and writes again. The second write and a read must be refused. */
async function disturbed(context: ScenarioContext, { disturb, keptIn, check }: Disturbance): Promise<string[]> {
  const faults: string[] = []
  for (const transport of TRANSPORTS) {
    const file = join(context.folder(), 'space.sqlite')
    const running = await start(transport, context, file)
    await addDocument(running, WRITTEN)
    await disturb(file, context)
    const reportFault = (fault: string) => faults.push(`over ${transport}, ${fault}`)
    const written = await addDocument(running, 'Written after')
    if (!written.isRefused) reportFault('a write was acknowledged to a file that no one will find.')
    else if (!/Expected .*; nothing was (?:read|written)\. [A-Z]/s.test(written.text))
      reportFault(`a write was refused with: ${written.text}`)
    const read = await running.call('documents_list')
    if (!read.isRefused) reportFault('a read answered from a file that is not at its path.')
    await running.end()
    if (keptIn !== undefined) {
      const titles = await titlesIn(context, keptIn(file))
      if (!titles.includes(WRITTEN)) reportFault(`what was acknowledged before is lost; found ${titles.join(', ')}.`)
    }
    for (const fault of check?.(file) ?? []) reportFault(fault)
  }
  return faults
}

const PRESENCE = 'storage/sqlite/file-presence.ts'

export const deleted: Scenario = {
  name: 'the file is deleted under a running program',
  planted: [
    {
      file: PRESENCE,
      find: '    if (file === undefined) return MOVED\n',
      replace: '    if (file === undefined) return undefined\n',
    },
  ],
  run: (context) =>
    disturbed(context, {
      disturb: async (file) => rmSync(file),
      check: (file) => (existsSync(file) ? ['a new file took the place of the deleted one.'] : []),
    }),
}

export const replaced: Scenario = {
  name: 'the file is replaced under a running program',
  planted: [
    {
      file: PRESENCE,
      find: 'if (file !== openedFile) return REPLACED',
      replace: 'if (file !== openedFile) return undefined',
    },
  ],
  run: (context) =>
    disturbed(context, {
      async disturb(file, shop) {
        const other = `${file}.other`
        await closedSpace(shop, other, 'Another')
        renameSync(file, `${file}.away`)
        renameSync(other, file)
      },
      keptIn: (file) => `${file}.away`,
    }),
}

export const logRemoved: Scenario = {
  name: 'the log is removed under a running program',
  planted: [{ file: PRESENCE, find: '? undefined : LOG_REMOVED', replace: '? undefined : undefined' }],
  run: (context) => disturbed(context, { disturb: async (file) => rmSync(`${file}-wal`), keptIn: (file) => file }),
}

export const logCut: Scenario = {
  name: 'the log is cut short under a running program',
  planted: [
    {
      file: PRESENCE,
      find: 'if (stats.size < expected && this.#frameCount() === frames)',
      replace: 'if (stats.size < 0 * expected)',
    },
  ],
  async run(context) {
    const faults: string[] = []
    for (const transport of TRANSPORTS) {
      const file = join(context.folder(), 'space.sqlite')
      const running = await start(transport, context, file)
      await addDocument(running, WRITTEN)
      truncateSync(`${file}-wal`, 32)
      const { isRefused, text } = await addDocument(running, 'Written after')
      if (!isRefused) faults.push(`over ${transport}, a write was acknowledged behind a log that was cut.`)
      else if (!/\(-wal\)|damaged/.test(text))
        faults.push(`over ${transport}, the refusal does not name the log: ${text}`)
      await running.end('SIGKILL')
    }
    return faults
  },
}

export const linked: Scenario = {
  name: 'a space is reached through a symbolic link and by its own path',
  planted: [
    {
      file: 'storage/sqlite/real-path.ts',
      find: "  if (path === ':memory:') return path\n",
      replace: '  if (path.length > 0) return path\n',
    },
  ],
  async run(context) {
    const faults: string[] = []
    for (const transport of TRANSPORTS) {
      const folder = context.folder()
      const [real, link] = [join(folder, 'real', 'space.sqlite'), join(folder, 'linked.sqlite')]
      mkdirSync(join(folder, 'real'))
      await closedSpace(context, real, 'Real')
      symlinkSync(real, link)
      const through = await start(transport, context, link)
      const blockId = await addFile(through, 'the words of a file')
      await through.end()
      const direct = await start(transport, context, real)
      const { isRefused, text } = await direct.call('blocks_get', { id: blockId, format: 'json' })
      const uri = `scriptorium://files/${blockId}`
      if (isRefused) faults.push(`over ${transport}, the file block cannot be read: ${text}`)
      const bytes = await direct.client.readResource({ uri: await fileUri(direct, uri) }).then(
        ({ contents }) => JSON.stringify(contents),
        (error: Error) => error.message,
      )
      if (!bytes.includes('the words of a file'))
        faults.push(`over ${transport}, the bytes are not found by the real path: ${bytes}`)
      await direct.end()
      for (const side of ['.files', '-wal', '.usage']) {
        if (existsSync(`${link}${side}`)) faults.push(`over ${transport}, ${side} lies beside the link.`)
      }
    }
    return faults
  },
}

/** Returns the URI of the only file in the list of resources. */
async function fileUri({ client }: Running, otherwise: string): Promise<string> {
  const { resources } = await client.listResources()
  return resources.find(({ name, uri }) => /a\.txt/.test(name) || /file/.test(uri))?.uri ?? otherwise
}
