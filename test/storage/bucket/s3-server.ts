/** A small S3-compatible server for tests, with a folder of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Bucket } from '../../../storage/bucket/bucket.ts'
import { parseBucketAddress } from '../../../storage/bucket/bucket-address.ts'
import { REQUEST_LIMITS } from '../../../storage/bucket/signed-request.ts'

interface Server {
  run(): Promise<AddressInfo>
  close(): Promise<void>
  httpServer: { closeAllConnections(): void }
}
// The package has no type declarations.
const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => Server

/** The only credentials that the server accepts. */
export const CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', region: 'us-east-1' }
/** Short time limits, for tests of failures. */
export const SHORT_LIMITS = { ...REQUEST_LIMITS, connect: 500, silence: 100, whole: 500, pause: 5 }

export interface S3Server {
  url: string
  /** Opens the bucket `files`. */
  open(prefix: string): Bucket
  /** The folder in which the server stores the objects of the bucket. It adds a suffix of its own to their names. */
  folder: string
  stop(): Promise<void>
}

export async function startS3(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    vhostBuckets: false,
    configureBuckets: [{ name: 'files' }],
  })
  const { port } = await server.run()
  const url = `http://127.0.0.1:${port}`
  const opened: Bucket[] = []
  return {
    url,
    folder: join(folder, 'files'),
    open(prefix) {
      const bucket = new Bucket(parseBucketAddress(`${url}/files/${prefix}`), CREDENTIALS)
      opened.push(bucket)
      return bucket
    },
    async stop() {
      for (const bucket of opened) bucket.close()
      server.httpServer.closeAllConnections()
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
