/** A person can approve only what the page has shown in full. */
import { beforeEach, expect, test } from 'vitest'
import { DIFF_LINES } from '../../src/base/limits.ts'
import { type Program, program } from './sample-space.ts'
import { offers, servePages, textOf, type Visited, type Visitor, visitAsOperator } from './visiting.ts'

let serving: Awaited<ReturnType<typeof servePages>>
let visitor: Visitor
let anna: Program
let research: Program
let plan: string

beforeEach(async () => {
  serving = await servePages()
  visitor = await visitAsOperator(serving)
  anna = program(serving.space, 'editor')
  research = program(serving.space, 'research', { author: 'Robot', access: 'propose' })
  const { items } = await anna('documents_add', { documents: [{ title: 'Plan', markdown: 'Permits take six weeks.' }] })
  plan = items[0].id
})

/** Proposes so many lines of code. @returns the ID of the proposal */
async function propose(count: number): Promise<string> {
  const code = Array.from({ length: count }, (_, index) => `line ${index}`).join('\n')
  const markdown = `\`\`\`\n${code}\n\`\`\``
  return (await research('blocks_add', { markdown, position: { position: 'end', pageId: plan } })).proposal.proposalId
}

const linesOn = (page: Visited): number[] =>
  [...textOf(page).matchAll(/Added: line (\d+)/g)].map(([, line]) => Number(line))
const hrefOf = ({ text }: Visited, content: string): string =>
  new RegExp(`<a\\b[^>]*href="[^"]*?/view/[^/]+([^"]*)"[^>]*>${content}</a>`)
    .exec(text)?.[1]
    ?.replaceAll('&amp;', '&') ?? ''
const blocksIn = async () => (await anna('blocks_get', { id: plan })).content.length

test('a long proposal is shown part by part, and can be approved after the last one', async () => {
  const count = 2 * DIFF_LINES + 5
  const id = await propose(count)
  const seen: number[] = []
  let page = await visitor.get(`/waiting/${id}`)
  for (let parts = 1; ; parts++) {
    seen.push(...linesOn(page))
    if (parts === 3) break
    expect(offers(page, 'Approve')).toBe(false)
    expect(page.text).not.toContain('name="fingerprint"')
    expect(textOf(page)).toContain(parts === 1 ? '2 more parts to read' : 'one more part to read')
    page = await visitor.get(hrefOf(page, 'Next part'))
  }
  expect(seen).toEqual(Array.from({ length: count }, (_, index) => index))
  await visitor.press(page, 'Approve')
  expect(await blocksIn()).toBe(2)
})

test('a card that shows the beginning leads to the rest, and offers nothing else', async () => {
  await propose(300)
  for (const path of ['/activity', '/waiting']) {
    const page = await visitor.get(path)
    expect(offers(page, 'Approve'), path).toBe(false)
    expect(page.text, path).not.toContain('name="fingerprint"')
    expect(textOf(page), path).toContain('This is only the beginning.')
    expect(linesOn(page).length).toBeLessThan(300)
    const whole = await visitor.get(hrefOf(page, 'Read all of it'))
    expect(linesOn(whole), path).toHaveLength(300)
    expect(offers(whole, 'Approve')).toBe(true)
  }
})

test('a card in the panel that shows everything can be approved there', async () => {
  await propose(3)
  const page = await visitor.get('/activity')
  expect(linesOn(page)).toEqual([0, 1, 2])
  await visitor.press(page, 'Approve')
  expect(await blocksIn()).toBe(2)
})

test('all proposals of an agent can be approved at once only if each is shown in full', async () => {
  await propose(1)
  await propose(2)
  expect(offers(await visitor.get('/waiting'), 'Approve all 2 of research')).toBe(true)
  await propose(300)
  const page = await visitor.get('/waiting')
  expect(page.text).not.toContain('Approve all')
  expect(offers(page, 'Approve')).toBe(true)
})

test('an edited proposal is shown part by part as well, and begins again if something changed in between', async () => {
  const id = await propose(DIFF_LINES + 5)
  const form = await visitor.get(`/waiting/${id}/edit`)
  const first = await visitor.press(form, 'Show what it changes')
  expect(offers(first, 'Approve as edited')).toBe(false)
  expect(linesOn(first)[0]).toBe(0)
  const last = await visitor.press(first, 'Next part')
  expect(linesOn(last).at(-1)).toBe(DIFF_LINES + 4)
  expect(offers(last, 'Approve as edited')).toBe(true)
  await anna('blocks_add', { markdown: 'Meanwhile', position: { position: 'end', pageId: plan } })
  expect(linesOn(await visitor.press(first, 'Next part'))[0]).toBe(0)
  // What it changes is the same as before, beside other lines.
  await visitor.press(last, 'Approve as edited')
  expect(await blocksIn()).toBe(3)
})

test('the text of an edited form counts, not that of the preview', async () => {
  const id = await propose(3)
  const shown = await visitor.press(await visitor.get(`/waiting/${id}/edit`), 'Show what it changes')
  const path = '0.arguments.markdown'
  const refused = await visitor.press(shown, 'Approve as edited', { [path]: 'Something else' })
  expect(refused.status).toBe(409)
  expect(await blocksIn()).toBe(1)
})

test('the beginning of a file is its name, and its text is read before it is added', async () => {
  const position = { position: 'end', pageId: plan }
  const { proposal } = await research('files_add', { text: 'rm -rf \u202etxt.', fileName: 'clean.sh', position })
  const page = await visitor.get(`/waiting/${proposal.proposalId}`)
  expect(textOf(page)).toContain('rm -rf U+202Etxt.')
  const bytes = await visitor.get(hrefOf(page, 'clean.sh'))
  expect([bytes.status, bytes.text]).toEqual([200, 'rm -rf \u202etxt.'])
  expect(bytes.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  await visitor.press(page, 'Approve')
  expect((await visitor.get(`/waiting/${proposal.proposalId}/files/0`)).status).toBe(404)
})

test('the text of a file is shown before an edited proposal is approved, and before one that changed meanwhile', async () => {
  const position = { position: 'end', pageId: plan }
  const { proposal } = await research('files_add', { text: 'rm -rf everything', fileName: 'clean.sh', position })
  const path = `/waiting/${proposal.proposalId}`
  const edited = await visitor.press(await visitor.get(`${path}/edit`), 'Show what it changes')
  for (const page of [edited, await visitor.get(`${path}?now=1`)]) {
    expect(textOf(page)).toContain('rm -rf everything')
    expect(hrefOf(page, 'clean.sh')).toBe(`${path}/files/0/clean.sh`)
  }
})

test('the whole of a long change of the past is read part by part', async () => {
  const id = await propose(DIFF_LINES + 5)
  const page = await visitor.get(hrefOf(await visitor.get(`/waiting/${id}`), 'Next part'))
  await visitor.press(page, 'Approve')
  const { items } = await anna('history_list', { limit: 1 })
  const first = await visitor.get(`/calls/${items[0].callId}`)
  const second = await visitor.get(hrefOf(first, 'Next part'))
  expect([...linesOn(first), ...linesOn(second)]).toHaveLength(DIFF_LINES + 5)
  expect(hrefOf(second, 'Next part')).toBe('')
})
