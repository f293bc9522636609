/** `scriptorium serve`: serves one space, or those of a folder or a database, over HTTP. */

import { realpathSync } from 'node:fs'
import program from '../../package.json' with { type: 'json' }
import { createPrivateFolder } from '../../storage/bytes/file-store.ts'
import { endpoints, prompts, resources, skills } from '../../tools/index.ts'
import { instructionsFor } from '../../tools/instructions.ts'
import { invalid, messageOf, ScriptoriumError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { describeSystemError } from '../base/system-error.ts'
import { pageRequestsFor } from '../call/rate-limiter.ts'
import type { SpaceRegistry } from '../call/space-registry.ts'
import { type HttpServer, serveHttp } from '../http/app.ts'
import type { SignInOptions } from '../http/http-options.ts'
import { takeInheritedSocket } from '../http/inherited-socket.ts'
import { Metrics } from '../http/metrics.ts'
import { Readiness } from '../http/readiness.ts'
import type { Pages } from '../page/pages.ts'
import { Subscriptions } from '../webhooks/subscriptions.ts'
import { WebhookService } from '../webhooks/webhook-service.ts'
import { allowedAddresses } from './access/webhooks-command.ts'
import { BackupSchedule, listSpaceFiles } from './backup/backup-schedule.ts'
import { certificateFiles } from './certificate-files.ts'
import { openFilesBucket } from './files-bucket.ts'
import type { Options } from './options.ts'
import { bucketCheck } from './readiness-checks.ts'
import { type OpenPlace, openSpaces, type ServedSpaces } from './served-spaces.ts'
import { addServerGauges } from './server-gauges.ts'

export interface SpaceServer {
  origin: string
  /** Resolves once a single space is open. Rejects if it could not be migrated, and there is nothing to serve. */
  opened: Promise<void>
  /** Reads the certificate again. */
  reload(): void
  close(): Promise<void>
}

/**
 * @param open  opens a space
 * @param place  the space to serve if neither a folder nor a database is given
 * @throws VALIDATION_ERROR for an invalid folder, database or certificate; CONFLICT for a port in use
 */
export async function serveSpaces(
  options: Options,
  open: OpenPlace,
  place: string,
  logger: Logger,
): Promise<SpaceServer> {
  const certificate = certificateFiles(options, logger)
  const socket = takeInheritedSocket(process.env, process.pid)
  const bucket = options.filesBucket === undefined ? undefined : await openFilesBucket(options.filesBucket)
  const spaces = await openSpaces(options, open, place, logger)
  let backups: BackupSchedule | undefined
  let webhooks: WebhookService | undefined
  let server: HttpServer | undefined
  try {
    const { host, port, publicUrl, trustProxy, trustedProxies, limitIp, limitFile, metricsHost, metricsPort } = options
    const signIn = await createResourceServerOptions(options, spaces.registry, logger)
    const metrics = new Metrics(spaces.registry)
    const readiness = new Readiness({
      shared: [...spaces.shared, ...(bucket ? [bucketCheck(bucket)] : [])],
      ...(spaces.countBroken && { countBroken: spaces.countBroken }),
      logger,
    })
    const httpServer = await listenAt('port', host, port, () =>
      serveHttp({
        endpoints,
        resources,
        prompts,
        skills,
        instructions: instructionsFor,
        version: program.version,
        spaces: spaces.registry,
        addressLimiter: spaces.limitAddresses(limitIp, 'agents'),
        host,
        port,
        trustsProxy: trustProxy,
        fileLimit: limitFile,
        metrics,
        readiness,
        logger,
        pages: {
          load: loadPages,
          addressLimiter: spaces.limitAddresses(pageRequestsFor(limitIp), 'pages'),
          ...allowedAddresses(options),
          backupsOf: (file) => backups?.backupsOf(file),
        },
        subscriptions: new Subscriptions({
          version: program.version,
          ...allowedAddresses(options),
          onSubscribed: () => webhooks?.scanSoon(),
        }),
        ...(publicUrl !== undefined && { publicUrl }),
        ...(trustedProxies && { trustedProxies }),
        ...(signIn && { signIn }),
        ...(socket !== undefined && { socket }),
        ...(certificate && { tls: certificate.current }),
      }),
    )
    server = httpServer
    certificate?.watch(httpServer.useCertificate)
    const schedule = await startBackups(options, place, logger)
    backups = schedule
    const deliveries = startWebhooks(options, spaces, logger)
    webhooks = deliveries
    addServerGauges(metrics, { spaces, readiness, certificate, backups: schedule })
    const metricsServer =
      metricsPort === undefined
        ? undefined
        : await listenAt('metrics-port', metricsHost, metricsPort, () =>
            metrics.serve(metricsPort, metricsHost, logger.error),
          )
    return {
      origin: httpServer.origin,
      opened: spaces.opened,
      reload() {
        if (certificate === undefined) logger.info('SIGHUP reads the certificate again, and there is none.')
        else certificate.reload(httpServer.useCertificate)
      },
      async close() {
        certificate?.close()
        const backupsClosed = backups?.close()
        metricsServer?.close()
        metricsServer?.closeAllConnections()
        await httpServer.close()
        await deliveries.close()
        await backupsClosed
        await spaces.close()
      },
    }
  } catch (error) {
    certificate?.close()
    await server?.close()
    await webhooks?.close()
    await spaces.close()
    throw error
  }
}

function startWebhooks(
  options: Options,
  { registry, keysWithWebhooks }: ServedSpaces,
  { warn }: Logger,
): WebhookService {
  return new WebhookService({
    spaces: registry,
    keys: keysWithWebhooks,
    endpoints,
    version: program.version,
    report: warn,
    ...allowedAddresses(options),
  })
}

/** The pages are loaded on the first request, since agents do not need them. */
let loading: Promise<Pages> | undefined
const loadPages = (): Promise<Pages> =>
  (loading ??= import('../page/pages.ts').then(({ createPages }) => createPages(endpoints)))

/**
 * @throws VALIDATION_ERROR for a folder that cannot be created, and for the folder of the spaces, where backups would
 *   be served
 */
async function startBackups(
  options: Options,
  file: string,
  { info, error: report }: Logger,
): Promise<BackupSchedule | undefined> {
  const { backupTo: to, spaces: folder, every, keep } = options
  if (to === undefined) return undefined
  await createPrivateFolder(to).catch((error: unknown) => {
    const reason = describeSystemError(error) ?? `${messageOf(error)}.`
    throw invalid(`Expected a folder for backups as --backup-to, found that ${to} is none: ${reason}`)
  })
  if (folder !== undefined && realpathSync(folder) === realpathSync(to)) {
    throw invalid(
      `Expected a folder of its own for backups as --backup-to, found ${to}, that of the spaces; name another.`,
    )
  }
  const files = () => (folder === undefined ? [file] : listSpaceFiles(folder))
  const schedule = new BackupSchedule({ files, to, every, note: info, report, ...(keep !== undefined && { keep }) })
  schedule.runInBackground()
  return schedule
}

async function createResourceServerOptions(
  options: Options,
  spaces: SpaceRegistry,
  { warn }: Logger,
): Promise<SignInOptions | undefined> {
  const { oauth, oauthIssuer: name, oauthAudience: audience, oauthClientId: clientId } = options
  const { oauthAccess: initialAccess } = options
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
  const client = clientId !== undefined && { issuer, clientId, ...(audience !== undefined && { audience }) }
  return { issuer, initialAccess, ...(audience !== undefined && { audience }), ...(client && { client }) }
}

/** Messages for errors of the system when listening fails. */
const LISTEN_ERRORS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    EACCES: 'which this user may not listen at',
    EADDRNOTAVAIL: 'which is no address of this machine',
    ENOTFOUND: 'which is no address of this machine',
  }),
)

async function listenAt<T>(flag: string, host: string, port: number, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new ScriptoriumError('CONFLICT', `Expected a free port, found ${port} in use; name another with --${flag}.`)
    }
    const reason = LISTEN_ERRORS.get(code)
    if (reason === undefined) throw error
    throw invalid(`Expected an address to listen at, found port ${port} of ${host}, ${reason}; name another.`)
  }
}
