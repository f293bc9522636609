/** `scriptorium serve`: serves one space, or those of a folder or a database, over HTTP. */

import { readFileSync, realpathSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import program from '../../package.json' with { type: 'json' }
import { createPrivateFolder } from '../../storage/bytes/file-store.ts'
import { isDatabaseAddress, spaceAddress } from '../../storage/postgres/address.ts'
import { readSpaceId } from '../../storage/sqlite/diagnosis/diagnose.ts'
import { endpoints, noticeSources, prompts, resources, skills } from '../../tools/index.ts'
import { instructionsFor } from '../../tools/instructions.ts'
import { invalid, messageOf, ScriptoriumError } from '../base/errors.ts'
import { PAGE_REQUESTS_PER_ADDRESS } from '../base/limits.ts'
import type { Logger } from '../base/logger.ts'
import type { Opening } from '../call/opening-space.ts'
import { registryOf, type ServedSpace, SharedSpace, type SpaceRegistry } from '../call/space-registry.ts'
import { type HttpServer, serveHttp } from '../http/app.ts'
import { DatabaseSpaceRegistry } from '../http/database-registry.ts'
import { FolderSpaceRegistry } from '../http/folder-registry.ts'
import type { SignInOptions } from '../http/http-options.ts'
import { takeInheritedSocket } from '../http/inherited-socket.ts'
import { METRICS_HOST, Metrics } from '../http/metrics.ts'
import type { Pages } from '../page/pages.ts'
import { Subscriptions } from '../webhooks/subscriptions.ts'
import { WebhookService } from '../webhooks/webhook-service.ts'
import { keysOfSpacesWithWebhooks } from './access/webhook-spaces.ts'
import { allowedAddresses } from './access/webhooks-command.ts'
import { type LimitAddresses, limitInDatabase, limitInProcess } from './address-limits.ts'
import { BackupSchedule, listSpaceFiles } from './backup/backup-schedule.ts'
import type { Options } from './options.ts'

/** Opens the space of a file or an address. @param mustExist  for a space in a database: true to not create it */
type OpenPlace = (place: string, progress: Opening, mustExist?: boolean) => Promise<ServedSpace>

export interface SpaceServer {
  origin: string
  /** Resolves once a single space is open. Rejects if it could not be migrated, and there is nothing to serve. */
  opened: Promise<void>
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
  const tls = readTls(options)
  const socket = takeInheritedSocket(process.env, process.pid)
  const spaces = await openSpaces(options, open, place, logger)
  let backups: BackupSchedule | undefined
  let webhooks: WebhookService | undefined
  let server: HttpServer | undefined
  try {
    const { host, port, publicUrl, trustProxy, trustedProxies, limitIp, limitFile, metricsPort } = options
    const signIn = await createResourceServerOptions(options, spaces.registry, logger)
    const metrics = new Metrics(spaces.registry)
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
        logger,
        pages: { load: loadPages, addressLimiter: spaces.limitAddresses(PAGE_REQUESTS_PER_ADDRESS, 'pages') },
        subscriptions: new Subscriptions({
          version: program.version,
          ...allowedAddresses(options),
          onSubscribed: () => webhooks?.scanSoon(),
        }),
        ...(publicUrl !== undefined && { publicUrl }),
        ...(trustedProxies && { trustedProxies }),
        ...(signIn && { signIn }),
        ...(socket !== undefined && { socket }),
        ...tls,
      }),
    )
    server = httpServer
    backups = await startBackups(options, place, logger)
    const deliveries = startWebhooks(options, spaces, logger)
    webhooks = deliveries
    const metricsServer =
      metricsPort === undefined
        ? undefined
        : await listenAt('metrics-port', METRICS_HOST, metricsPort, () => metrics.serve(metricsPort, logger.warn))
    return {
      origin: httpServer.origin,
      opened: spaces.opened,
      async close() {
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
    await server?.close()
    await webhooks?.close()
    await spaces.close()
    throw error
  }
}

function startWebhooks(options: Options, { registry, keysWithWebhooks }: Spaces, { warn }: Logger): WebhookService {
  return new WebhookService({
    spaces: registry,
    keys: keysWithWebhooks,
    endpoints,
    version: program.version,
    report: warn,
    ...allowedAddresses(options),
  })
}

/** A server with one space serves it under any key. */
const ONLY_SPACE = 'only'

/** The pages are loaded on the first request, since agents do not need them. */
let loading: Promise<Pages> | undefined
const loadPages = (): Promise<Pages> =>
  (loading ??= import('../page/pages.ts').then(({ createPages }) => createPages(endpoints)))

/**
 * @throws VALIDATION_ERROR for a folder that cannot be created, and for the folder of the spaces, where backups would
 *   be served
 */
