/** The bucket of `--files-bucket`. */
import type { Bucket } from '../../storage/bucket/bucket.ts'

let opening: Promise<Bucket> | undefined

/**
 * The bucket for all spaces of the process, checked on first use. Idle connections to it do not keep the process
 * running.
 *
 * @throws VALIDATION_ERROR if credentials are missing, or if writing, reading or deleting fails
 */
export const openFilesBucket = (address: string): Promise<Bucket> => (opening ??= openChecked(address))

async function openChecked(address: string): Promise<Bucket> {
  const { parseBucketAddress, readBucketCredentials } = await import('../../storage/bucket/bucket-address.ts')
  const { Bucket } = await import('../../storage/bucket/bucket.ts')
  const bucket = new Bucket(parseBucketAddress(address), readBucketCredentials())
  await bucket.check()
  return bucket
}
