/** A bucket that fails in the middle of uploads, downloads and deletions, for a space in a database. */
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { spaceAddress } from '../../../storage/postgres/address.ts'
import { FAILURES, type FailingBucket, startFailingBucket } from '../../storage/bucket/failing-bucket.ts'
import { CREDENTIALS } from '../../storage/bucket/s3-server.ts'
import type { PostgresServer } from '../../support/postgres-server.ts'
import { databaseOf, type Scenario, type ScenarioContext } from './scenario.ts'
import { addDocument, idIn, type Reply, type Running, start, TRANSPORTS } from './transports.ts'

/** Of more bytes than are sent without waiting for a response to the headers, and of fewer. */
const SIZES = [2_000_000, 200_000]
/** Bytes between two positions at which an upload or a download fails. */
const STEP = 64 * 1024
/** They mostly wait. */
const UPLOADS_AT_ONCE = 4
/** Seconds in which objects that nothing needs must be deleted, on a busy machine. */
const PATIENCE = 60

/** A space in a database with a bucket, and a way to run the program on it. */
interface BucketSpace {
  bucket: FailingBucket
  database: PostgresServer
  start(transport: (typeof TRANSPORTS)[number]): Promise<Running>
}

async function bucketSpace(context: ScenarioContext): Promise<BucketSpace> {
  const database = await databaseOf(context)
  const bucket = await startFailingBucket()
  context.leave(() => bucket.stop())
  const env = {
    SCRIPTORIUM_FILES_BUCKET: bucket.url,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  }
  const address = spaceAddress(database.address, randomUUID())
  return { bucket, database, start: (transport) => start(transport, context, address, env) }
}

/** Bytes that no other file has. */
const contentOf = (name: string, size: number): Buffer => Buffer.alloc(size, `${name} `)

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex')

const upload = (running: Running, pageId: string, name: string, content: Buffer): Promise<Reply> =>
  running.call('files_add', {
    position: { position: 'end', pageId },
    fileName: name,
    data: content.toString('base64'),
  })

/** The beginning, every {@link STEP} bytes, and after the last byte. Silence takes its time, so it has only few. */
const positionsIn = (size: number, how: (typeof FAILURES)[number]): number[] =>
  how === 'silence'
    ? [0, STEP + 1, size]
    : [...Array.from({ length: Math.ceil(size / STEP) }, (_, index) => index * STEP), size]

export const uploads: Scenario = {
  name: 'the bucket fails in the middle of uploads',
  planted: [
    // With this fault, a second attempt reads what the first one has read or closed.
    {
      file: 'storage/postgres/bucket-file-bytes.ts',
      find: 'open: () => createReadStream(path) })',
      replace: 'open: ((stream) => () => stream)(createReadStream(path)) })',
    },
  ],
  async run(context) {
    const faults: string[] = []
    for (const transport of TRANSPORTS) {
      const { bucket, start } = await bucketSpace(context)
      const running = await start(transport)
      const pageId = idIn((await addDocument(running, 'Files')).text)
      const failAndUpload = async (how: (typeof FAILURES)[number], size: number, after: number): Promise<void> => {
        const name = `${how} at ${after} of ${size}`
        const content = contentOf(name, size)
        bucket.fail({ method: 'PUT', how, after, name: sha256(content) })
        const { isRefused, text } = await upload(running, pageId, name, content)
        const isStored = [...bucket.objects.values()].some((object) => object.equals(content))
        if (isRefused) faults.push(`over ${transport}, ${name}: an upload was refused: ${text.slice(0, 300)}`)
        else if (!isStored) faults.push(`over ${transport}, ${name}: an upload was acknowledged and is not stored.`)
      }
      const all = SIZES.flatMap((size) =>
        FAILURES.flatMap((how) => positionsIn(size, how).map((after) => [how, size, after] as const)),
      )
      const uploadRest = async (): Promise<void> => {
        for (let one = all.shift(); one !== undefined; one = all.shift()) await failAndUpload(...one)
      }
      await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, uploadRest))
      const read = await running.call('documents_list')
      if (read.isRefused) faults.push(`over ${transport}, the program does not answer: ${read.text}`)
      await running.end()
    }
    return faults
  },
}

