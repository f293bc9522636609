/** Prepares an uploaded file: its bytes, name and type. */
import { SizeLimitExceeded, type WrittenFile } from '../../../storage/bytes/file-bytes.ts'
import { openLocalFile } from '../../../storage/bytes/local-files.ts'
import { invalid, ScriptoriumError } from '../../base/errors.ts'
import { formatNumber } from '../../base/format-number.ts'
import { FILE_NAME_LENGTH, INLINE_FILE_BYTES } from '../../base/limits.ts'
import { validateMediaType } from '../content/media-type.ts'
import type { Position } from '../model/positions.ts'
import type { PrepareContext } from '../model/prepare-context.ts'
import { type DetectedType, detectType } from './detect-type.ts'

export interface FileInput {
  position: Position
  fileName?: string | undefined
  mimeType?: string | undefined
  text?: string | undefined
  data?: string | undefined
  path?: string | undefined
  /** The secret in the address that the file was uploaded to. */
  ticket?: string | undefined
}

/**
 * A file whose bytes are on disk but not part of the space yet. Without `file`, the client asks for an address to
 * upload the bytes to.
 */
export interface PreparedFile {
  input: FileInput
  /** `title` is the name that the client gave, if any. `name` is used in the address of the file. */
  file?: { written: WrittenFile; name: string; title: string | undefined; detected: DetectedType }
  [Symbol.asyncDispose](): Promise<void>
}

interface FileSource {
  bytes: AsyncIterable<Uint8Array>
  name: string | undefined
  /** The declared media type. */
  mimeType: string | undefined
}

/**
 * @throws VALIDATION_ERROR if the name is invalid, the file is empty, the call gives several sources, or the path may
 *   not be read; UNSUPPORTED_MEDIA_TYPE; PAYLOAD_TOO_LARGE
 */
export async function prepareFile(input: FileInput, context: PrepareContext): Promise<PreparedFile> {
  if (input.fileName !== undefined) validateFileName(input.fileName)
  if (input.mimeType !== undefined) validateMediaType(input.mimeType)
  const source = await resolveSource(input, context)
  if (source === undefined) return { input, [Symbol.asyncDispose]: async () => {} }
  const written = await writeBytes(source.bytes, context)
  try {
    if (written.size === 0) throw invalid('Expected a file with content, found an empty one; send its bytes.')
    const detected = await detectType(source.mimeType, written.head)
    const title = input.fileName ?? source.name
    const name = title ?? `${detected.type}.${detected.extension}`
    return { input, file: { written, name, title, detected }, [Symbol.asyncDispose]: () => written.discard() }
  } catch (error) {
    await written.discard()
    throw error
  }
}

async function writeBytes(
  bytes: AsyncIterable<Uint8Array>,
  { files, fileLimit }: PrepareContext,
): Promise<WrittenFile> {
  let isCutOff = false
  async function* trackReadErrors() {
    try {
      yield* bytes
    } catch (error) {
      isCutOff = true
      throw error
    }
  }
  try {
    return await files.write(trackReadErrors(), fileLimit)
  } catch (error) {
    if (error instanceof SizeLimitExceeded) throw tooLargeError(fileLimit)
    // Only failures to read the input are the client's fault. Failures of the disk are thrown unchanged.
    throw isCutOff && !(error instanceof ScriptoriumError) ? truncatedFileError() : error
  }
}

const tooLargeError = (limit: number) =>
  new ScriptoriumError(
    'PAYLOAD_TOO_LARGE',
    `Expected a file of at most ${formatMebibytes(limit)} MiB, found more; nothing was kept.`,
  )

const truncatedFileError = () =>
  invalid('Expected a whole file, found one that was cut off; nothing was kept, send it again.')
/** In MiB, as the limit of a file is set. */
const formatMebibytes = (bytes: number): string => formatNumber(Math.round((bytes / 1024 / 1024) * 10) / 10)

