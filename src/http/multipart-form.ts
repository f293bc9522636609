/**
 * Reads a form with a file (`multipart/form-data`, RFC 7578), as browsers send it:
 *
 *     --boundary
 *     Content-Disposition: form-data; name="token"
 *
 *     0a1b2c
 *     --boundary
 *     Content-Disposition: form-data; name="file"; filename="Notes.zip"
 *     Content-Type: application/zip
 *
 *     PK…
 *     --boundary--
 *
 * Fields are small and bounded. The file is never in memory as a whole.
 */
import { invalid } from '../base/errors.ts'
import { FORM_BYTES, FORM_FIELDS } from '../base/limits.ts'

/** Bytes of the headers of a part. */
const HEADER_BYTES = 8 * 1024
const LINE_BREAK = '\r\n'
const HEADER_END = Buffer.from(LINE_BREAK.repeat(2))
/** As long as RFC 2046 allows. */
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i

export const isMultipart = (headers: Headers): boolean =>
  /^multipart\/form-data\b/i.test(headers.get('content-type') ?? '')

/**
 * Called when the file of a form begins. Must read it to its end, or throw.
 *
 * @param name  as the browser sent it, without a path; never empty
 * @param fields  those before the file
 */
export type FileReceiver = (name: string, fields: URLSearchParams, bytes: AsyncIterable<Uint8Array>) => Promise<void>

/**
 * @param receive  called for the first file; a field without a chosen file is left out
 * @returns the fields
 * @throws VALIDATION_ERROR for what is no such form, or is too large; errors of `receive`
 */
export async function readMultipartForm(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  receive: FileReceiver,
): Promise<URLSearchParams> {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw invalid('Expected a form with a boundary, found none; send it as a browser does.')
  const parts = new DelimitedBytes(body)
  const mark = Buffer.from(`\r\n--${boundary}`)
  await readText(parts.until(mark), HEADER_BYTES)
  const fields = new URLSearchParams()
  let [left, hasFile] = [FORM_BYTES, false]
  for (let count = 1; (await parts.read(2)) === LINE_BREAK; count++) {
    // Parts without a chosen file count, too: a body without a length could go on with them forever.
    if (count > FORM_FIELDS) throw invalid(`Expected a form with at most ${FORM_FIELDS} fields, found more.`)
    const head = await readText(parts.until(HEADER_END), HEADER_BYTES)
    const name = parameterOf(head, 'name')
    const file = parameterOf(head, 'filename')
    if (file === undefined) {
      const text = await readText(parts.until(mark), left)
      left -= text.length
      fields.append(name ?? '', text)
    } else if (file === '') {
      // No file was chosen.
      await readText(parts.until(mark), 0)
    } else if (hasFile) {
      throw invalid('Expected a form with one file, found several; send a zip of them.')
    } else {
      hasFile = true
      await receive(file, fields, parts.until(mark))
    }
  }
  return fields
}

/** A parameter of `Content-Disposition`. Browsers write quotes and line breaks in it as `%22`, `%0D` and `%0A`. */
function parameterOf(head: string, name: string): string | undefined {
  const [disposition = ''] = /^content-disposition:.*$/im.exec(head) ?? []
  const value = new RegExp(`;\\s*${name}="([^"]*)"`, 'i').exec(disposition)?.[1]
  const plain = value?.replace(/%22|%0D|%0A/gi, (sign) => (sign === '%22' ? '"' : ' '))
  return name === 'filename' ? plain?.replace(/^.*[/\\]/s, '') : plain
}

/** @throws VALIDATION_ERROR for more bytes than these */
async function readText(bytes: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of bytes) {
    size += part.byteLength
    if (size > most) throw invalid('Expected a form with short fields, found one that is too long; send less.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

/** Reads bytes up to a mark. Keeps no more than the last chunk. */
class DelimitedBytes {
  readonly #source: AsyncIterator<Uint8Array>
  /** Begins with a line break, so that the first boundary looks like the others. */
  #rest: Buffer = Buffer.from(LINE_BREAK)

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The bytes before the mark, which is skipped. @throws VALIDATION_ERROR if it does not come */
  async *until(mark: Buffer): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = this.#rest.indexOf(mark)
      // The last bytes may be the beginning of the mark.
      const end = at === -1 ? Math.max(0, this.#rest.length - mark.length + 1) : at
      const part = this.#rest.subarray(0, end)
      this.#rest = this.#rest.subarray(at === -1 ? end : at + mark.length)
      if (part.length > 0) yield part
      if (at !== -1) return
      await this.#readMore()
    }
  }

  /** The next bytes as text. */
  async read(count: number): Promise<string> {
    while (this.#rest.length < count) await this.#readMore()
    const text = this.#rest.toString('latin1', 0, count)
    this.#rest = this.#rest.subarray(count)
    return text
  }

  async #readMore(): Promise<void> {
    const { done, value } = await this.#source.next()
    if (done === true) throw invalid('Expected a whole form, found one that was cut off; send it again.')
    this.#rest = Buffer.concat([this.#rest, value])
  }
}