export const downloads: Scenario = {
  name: 'the bucket fails in the middle of downloads',
  planted: [
    {
      file: 'storage/bucket/bucket.ts',
      find: 'part ??= await this.#getSame(first, name, next === start ? range : { start: next, end })',
      replace: 'part ??= await this.#getSame(first, name, range)',
    },
  ],
  async run(context) {
    const faults: string[] = []
    const { bucket, start } = await bucketSpace(context)
    const running = await start('serve')
    const pageId = idIn((await addDocument(running, 'Files')).text)
    const [size = 0] = SIZES
    const content = contentOf('download', size)
    const url = (await upload(running, pageId, 'download', content)).object?.assetUrl as string
    const download = async (headers: Record<string, string>): Promise<Buffer | string> => {
      try {
        const response = await fetch(url, { headers })
        const bytes = Buffer.from(await response.arrayBuffer())
        return response.ok ? bytes : `status ${response.status}`
      } catch (error) {
        return (error as Error).message
      }
    }
    const failAndDownload = async (how: (typeof FAILURES)[number], after: number): Promise<void> => {
      // A part is not compared with the SHA-256 of the file, which is verified before.
      for (const from of how === 'silence' || how === 'wrong bytes' ? [0] : [0, 1000]) {
        bucket.fail({ method: 'GET', how, after })
        const found = await download(from === 0 ? {} : { range: `bytes=${from}-` })
        const isWhole = Buffer.isBuffer(found) && found.equals(content.subarray(from))
        // Wrong bytes may also be an error, but never returned.
        if (isWhole || (how === 'wrong bytes' && !Buffer.isBuffer(found))) continue
        faults.push(`${how} at ${after}, from ${from}: ${Buffer.isBuffer(found) ? 'other bytes' : found}.`)
      }
    }
    for (const how of FAILURES) {
      const positions = positionsIn(size, how)
      if (how === 'silence') await Promise.all(positions.map((after) => failAndDownload(how, after)))
      else for (const after of positions) await failAndDownload(how, after)
    }
    await running.end()
    return faults
  },
}

export const swept: Scenario = {
  name: 'the bucket fails while it is swept',
  planted: [
    {
      file: 'storage/postgres/bucket-file-bytes.ts',
      find: 'query(FORGET, [deleted])',
      replace: 'query(FORGET, [objects])',
    },
  ],
  async run(context) {
    const faults: string[] = []
    const { bucket, database, start } = await bucketSpace(context)
    let running = await start('serve')
    const pageId = idIn((await addDocument(running, 'Files')).text)
    const kept = contentOf('kept', 1000)
    await upload(running, pageId, 'kept', kept)
    // All attempts fail after the bytes are stored, so that objects are left which no file has.
    for (let index = 0; index < 3; index++) {
      const content = contentOf(`left ${index}`, 1000)
      bucket.fail({ method: 'PUT', how: 'status 500', after: 1000, times: 5, name: sha256(content) })
      const { isRefused } = await upload(running, pageId, `left ${index}`, content)
      if (!isRefused) faults.push('an upload was acknowledged that the bucket did not confirm.')
    }
    const left = [...bucket.objects.keys()].filter((name) => bucket.objects.get(name)?.equals(kept) === false)
    if (left.length !== 3) faults.push(`expected 3 objects that no file has, found ${left.length}.`)
    const [space = ''] = (left[0] ?? '').split('/')
    const due = "SET delete_after = now() - interval '1 minute'"
    database.run(`UPDATE unreferenced_object ${due} WHERE object LIKE '${space}/%'`)
    bucket.fail({ method: 'DELETE', how: 'status 403', after: 0, name: left[0] ?? '' })
    for (const how of ['status 500', 'cut connection', 'silence'] as const) {
      bucket.fail({ method: 'DELETE', how, after: 0, name: left[1] ?? '' })
    }
    // One sweep meets the refusal, the next one deletes the rest.
    for (let opening = 0; opening < 2; opening++) {
      await running.end()
      running = await start('serve')
      await running.call('documents_list')
      const until = performance.now() + PATIENCE * 1000
      while (bucket.objects.size > (opening === 0 ? 2 : 1) && performance.now() < until) await delay(50)
    }
    const remaining = [...bucket.objects.values()]
    if (!remaining.some((object) => object.equals(kept))) faults.push('the object of a file was deleted.')
    if (remaining.length > 1) faults.push(`${remaining.length - 1} objects that no file has were never deleted.`)
    await running.end()
    return faults
  },
}
