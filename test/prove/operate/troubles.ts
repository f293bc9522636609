/** What happens to a running server, and what those who operate it must see of it: when it begins, and when it ends. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { spaceAddress } from '../../../storage/postgres/address.ts'
import { makeCertificate } from '../../certificate.ts'
import { startFailingBucket } from '../../storage/bucket/failing-bucket.ts'
import { CREDENTIALS } from '../../storage/bucket/s3-server.ts'
import { freePorts } from '../../support/free-ports.ts'
import { runPostgres, startPostgres } from '../../support/postgres-server.ts'
import { makeSmallDisk } from '../crash/full-disk.ts'
import { databaseOf, type Scenario, type ScenarioContext } from '../faults/scenario.ts'
import { idIn } from '../faults/transports.ts'
import { type Answered, Served } from './served.ts'

/** Something on which the whole server stands, and which goes away for a while. */
interface Outage {
  served: Served
  begin(): Promise<void> | void
  end(): Promise<void> | void
  /** The code of refused calls, of `/ready`, and of the line in the log. */
  code: string
  status: number
  /** A call that needs what is gone; a new document if absent. */
  call?: (title: string) => Promise<Answered>
}

/** Begins an outage, looks at the probes, the log and the metrics, ends it, and looks again. */
async function outlive({ served, begin, end, code, status, call }: Outage): Promise<string[]> {
  const faults: string[] = []
  const write = call ?? ((title: string) => served.addDocument(title))
  const before = await write('Before')
  if (before.status !== 200) faults.push(`before it, a call was answered with ${before.status}: ${before.body}`)
  if ((await served.ready()).status !== 200) faults.push('before it, the server was not ready.')
  await begin()
  if (!(await served.until(async () => (await write('In vain')).status === status)))
    faults.push(`calls were not answered with ${status}, but with ${JSON.stringify(await write('In vain'))}`)
  const refused = await write('In vain')
  if (refused.code !== code) faults.push(`a call was refused with the code ${refused.code} instead of ${code}.`)
  const isSeen = async () => {
    const found = await served.ready()
    return found.status === 503 && found.code === code
  }
  if (!(await served.until(isSeen))) faults.push(`/ready says ${JSON.stringify(await served.ready())}`)
  const ready = await served.ready()
  if (/sqlite|postgres:|\/tmp/.test(ready.body)) faults.push(`/ready names what it should not: ${ready.body}`)
  if ((await served.get('/health')).status !== 200) faults.push('/health says that the process is dead.')
  const { lines, others } = served.log()
  if (!lines.some((line) => line.level === 50 && line.code === code))
    faults.push(`the log has no line with level 50 and ${code}: ${JSON.stringify(lines.slice(-3))}`)
  if (!lines.some((line) => line.level === 50 && /is not ready/.test(line.msg ?? '')))
    faults.push('the log does not say that the server is not ready.')
  if (others.length > 0) faults.push(`the log has lines that are no JSON: ${others[0]}`)
  if ((await served.metric('scriptorium_ready')) !== 0) faults.push('the metric scriptorium_ready is not 0.')
  const counted = await served.metric('scriptorium_http_responses_total', `status="${status}",code="${code}"`)
  if (!(counted >= 2)) faults.push(`the metric of responses counts ${counted} with ${status} ${code}.`)
  await end()
  if (!(await served.until(async () => (await served.ready()).status === 200)))
    faults.push(`after it, /ready says ${JSON.stringify(await served.ready())}`)
  if (!(await served.until(async () => (await write('After')).status === 200)))
    faults.push(`after it, a call was answered with ${JSON.stringify(await write('After'))}`)
  if ((await served.metric('scriptorium_ready')) !== 1) faults.push('after it, the metric scriptorium_ready is not 1.')
  if (!served.log().lines.some(({ level, msg }) => level === 30 && /is ready again/.test(msg ?? '')))
    faults.push('the log does not say that the server is ready again.')
  if (!served.isRunning) faults.push('the server has ended.')
  await served.end()
  return faults
}

const READY_LINE = 'src/http/readiness.ts'
const CHECKS = 'src/cli/readiness-checks.ts'