async function resolveSource(
  input: FileInput,
  { body, folders, space, fileLimit }: PrepareContext,
): Promise<FileSource | undefined> {
  const { text, data, path, fileName, mimeType } = input
  const provided = Object.entries({ text, data, path, 'a body': body }).filter(([, value]) => value !== undefined)
  if (provided.length > 1) {
    const found = provided.map(([key]) => key).join(' and ')
    throw invalid(`Expected one of text, data and path, found ${found}; give the bytes once.`)
  }
  if (text !== undefined)
    return { bytes: singleChunk(Buffer.from(text)), name: fileName, mimeType: mimeType ?? 'text/plain' }
  if (data !== undefined) return { bytes: singleChunk(decodeBase64(data)), name: fileName, mimeType }
  if (path !== undefined) {
    if (folders === undefined) {
      throw invalid('Expected text or data on a connection over HTTP, found a path; send the bytes themselves.')
    }
    const { name, stream } = await openLocalFile(path, folders, space)
    return { bytes: stream, name: fileName ?? sanitizeFileName(name), mimeType }
  }
  if (body === undefined) return undefined
  const type = body.mediaType ?? mimeType
  if (type === undefined) {
    throw unsupportedMediaType(
      'Expected the type of the file as Content-Type, found none; application/octet-stream will do.',
    )
  }
  validateMediaType(type)
  // Reject a body that is too large before reading it.
  if ((body.size ?? 0) > fileLimit) throw tooLargeError(fileLimit)
  return { bytes: body.stream, name: fileName, mimeType: type }
}

async function* singleChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function decodeBase64(data: string): Uint8Array {
  const plain = data.replace(/^data:[^,]*;base64,/, '').replace(/\s+/g, '')
  if (!isBase64(plain)) {
    throw invalid('Expected data as base64, found characters that are none; encode the bytes, or give text.')
  }
  const bytes = Buffer.from(plain, 'base64')
  if (bytes.byteLength <= INLINE_FILE_BYTES) return bytes
  throw new ScriptoriumError(
    'PAYLOAD_TOO_LARGE',
    `Expected data of at most ${formatMebibytes(INLINE_FILE_BYTES)} MiB, found ${formatMebibytes(bytes.byteLength)}; leave data out for an address that takes larger files.`,
  )
}

/** Uses only simple character classes, since V8 overflows its stack on a group that is repeated a million times. */
function isBase64(text: string): boolean {
  const letters = text.replace(/={1,2}$/, '')
  const padding = text.length - letters.length
  const isWhole = letters.length % 4 !== 1 && (padding === 0 || text.length % 4 === 0)
  return isWhole && !/[^A-Za-z0-9+/_-]/.test(letters)
}

const unsupportedMediaType = (message: string) => new ScriptoriumError('UNSUPPORTED_MEDIA_TYPE', message)

/**
 * Characters that are invalid in file names, or that make a name look like another: a right-to-left override displays
 * `gpj.exe` as `exe.jpg`.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN_CHARACTERS = /[\u0000-\u001f\u007f/\\\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** @throws VALIDATION_ERROR if the name could be read as a path or mistaken for another name */
function validateFileName(name: string): void {
  const [found] = FORBIDDEN_CHARACTERS.exec(name) ?? []
  if (found !== undefined) {
    const code = found.codePointAt(0)?.toString(16).padStart(4, '0').toUpperCase()
    throw invalid(`Expected a file name without slashes and invisible characters, found U+${code} in it; leave it out.`)
  }
  if (name === '.' || name === '..') throw invalid(`Expected a file name, found ${name}; name the file.`)
  if (name.length > FILE_NAME_LENGTH) {
    throw invalid(`Expected a file name of at most ${FILE_NAME_LENGTH} characters, found ${name.length}; shorten it.`)
  }
}

/** Turns the name of a local file into one that blocks may have. */
const sanitizeFileName = (name: string): string =>
  name.replace(new RegExp(FORBIDDEN_CHARACTERS, 'g'), '').slice(0, FILE_NAME_LENGTH) || 'file'
