/** `scriptorium serve`: one space or a folder of them, over HTTP. */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import program from '../package.json' with { type: 'json' }
import { spaceIdOf } from '../storage/examine.ts'
import { makeFolder } from '../storage/file-store.ts'
import { announcements, endpoints, resources } from '../tools/index.ts'
import { BackupSchedule, spacesIn } from './backup-schedule.ts'
import { invalid, ScriptoriumError } from './errors.ts'
import type { Options } from './flags.ts'
import { openJournal } from './journal.ts'
import { AddressBudget } from './server/budget.ts'
import { type HttpServer, type Journal, serveHttp } from './server/http.ts'
import { METRICS_HOST, Metrics } from './server/metrics.ts'
import type { SignInOptions } from './server/oauth/sign-in.ts'
import { SpaceFolder } from './server/space-folder.ts'
import { oneSpace, type Served, type Spaces } from './server/spaces.ts'

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
  const journal = openJournal()
  const spaces = await spacesOf(options, openFile, file, journal)
  let backups: BackupSchedule | undefined
  let server: HttpServer | undefined
  try {
    const { host, port, publicUrl, trustsProxy, trustedProxies, limits, metricsPort } = options
    const signIn = await signInOf(options, spaces, journal)
    const metrics = new Metrics(() => spaces.open)
    const listening = await listenAt('port', host, port, () =>
      serveHttp({
        endpoints,
        resources,
        version: program.version,
        spaces,
        addresses: new AddressBudget(limits.address),
        host,
        port,
        trustsProxy,
        fileLimit: limits.file,
        metrics,
        journal,
        ...(publicUrl !== undefined && { publicUrl }),
        ...(trustedProxies && { trustedProxies }),
        ...(signIn && { signIn }),
        ...tls,
      }),
    )
    server = listening
    backups = await backupsOf(options, file, journal)
    const telling =
      metricsPort === undefined
        ? undefined
        : await listenAt('metrics-port', METRICS_HOST, metricsPort, () => metrics.listen(metricsPort))
    return {
      origin: listening.origin,
      async close() {
        const backedUp = backups?.close()
        telling?.close()
        telling?.closeAllConnections()
        await listening.close()
        await backedUp
        await spaces.close()
      },
    }
  } catch (error) {
    await server?.close()
    await spaces.close()
    throw error
  }
}

/** @throws VALIDATION_ERROR for a folder that cannot be made, and for that of the spaces, where they would be served */
async function backupsOf(options: Options, file: string, { note }: Journal): Promise<BackupSchedule | undefined> {
  const { backupTo: to, spaces: folder, every, keep } = options
  if (to === undefined) return undefined
  await makeFolder(to).catch((error: unknown) => {
    throw invalid(`Expected a folder for backups as --backup-to, found that ${to} is none: ${reasonOf(error)}.`)
  })
  if (folder !== undefined && realpathSync(folder) === realpathSync(to)) {
    throw invalid(
      `Expected a folder of its own for backups as --backup-to, found ${to}, that of the spaces; name another.`,
    )
  }
  const files = () => (folder === undefined ? [file] : spacesIn(folder))
  const schedule = new BackupSchedule({ files, to, every, report: note, ...(keep !== undefined && { keep }) })
  void schedule.look()
  return schedule
}

async function signInOf(options: Options, spaces: Spaces, { note }: Journal): Promise<SignInOptions | undefined> {
  const { oauth, oauthIssuer: name, oauthAudience: audience, oauthAccess: first } = options
  if (oauth) {
    const issuing = await import('./server/issuer/issuer.ts')
    const embedded = new issuing.EmbeddedIssuer({ hold: (key) => spaces.hold(key), first, report: note })
    return { issuer: embedded, embedded, first }
  }
  if (name === undefined) return undefined
  const remote = await import('./server/oauth/issuer.ts')
  const issuer = new remote.Issuer({ issuer: name, report: note })
  return { issuer, first, ...(audience !== undefined && { audience }) }
}

async function spacesOf(
  { spaces: folder }: Options,
  openFile: (file: string) => Promise<Served>,
  file: string,
  { note }: Journal,
): Promise<Spaces> {
  if (folder === undefined) return oneSpace(await openFile(file), announcements)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw invalid(`Expected a folder of spaces as --spaces, found ${folder}; make it, or name another.`)
  }
  return new SpaceFolder({ folder, openFile, idOf: spaceIdOf, announcements, report: note })
}

function tlsOf({ tlsCert, tlsKey }: Options): { tls?: { cert: Buffer; key: Buffer } } {
  if (tlsCert === undefined || tlsKey === undefined) return {}
  const tls = { cert: readPem('tls-cert', tlsCert), key: readPem('tls-key', tlsKey) }
  try {
    createSecureContext(tls)
    return { tls }
  } catch (error) {
    throw invalid(
      `Expected a certificate and its key as --tls-cert and --tls-key, found that ${tlsCert} and ${tlsKey} are none: ${reasonOf(error)}.`,
    )
  }
}

function readPem(flag: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw invalid(`Expected a file in PEM as --${flag}, found that ${file} cannot be read: ${reasonOf(error)}.`)
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What systems say of an address that cannot be listened at, in words. */
const UNUSABLE: Record<string, string> = {
  EACCES: 'which this user may not listen at',
  EADDRNOTAVAIL: 'which is no address of this machine',
  ENOTFOUND: 'which is no address of this machine',
}

async function listenAt<T>(flag: string, host: string, port: number, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new ScriptoriumError('CONFLICT', `Expected a free port, found ${port} in use; name another with --${flag}.`)
    }
    const why = UNUSABLE[code]
    if (why === undefined) throw error
    throw invalid(`Expected an address to listen at, found port ${port} of ${host}, ${why}; name another.`)
  }
}
