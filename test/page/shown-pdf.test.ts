/** PDF files that are shown in the browser: what may be framed, by whom, and what is saved instead. */
import { beforeEach, expect, test } from 'vitest'
import type { Serving } from '../http/serving.ts'
import { type Program, program } from './sample-space.ts'
import { servePages, type Visited, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

let serving: Serving
let visitor: Visitor
let anna: Program
let plan: string
beforeEach(async () => {
  serving = await servePages()
  visitor = await visitAsOperator(serving)
  anna = program(serving.space, 'anna')
  plan = (await anna('documents_add', { documents: [{ title: 'Plan', markdown: 'one' }] })).items[0].id
})

const PDF = '%PDF-1.4\n%%EOF'
/** @returns the path of the file on the pages */
async function addFile(content: string, mimeType = 'application/pdf', fileName = 'quay.pdf'): Promise<string> {
  const { assetUrl } = await anna('files_add', {
    ...{ position: { position: 'end', pageId: plan }, fileName, mimeType },
    data: Buffer.from(content).toString('base64'),
  })
  return `/files/${assetUrl.split('/').at(-1)}/${fileName}`
}

const policyOf = ({ headers }: Visited | Response) => headers.get('content-security-policy') ?? ''
const isSaved = ({ headers }: Visited | Response) => headers.get('content-disposition')?.startsWith('attachment')

test('a PDF is offered with its card, and is shown only where it is asked for', async () => {
  const path = await addFile(PDF)
  const { text } = await visitor.get(`/d/${plan}`)
  expect(text).toMatch(new RegExp(`<a class="button" href="[^"]*${path}\\?show" [^>]*data-pdf="quay.pdf">Show</a>`))
  expect(text).not.toMatch(/<iframe|<embed|<object/)
  const shown = await visitor.get(`${path}?show`)
  expect(shown.status).toBe(200)
  expect(shown.headers.get('content-type')).toBe('application/pdf')
  expect(shown.headers.get('content-disposition')).toMatch(/^inline;/)
  expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
  expect(policyOf(shown)).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  )
  expect(shown.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  const part = await visitor.get(`${path}?show`, { range: 'bytes=0-3' })
  expect([part.status, part.text]).toEqual([206, '%PDF'])
  const saved = await visitor.get(path)
  expect(isSaved(saved)).toBe(true)
  expect(policyOf(saved)).toBe("default-src 'none'; sandbox")
})

test.each([
  ['text that is named a PDF', '<script>alert(1)</script>', 'application/pdf'],
  ['what begins as a PDF later', `\n${PDF}`, 'application/pdf'],
  ['less than its beginning', '%PD', 'application/pdf'],
  ['the bytes of a PDF with another type', PDF, 'application/zip'],
])('%s is saved', async (_, content, type) => {
  const saved = await visitor.get(`${await addFile(content, type)}?show`)
  expect(saved.status).toBe(200)
  expect(isSaved(saved)).toBe(true)
  expect(policyOf(saved)).toBe("default-src 'none'; sandbox")
})

test('a film is read in parts', async () => {
  const path = await addFile('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'video/mp4', 'sea.mp4')
  const { text } = await visitor.get(`/d/${plan}`)
  expect(text).toMatch(
    new RegExp(`<video src="[^"]*${path.slice(0, path.lastIndexOf('/'))}[^"]*" controls preload="metadata"`),
  )
  const part = await visitor.get(path, { range: 'bytes=4-7' })
  expect([part.status, part.text]).toEqual([206, 'ftyp'])
  expect(part.headers.get('content-range')).toBe('bytes 4-7/24')
  expect(part.headers.get('content-disposition')).toMatch(/^inline;/)
  expect((await visitor.get(path, { range: 'bytes=24-' })).status).toBe(416)
})

test('pages frame files of their own space, and nothing else', async () => {
  const { origin, pathname } = new URL(visitor.base)
  for (const path of ['/', `/d/${plan}`]) {
    expect(policyOf(await visitor.get(path)).split('; ')).toEqual(
      expect.arrayContaining([`frame-src ${new URL(origin).host}${pathname}/files/`, "frame-ancestors 'none'"]),
    )
  }
  // A host that is none adds nothing to the policy.
  const odd = await visitor.get('/', { 'x-forwarded-host': "a; script-src 'unsafe-inline'" })
  expect(policyOf(odd)).not.toContain('unsafe-inline')
})

test('it needs the session and the reach of its reader, and addresses of agents show none', async () => {
  const path = await addFile(PDF)
  expect((await fetch(`${visitor.base}${path}?show`)).status).toBe(401)
  const other = (await anna('documents_add', { documents: [{ title: 'Other' }] })).items[0].id
  const narrow = await visitByLink(serving, { kind: 'selected', documents: [other] })
  expect((await narrow.get(`${path}?show`)).status).toBe(404)
})