export const fullDisk: Scenario = {
  name: 'the disk is full, and has room again',
  planted: [{ file: CHECKS, find: 'if (free >= LEAST_FREE_BYTES) return', replace: 'if (free >= 0) return' }],
  async run(context) {
    const disk = await makeSmallDisk(join(context.folder(), 'small'))
    context.leave(() => disk.close())
    // A limit of file sizes leaves the disk as it is.
    if (disk.what !== 'tmpfs') return []
    const served = await Served.start(context, join(disk.folder, 'space.sqlite'))
    return outlive({
      ...{ served, code: 'STORAGE_FULL', status: 507 },
      begin: () => disk.fill(0, served.pid),
      end: () => disk.empty(served.pid),
    })
  },
}

export const movedFile: Scenario = {
  name: 'the file of the space is moved away, and back',
  planted: [
    {
      file: CHECKS,
      find: 'await lease?.space.read(OPERATOR_LINK, async ({ tx }) => void (await getSpaceRow(tx)))',
      replace: 'await lease?.space.read(OPERATOR_LINK, async () => void getSpaceRow)',
    },
  ],
  async run(context) {
    const folder = context.folder()
    const away = mkdtempSync(join(folder, 'away-'))
    const names = ['', '-wal', '-shm'].map((side) => `space.sqlite${side}`)
    const served = await Served.start(context, join(folder, 'space.sqlite'))
    const move = (from: string, to: string) => {
      for (const name of names) renameSync(join(from, name), join(to, name))
    }
    return outlive({
      ...{ served, code: 'SPACE_REPLACED', status: 503 },
      begin: () => move(folder, away),
      end: () => move(away, folder),
    })
  },
}

export const stoppedDatabase: Scenario = {
  name: 'PostgreSQL stops, and starts again',
  planted: [
    {
      file: READY_LINE,
      find: 'logger.error(`The server is not ready',
      replace: 'logger.info(`The server is not ready',
    },
  ],
  async run(context) {
    const database = await startPostgres()
    context.leave(() => database.stop())
    const served = await Served.start(context, spaceAddress(database.address, randomUUID()))
    return outlive({
      ...{ served, code: 'STORAGE_UNAVAILABLE', status: 503 },
      begin: () => database.crash(),
      async end() {
        const again = await runPostgres(database.folder)
        context.leave(() => again.stop())
      },
    })
  },
}

export const goneBucket: Scenario = {
  name: 'the bucket of the files is gone, and comes back',
  planted: [
    {
      file: CHECKS,
      find: "await bucket.get('not-there')",
      replace: 'await Promise.resolve(undefined as Awaited<ReturnType<typeof bucket.get>>)',
    },
  ],
  async run(context) {
    const database = await databaseOf(context)
    const bucket = await startFailingBucket()
    context.leave(() => bucket.stop())
    const gate = await openGate(context, Number(new URL(bucket.url).port))
    const env = {
      SCRIPTORIUM_FILES_BUCKET: bucket.url.replace(/:\d+\//, `:${gate.port}/`),
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    }
    const served = await Served.start(context, spaceAddress(database.address, randomUUID()), { env })
    const pageId = idIn((await served.addDocument('Files')).body)
    let number = 0
    return outlive({
      ...{ served, code: 'STORAGE_UNAVAILABLE', status: 503, begin: gate.close, end: gate.open },
      call: (text) => served.addFile(pageId, `${text} ${number++}`),
    })
  },
}

/** Forwards a port to another, until it is closed: connections are refused then. */
async function openGate(context: ScenarioContext, to: number) {
  const [port = 0] = await freePorts(1)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(to, '127.0.0.1')
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  const open = () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    await closed
  }
  await open()
  context.leave(async () => void (server.listening && (await close())))
  return { port, open, close }
}

const DAY_MS = 86_400_000

