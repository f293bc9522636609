/** Forms with a file, as browsers send them, in chunks of any size. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMultipartForm } from '../../src/http/multipart-form.ts'
import { runs } from '../support/runs.ts'

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

/** @param size  of the chunks in which it arrives */
async function readBack(form: FormData, size: number) {
  const request = new Response(form)
  const bytes = new Uint8Array(await request.arrayBuffer())
  const files: { name: string; bytes: Buffer; before: [string, string][] }[] = []
  const type = request.headers.get('content-type') ?? ''
  const fields = await readMultipartForm(inChunks(bytes, size), type, async (name, before, file) => {
    const parts: Uint8Array[] = []
    for await (const part of file) parts.push(part)
    files.push({ name, bytes: Buffer.concat(parts), before: [...before] })
  })
  return { fields: [...fields], files }
}

/** Bytes in which boundaries almost occur. */
const bytesOf = fc
  .array(fc.oneof(fc.constantFrom('\r\n--', '\r\n', '--', '\r', '-'), fc.string({ unit: 'binary', maxLength: 6 })))
  .map((parts) => new TextEncoder().encode(parts.join('')))

test('fields and the file come out as they went in', async () => {
  const law = fc.asyncProperty(
    fc.array(fc.tuple(fc.string({ minLength: 1 }).filter(isOneLine), fc.string().filter(isOneLine)), { maxLength: 4 }),
    bytesOf,
    fc.integer({ min: 1, max: 60 }),
    async (fields, bytes, size) => {
      const form = new FormData()
      for (const [name, value] of fields) form.append(name, value)
      form.append('file', new Blob([bytes]), 'Notes "é".zip')
      form.append('after', '1')
      const read = await readBack(form, size)
      expect(read.fields).toEqual([...fields, ['after', '1']])
      expect(read.files).toEqual([{ name: 'Notes "é".zip', bytes: Buffer.from(bytes), before: fields }])
    },
  )
  await fc.assert(law, { numRuns: runs(30, 2_000) })
})

/** Forms change line breaks, and write them in names as `%0D`. */
const isOneLine = (text: string): boolean => !/[\r\n]|%(?:22|0D|0A)/i.test(text) && text.isWellFormed()

test('what is no such form is refused', async () => {
  const read = (text: string, type = 'multipart/form-data; boundary=x') =>
    readMultipartForm(inChunks(Buffer.from(text), 7), type, async (_name, _fields, bytes) => {
      for await (const _ of bytes);
    }).catch((error: Error) => error.message)
  expect(await read('', 'multipart/form-data')).toBe(
    'Expected a form with a boundary, found none; send it as a browser does.',
  )
  const part = (name: string) => `--x\r\nContent-Disposition: form-data; ${name}\r\n\r\nabc\r\n`
  const cutOff = 'Expected a whole form, found one that was cut off; send it again.'
  expect(await read(part('name="a"'))).toBe(cutOff)
  expect(await read(`${part('name="a"; filename="b"')}--`)).toBe(cutOff)
  expect(await read(`${part('name="a"; filename="b"').repeat(2)}--x--`)).toBe(
    'Expected a form with one file, found several; send a zip of them.',
  )
  expect(await read(`--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'a'.repeat(65_537)}\r\n--x--`)).toBe(
    'Expected a form with short fields, found one that is too long; send less.',
  )
  for (const many of ['name="a"', 'name="a"; filename=""']) {
    const empty = part(many).replace('abc', '')
    expect(await read(`${empty.repeat(1_101)}--x--`)).toBe('Expected a form with at most 1100 fields, found more.')
  }
})
