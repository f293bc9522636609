/** Files that requests send for imports. They are stored on disk, in a folder of their own. */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Log, tryAndLog } from '../../base/background.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import { formatNumber } from '../../base/format-number.ts'
import { IMPORT_ZIP_BYTES } from '../../base/limits.ts'
import type { Upload } from './import-runs.ts'

/**
 * Stores what `write` sends. Of a failure nothing is left.
 *
 * @param write  called with the function that stores the bytes
 * @throws PAYLOAD_TOO_LARGE; errors of `write`
 */
export async function receiveUpload(
  log: Log,
  write: (store: (bytes: AsyncIterable<Uint8Array>) => Promise<void>) => Promise<void>,
): Promise<Upload> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-import-'))
  const release = () => removeFolder(folder, log)
  const path = join(folder, 'import.zip')
  try {
    await write((bytes) => pipeline(bounded(bytes), createWriteStream(path, { flags: 'wx', mode: 0o600 })))
    return { path, release }
  } catch (error) {
    await release()
    throw error
  }
}

async function* bounded(bytes: AsyncIterable<Uint8Array>) {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.byteLength
    if (size > IMPORT_ZIP_BYTES) throw tooLarge()
    yield chunk
  }
}

/** @throws PAYLOAD_TOO_LARGE before anything is read, if the request says that it is too large */
export function assertUploadSize(request: Request): void {
  if (Number(request.headers.get('content-length') ?? 0) > IMPORT_ZIP_BYTES) throw tooLarge()
}

const tooLarge = () =>
  new ScriptoriumError(
    'PAYLOAD_TOO_LARGE',
    `Expected a file of at most ${formatNumber(IMPORT_ZIP_BYTES)} bytes, found more; import parts of it, or run \`scriptorium import\` where the space is.`,
  )

/** What is left of a folder that cannot be removed is logged, since the request itself has succeeded or failed. */
export const removeFolder = (folder: string, log: Log): Promise<void> =>
  tryAndLog(`remove the folder ${folder}`, () => rm(folder, { recursive: true, force: true }), log)
