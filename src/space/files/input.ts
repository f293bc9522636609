/** What is brought in as a file: its bytes, its name, and what it is. */
import type { Written } from '../../../storage/file-store.ts'
import { TooMuch } from '../../../storage/file-store.ts'
import { openLocal } from '../../../storage/local-files.ts'
import { invalid, ScriptoriumError } from '../../errors.ts'
import { DATA_BYTES, FILE_NAME_LENGTH } from '../../limits.ts'
import type { Beside } from '../beside.ts'
import type { Position } from '../positions.ts'
import { type Judged, judge } from './judge.ts'

export interface FileInput {
  position: Position
  fileName?: string | undefined
  mimeType?: string | undefined
  text?: string | undefined
  data?: string | undefined
  path?: string | undefined
  /** The secret of the address at which the file was sent. */
  ticket?: string | undefined
}

/** A file whose bytes are on the disk, and not yet anyone's; without bytes an address for them is wanted. */
export interface ReadyFile {
  input: FileInput
  file?: { written: Written; name: string; judged: Judged }
  [Symbol.asyncDispose](): Promise<void>
}

interface Source {
  bytes: AsyncIterable<Uint8Array>
  name: string | undefined
  /** What it is said to be. */
  mimeType: string | undefined
}

/**
 * @throws VALIDATION_ERROR for a name that is none, no bytes, several sources, or a path that may not be read;
 *   UNSUPPORTED_MEDIA_TYPE; PAYLOAD_TOO_LARGE
 */
export async function prepareFile(input: FileInput, beside: Beside): Promise<ReadyFile> {
  if (input.fileName !== undefined) checkName(input.fileName)
  if (input.mimeType !== undefined) checkType(input.mimeType)
  const source = await sourceOf(input, beside)
  if (source === undefined) return { input, [Symbol.asyncDispose]: async () => {} }
  const written = await write(source.bytes, beside)
  try {
    if (written.size === 0) throw invalid('Expected a file with content, found an empty one; send its bytes.')
    const judged = await judge(source.mimeType, written.head)
    const name = input.fileName ?? source.name ?? `${judged.type}.${judged.extension}`
    return { input, file: { written, name, judged }, [Symbol.asyncDispose]: () => written.discard() }
  } catch (error) {
    await written.discard()
    throw error
  }
}

async function write(bytes: AsyncIterable<Uint8Array>, { files, fileLimit }: Beside): Promise<Written> {
  let isCutOff = false
  async function* watched() {
    try {
      yield* bytes
    } catch (error) {
      isCutOff = true
      throw error
    }
  }
  try {
    return await files.write(watched(), fileLimit)
  } catch (error) {
    if (error instanceof TooMuch) throw tooLarge(fileLimit)
    // A disk that fails is no fault of who sent the file.
    throw isCutOff && !(error instanceof ScriptoriumError) ? cutOff() : error
  }
}

const tooLarge = (limit: number) =>
  new ScriptoriumError(
    'PAYLOAD_TOO_LARGE',
    `Expected a file of at most ${mebibytes(limit)} MiB, found more; nothing was kept.`,
  )

const cutOff = () => invalid('Expected a whole file, found one that was cut off; nothing was kept, send it again.')
const mebibytes = (bytes: number): string => String(Math.round((bytes / 1024 / 1024) * 10) / 10)

async function sourceOf(input: FileInput, { body, folders, space, fileLimit }: Beside): Promise<Source | undefined> {
  const { text, data, path, fileName, mimeType } = input
  const given = Object.entries({ text, data, path, 'a body': body }).filter(([, value]) => value !== undefined)
  if (given.length > 1) {
    const found = given.map(([key]) => key).join(' and ')
    throw invalid(`Expected one of text, data and path, found ${found}; give the bytes once.`)
  }
  if (text !== undefined) return { bytes: once(Buffer.from(text)), name: fileName, mimeType: mimeType ?? 'text/plain' }
  if (data !== undefined) return { bytes: once(decode(data)), name: fileName, mimeType }
  if (path !== undefined) {
    if (folders === undefined) {
      throw invalid('Expected text or data on a connection over HTTP, found a path; send the bytes themselves.')
    }
    const { name, stream } = await openLocal(path, folders, space)
    return { bytes: stream, name: fileName ?? cleaned(name), mimeType }
  }
  if (body === undefined) return undefined
  const type = body.mediaType ?? mimeType
  if (type === undefined) {
    throw unsupported('Expected the type of the file as Content-Type, found none; application/octet-stream will do.')
  }
  checkType(type)
  // What is too large is not waited for.
  if ((body.size ?? 0) > fileLimit) throw tooLarge(fileLimit)
  return { bytes: body.stream, name: fileName, mimeType: type }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function decode(data: string): Uint8Array {
  const plain = data.replace(/^data:[^,]*;base64,/, '').replace(/\s+/g, '')
  if (!isBase64(plain)) {
    throw invalid('Expected data as base64, found characters that are none; encode the bytes, or give text.')
  }
  const bytes = Buffer.from(plain, 'base64')
  if (bytes.byteLength <= DATA_BYTES) return bytes
  throw new ScriptoriumError(
    'PAYLOAD_TOO_LARGE',
    `Expected data of at most ${mebibytes(DATA_BYTES)} MiB, found ${mebibytes(bytes.byteLength)}; leave data out for an address that takes larger files.`,
  )
}

/** Of one class after another, since a group repeated a million times ends V8's stack. */
function isBase64(text: string): boolean {
  const letters = text.replace(/={1,2}$/, '')
  const padding = text.length - letters.length
  const isWhole = letters.length % 4 !== 1 && (padding === 0 || text.length % 4 === 0)
  return isWhole && !/[^A-Za-z0-9+/_-]/.test(letters)
}

const TYPE = /^[a-z0-9!#$&^_.+-]{1,64}\/[a-z0-9!#$&^_.+-]{1,64}$/
/** What clients send when nobody told them the type. */
const FORMS: ReadonlySet<string> = new Set(['application/x-www-form-urlencoded', 'multipart/form-data'])

function checkType(type: string): void {
  if (TYPE.test(type.toLowerCase()) && !FORMS.has(type.toLowerCase())) return
  throw unsupported(
    `Expected the type of the file such as image/png, found ${type.slice(0, 60)}; application/octet-stream will do.`,
  )
}

const unsupported = (message: string) => new ScriptoriumError('UNSUPPORTED_MEDIA_TYPE', message)

/** Characters that no name of a file has, or that make it read as another: `gpj.exe` from right to left. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN = /[\u0000-\u001f\u007f/\\\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** @throws VALIDATION_ERROR for a name that could be read as a path, or as another name */
function checkName(name: string): void {
  const [found] = FORBIDDEN.exec(name) ?? []
  if (found !== undefined) {
    const code = found.codePointAt(0)?.toString(16).padStart(4, '0').toUpperCase()
    throw invalid(`Expected a file name without slashes and invisible characters, found U+${code} in it; leave it out.`)
  }
  if (name === '.' || name === '..') throw invalid(`Expected a file name, found ${name}; name the file.`)
  if (name.length > FILE_NAME_LENGTH) {
    throw invalid(`Expected a file name of at most ${FILE_NAME_LENGTH} characters, found ${name.length}; shorten it.`)
  }
}

/** A name that this machine's files have, as a block may have it. */
const cleaned = (name: string): string =>
  name.replace(new RegExp(FORBIDDEN, 'g'), '').slice(0, FILE_NAME_LENGTH) || 'file'