async function startBackups(options: Options, file: string, { warn }: Logger): Promise<BackupSchedule | undefined> {
  const { backupTo: to, spaces: folder, every, keep } = options
  if (to === undefined) return undefined
  await createPrivateFolder(to).catch((error: unknown) => {
    throw invalid(`Expected a folder for backups as --backup-to, found that ${to} is none: ${messageOf(error)}.`)
  })
  if (folder !== undefined && realpathSync(folder) === realpathSync(to)) {
    throw invalid(
      `Expected a folder of its own for backups as --backup-to, found ${to}, that of the spaces; name another.`,
    )
  }
  const files = () => (folder === undefined ? [file] : listSpaceFiles(folder))
  const schedule = new BackupSchedule({ files, to, every, report: warn, ...(keep !== undefined && { keep }) })
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

/** The served spaces, wherever they are stored. */
interface Spaces {
  registry: SpaceRegistry
  /** The keys of spaces with webhooks. */
  keysWithWebhooks(): readonly string[] | Promise<readonly string[]>
  limitAddresses: LimitAddresses
  opened: Promise<void>
  close(): Promise<void>
}

async function openSpaces(options: Options, open: OpenPlace, place: string, logger: Logger): Promise<Spaces> {
  const { spaces: folder, database } = options
  if (database !== undefined) return openSpacesOfDatabase(database, options, open, logger)
  if (folder !== undefined) return openSpacesOfFolder(folder, open, logger)
  const sharedSpace = new SharedSpace((progress) => open(place, progress), noticeSources)
  await untilOpenOrMigrating(sharedSpace)
  const registry = registryOf(sharedSpace)
  let isClosing = false
  const opened = sharedSpace.opening.then(
    () => {},
    (error: unknown) => {
      if (!isClosing) throw error
    },
  )
  // It is awaited once the server listens.
  opened.catch(() => {})
  const shared = isDatabaseAddress(place) ? await limitInDatabase(place) : undefined
  return {
    registry,
    keysWithWebhooks: () => [ONLY_SPACE],
    limitAddresses: shared?.limitAddresses ?? limitInProcess,
    opened,
    async close() {
      isClosing = true
      await registry.close()
      await shared?.close()
    },
  }
}

/** The server listens while a large space is migrated. @throws what opening the space throws before that */
async function untilOpenOrMigrating(sharedSpace: SharedSpace): Promise<void> {
  try {
    const lease = await sharedSpace.lease()
    lease.release()
  } catch (error) {
    if (!sharedSpace.isMigrating) throw error
  }
}

function openSpacesOfFolder(folder: string, open: OpenPlace, { warn }: Logger): Spaces {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw invalid(`Expected a folder of spaces as --spaces, found ${folder}; make it, or name another.`)
  }
  const registry = new FolderSpaceRegistry({ folder, openFile: open, idOf: readSpaceId, noticeSources, report: warn })
  return {
    registry,
    keysWithWebhooks: () => keysOfSpacesWithWebhooks(folder),
    limitAddresses: limitInProcess,
    opened: Promise.resolve(),
    close: () => registry.close(),
  }
}

/** The database connection is kept open, so that opening a space only reads it. */
async function openSpacesOfDatabase(
  address: string,
  { databasePool }: Options,
  open: OpenPlace,
  { warn }: Logger,
): Promise<Spaces> {
  const { useDatabase, releaseDatabase } = await import('../../storage/postgres/database.ts')
  const { keysOfSpacesWithWebhooks, spaceNameOfKey } = await import('../../storage/postgres/spaces.ts')
  const pool = databasePool !== undefined && { poolSize: databasePool }
  const database = await useDatabase(address, { report: warn, ...pool })
  const shared = await limitInDatabase(address)
  const registry = new DatabaseSpaceRegistry({
    nameOf: (key) => spaceNameOfKey(database, key),
    openSpace: (name, progress) => open(spaceAddress(address, name), progress, true),
    noticeSources,
    report: warn,
  })
  return {
    registry,
    keysWithWebhooks: () => keysOfSpacesWithWebhooks(database),
    limitAddresses: shared.limitAddresses,
    opened: Promise.resolve(),
    async close() {
      await registry.close()
      await shared.close()
      await releaseDatabase(database)
    },
  }
}

function readTls({ tlsCert, tlsKey }: Options): { tls?: { cert: Buffer; key: Buffer } } {
  if (tlsCert === undefined || tlsKey === undefined) return {}
  const tls = { cert: readPem('tls-cert', tlsCert), key: readPem('tls-key', tlsKey) }
  try {
    createSecureContext(tls)
    return { tls }
  } catch (error) {
    throw invalid(
      `Expected a certificate and its key as --tls-cert and --tls-key, found that ${tlsCert} and ${tlsKey} are none: ${messageOf(error)}.`,
    )
  }
}

function readPem(flag: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw invalid(`Expected a file in PEM as --${flag}, found that ${file} cannot be read: ${messageOf(error)}.`)
  }
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
