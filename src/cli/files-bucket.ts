/** The bucket of `--files-bucket`. */
import type { Bucket } from '../../storage/bucket/bucket.ts'

let opening: Promise<Bucket> | undefined

/**
 * One for all spaces of the process, checked when it is first asked for. Idle connections to it keep no process running.
 *
 * @throws VALIDATION_ERROR where credentials are missing, or it cannot be written, read and deleted in
 */
export const openFilesBucket = (address: string): Promise<Bucket> => (opening ??= openChecked(address))

async function openChecked(address: string): Promise<Bucket> {
  const { parseBucketAddress, readBucketCredentials } = await import('../../storage/bucket/bucket-address.ts')
  const { Bucket } = await import('../../storage/bucket/bucket.ts')
  const bucket = new Bucket(parseBucketAddress(address), readBucketCredentials())
  await bucket.check()
  return bucket
}
