/** `scriptorium serve`: one space or a folder of them, over HTTP. */
import { readFileSync, statSync } from 'node:fs'
import program from '../package.json' with { type: 'json' }
import { spaceIdOf } from '../storage/examine.ts'
import { announcements, endpoints } from '../tools/index.ts'
import { invalid, ScriptoriumError } from './errors.ts'
import type { Options } from './flags.ts'
import { openJournal } from './journal.ts'
import { AddressBudget } from './server/budget.ts'
import { serveHttp } from './server/http.ts'
import { Metrics } from './server/metrics.ts'
import { oneSpace, type Served, SpaceFolder, type Spaces } from './server/spaces.ts'

/**
 * @param openFile  opens the space of a file
 * @param file  the space to serve where no folder is named
 * @throws VALIDATION_ERROR for a folder or a certificate that is none; CONFLICT for a port that is taken
 */
export async function serveSpaces(
  options: Options,
  openFile: (file: string) => Promise<Served>,
  file: string,
): Promise<{ origin: string; close: () => Promise<void> }> {
  const tls = tlsOf(options)
  const spaces = await spacesOf(options, openFile, file)
  try {
    const { host, port, publicUrl, trustsProxy, limits, metricsPort } = options
    const metrics = new Metrics(() => spaces.open)
    const server = await taken(port, () =>
      serveHttp({
        endpoints,
        version: program.version,
        spaces,
        addresses: new AddressBudget(limits.address),
        host,
        port,
        trustsProxy,
        fileLimit: limits.file,
        metrics,
        journal: openJournal(),
        ...(publicUrl !== undefined && { publicUrl }),
        ...tls,
      }),
    )
    const telling = metricsPort === undefined ? undefined : await taken(metricsPort, () => metrics.listen(metricsPort))
    return {
      origin: server.origin,
      async close() {
        telling?.close()
        await server.close()
        await spaces.close()
      },
    }
  } catch (error) {
    await spaces.close()
    throw error
  }
}

async function spacesOf(
  { spaces: folder }: Options,
  openFile: (file: string) => Promise<Served>,
  file: string,
): Promise<Spaces> {
  if (folder === undefined) return oneSpace(await openFile(file), announcements)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw invalid(`Expected a folder of spaces as --spaces, found ${folder}; make it, or name another.`)
  }
  return new SpaceFolder({ folder, openFile, idOf: spaceIdOf, announcements })
}

function tlsOf({ tlsCert, tlsKey }: Options): { tls?: { cert: Buffer; key: Buffer } } {
  if (tlsCert === undefined || tlsKey === undefined) return {}
  return { tls: { cert: readPem('tls-cert', tlsCert), key: readPem('tls-key', tlsKey) } }
}

function readPem(flag: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw invalid(`Expected a file in PEM as --${flag}, found that ${file} cannot be read: ${reason}.`)
  }
}

async function taken<T>(port: number, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new ScriptoriumError('CONFLICT', `Expected a free port, found ${port} in use; name another with --port.`)
  }
}