export const expiredCertificate: Scenario = {
  name: 'the certificate has expired, and is renewed',
  planted: [{ file: 'src/cli/certificate-files.ts', find: '      use(this.#current)\n', replace: '      void use\n' }],
  async run(context) {
    const faults: string[] = []
    const folder = context.folder()
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    const write = (made: { cert: string; key: string }) => {
      writeFileSync(cert, made.cert)
      writeFileSync(key, made.key)
    }
    write(makeCertificate(Date.now() - 3 * DAY_MS))
    const args = ['--tls-cert', cert, '--tls-key', key]
    const served = await Served.start(context, join(folder, 'space.sqlite'), { args })
    const expires = 'scriptorium_certificate_expires_timestamp_seconds'
    const isExpired = async () => (await served.metric(expires)) < Date.now() / 1000
    const first = await served.addDocument('Before')
    if (first.status !== 200) faults.push(`a call was answered with ${first.status}: ${first.body}`)
    if (!(await isExpired())) faults.push('the metric does not say that the certificate has expired.')
    if (!served.log().lines.some(({ level = 0, msg = '' }) => level >= 40 && /certificate/i.test(msg)))
      faults.push('the log does not say that the certificate has expired.')
    writeFileSync(cert, 'broken')
    served.signal('SIGHUP')
    const says = (pattern: RegExp) => async () => served.log().lines.some(({ msg = '' }) => pattern.test(msg))
    if (!(await served.until(says(/The certificate stays as it was/))))
      faults.push('the log does not say that a broken certificate was not taken.')
    if ((await served.get('/ready')).certificate !== first.certificate)
      faults.push('a broken certificate took the place of the one before.')
    write(makeCertificate())
    served.signal('SIGHUP')
    if (!(await served.until(says(/The certificate was read again/))))
      faults.push('SIGHUP did not read the certificate.')
    const renewed = await served.addDocument('After')
    if (renewed.status !== 200) faults.push(`after it, a call was answered with ${renewed.status}: ${renewed.body}`)
    if (renewed.certificate === first.certificate) faults.push('the renewed certificate is not used.')
    if (await isExpired()) faults.push('the metric still says that the certificate has expired.')
    if (!served.isRunning) faults.push('SIGHUP ended the server.')
    await served.end()
    return faults
  },
}

const HUNDRED_DAYS_SECONDS = 100 * 24 * 60 * 60

export const jumpingClock: Scenario = {
  name: 'the clock jumps, and is set right',
  planted: [
    {
      file: 'src/space/clock-watch.ts',
      find: 'if (Math.abs(now - expected) > CLOCK_JUMP_MS) report(jump(expected, now))',
      replace: 'if (Math.abs(now - expected) > CLOCK_JUMP_MS * 1e6) report(jump(expected, now))',
    },
  ],
  async run(context) {
    const faults: string[] = []
    const folder = context.folder()
    const ahead = join(folder, 'ahead')
    writeFileSync(ahead, '0')
    const env = { LD_PRELOAD: context.libraries.clock, CLOCK_AHEAD_FILE: ahead }
    const served = await Served.start(context, join(folder, 'space.sqlite'), { env })
    const first = await served.addDocument('Before')
    if (first.status !== 200) faults.push(`a call was answered with ${first.status}: ${first.body}`)
    for (const [seconds, direction] of [
      [HUNDRED_DAYS_SECONDS, 'ahead'],
      [0, 'back'],
    ] as const) {
      writeFileSync(ahead, `${seconds}`)
      const { status, body } = await served.addDocument(`Set ${direction}`)
      if (status !== 200) faults.push(`set ${direction}, a call was answered with ${status}: ${body}`)
      if ((await served.ready()).status !== 200) faults.push(`set ${direction}, the server is not ready.`)
      const pattern = new RegExp(`clock of this machine was set 100 days ${direction}`)
      if (!served.log().lines.some(({ level = 0, msg = '' }) => level >= 40 && pattern.test(msg)))
        faults.push(`the log does not say that the clock was set ${direction}.`)
    }
    if ((await served.metric('scriptorium_ready')) !== 1) faults.push('the metric scriptorium_ready is not 1.')
    await served.end()
    return faults
  },
}

export const TROUBLES: readonly Scenario[] = [
  ...[stoppedDatabase, goneBucket, movedFile],
  ...[fullDisk, expiredCertificate, jumpingClock],
]
