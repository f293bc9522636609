/** `scriptorium serve`: one space or a folder of them, over HTTP. */

import { readFileSync, realpathSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import program from '../../package.json' with { type: 'json' }
import { createPrivateFolder } from '../../storage/bytes/file-store.ts'
import { readSpaceId } from '../../storage/sqlite/diagnose.ts'
import { endpoints, noticeSources, prompts, resources } from '../../tools/index.ts'
import { instructionsFor } from '../../tools/instructions.ts'
import { invalid, ScriptoriumError } from '../base/errors.ts'
import { type Logger, openLogger } from '../base/logger.ts'
import { AddressRateLimiter } from '../call/rate-limiter.ts'
import { type ServedSpace, type SpaceRegistry, singleSpaceRegistry } from '../call/space-registry.ts'
import { type HttpServer, serveHttp } from '../http/app.ts'
import { FolderSpaceRegistry } from '../http/folder-registry.ts'
import type { SignInOptions } from '../http/http-options.ts'
import { METRICS_HOST, Metrics } from '../http/metrics.ts'
import { BackupSchedule, listSpaceFiles } from './backup-schedule.ts'
import type { Options } from './options.ts'

/**
 * @param openFile  opens the space of a file
 * @param file  the space to serve where no folder is named
 * @throws VALIDATION_ERROR for a folder or a certificate that is none; CONFLICT for a port that is taken
 */
export async function serveSpaces(
  options: Options,
  openFile: (file: string) => Promise<ServedSpace>,
  file: string,
): Promise<{ origin: string; close: () => Promise<void> }> {
  const tls = readTls(options)
  const logger = openLogger()
  const spaces = await openRegistry(options, openFile, file, logger)
  let backups: BackupSchedule | undefined
  let server: HttpServer | undefined
  try {
    const { host, port, publicUrl, trustsProxy, trustedProxies, limits, metricsPort } = options
    const signIn = await createResourceServerOptions(options, spaces, logger)
    const metrics = new Metrics(() => spaces.openCount)
    const httpServer = await listenAt('port', host, port, () =>
      serveHttp({
        endpoints,
        resources,
        prompts,
        instructions: instructionsFor,
        version: program.version,
        spaces,
        addressLimiter: new AddressRateLimiter(limits.address),
        host,
        port,
        trustsProxy,
        fileLimit: limits.file,
        metrics,
        logger,
        ...(publicUrl !== undefined && { publicUrl }),
        ...(trustedProxies && { trustedProxies }),
        ...(signIn && { signIn }),
        ...tls,
      }),
    )
    server = httpServer
    backups = await startBackups(options, file, logger)
    const metricsServer =
      metricsPort === undefined
        ? undefined
        : await listenAt('metrics-port', METRICS_HOST, metricsPort, () => metrics.serve(metricsPort))
    return {
      origin: httpServer.origin,
      async close() {
        const backupsClosed = backups?.close()
        metricsServer?.close()
        metricsServer?.closeAllConnections()
        await httpServer.close()
        await backupsClosed
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
async function startBackups(options: Options, file: string, { warn }: Logger): Promise<BackupSchedule | undefined> {
  const { backupTo: to, spaces: folder, every, keep } = options
  if (to === undefined) return undefined
  await createPrivateFolder(to).catch((error: unknown) => {
    throw invalid(`Expected a folder for backups as --backup-to, found that ${to} is none: ${errorMessage(error)}.`)
  })
  if (folder !== undefined && realpathSync(folder) === realpathSync(to)) {
    throw invalid(
      `Expected a folder of its own for backups as --backup-to, found ${to}, that of the spaces; name another.`,
    )
  }
  const files = () => (folder === undefined ? [file] : listSpaceFiles(folder))
  const schedule = new BackupSchedule({ files, to, every, report: warn, ...(keep !== undefined && { keep }) })
  void schedule.runDue()
  return schedule
}

async function createResourceServerOptions(
  options: Options,
  spaces: SpaceRegistry,
  { warn }: Logger,
): Promise<SignInOptions | undefined> {
  const { oauth, oauthIssuer: name, oauthAudience: audience, oauthAccess: initialAccess } = options
  if (oauth) {
    const issuing = await import('../auth/issuer/embedded-issuer.ts')
    const embedded = new issuing.EmbeddedIssuer({
      acquireSpace: (key) => spaces.acquire(key),
      initialAccess,
      report: warn,
    })
    return { issuer: embedded, embedded, initialAccess }
  }
  if (name === undefined) return undefined
  const remote = await import('../auth/resource-server/remote-issuer.ts')
  const issuer = new remote.RemoteIssuer({ issuer: name, report: warn })
  return { issuer, initialAccess, ...(audience !== undefined && { audience }) }
}

async function openRegistry(
  { spaces: folder }: Options,
  openFile: (file: string) => Promise<ServedSpace>,
  file: string,
  { warn }: Logger,
): Promise<SpaceRegistry> {
  if (folder === undefined) return singleSpaceRegistry(await openFile(file), noticeSources)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw invalid(`Expected a folder of spaces as --spaces, found ${folder}; make it, or name another.`)
  }
  return new FolderSpaceRegistry({ folder, openFile, idOf: readSpaceId, noticeSources, report: warn })
}

function readTls({ tlsCert, tlsKey }: Options): { tls?: { cert: Buffer; key: Buffer } } {
  if (tlsCert === undefined || tlsKey === undefined) return {}
  const tls = { cert: readPem('tls-cert', tlsCert), key: readPem('tls-key', tlsKey) }
  try {
    createSecureContext(tls)
    return { tls }
  } catch (error) {
    throw invalid(
      `Expected a certificate and its key as --tls-cert and --tls-key, found that ${tlsCert} and ${tlsKey} are none: ${errorMessage(error)}.`,
    )
  }
}

function readPem(flag: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw invalid(`Expected a file in PEM as --${flag}, found that ${file} cannot be read: ${errorMessage(error)}.`)
  }
}

const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What systems say of an address that cannot be listened at, in words. */
const LISTEN_ERRORS: Record<string, string> = {
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
    const reason = LISTEN_ERRORS[code]
    if (reason === undefined) throw error
    throw invalid(`Expected an address to listen at, found port ${port} of ${host}, ${reason}; name another.`)
  }
}
