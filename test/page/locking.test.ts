/** People lock documents against changes by agents on their pages, and unlock them there. */
import { beforeEach, expect, test } from 'vitest'
import { documentBy, type Serving, type TestLink } from '../http/serving.ts'
import { servePages, textOf, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

let serving: Serving
let visitor: Visitor
let robot: TestLink
let plan: string

beforeEach(async () => {
  serving = await servePages()
  visitor = await visitAsOperator(serving)
  robot = await serving.link({ name: 'Robot' })
  plan = await documentBy({ ask: (line, body) => robot.ask(`${line}?ids=short`, body) }, 'First words.', 'Plan')
})

const add = (markdown: string, link = robot) =>
  link.ask('POST /blocks?ids=short', { markdown, position: { position: 'end', pageId: plan } })

test('an agent is refused until a person unlocks it; people go on writing', async () => {
  const locked = await visitor.press(await visitor.get(`/d/${plan}`), 'Lock against agents')
  expect(textOf(locked)).toContain('Locked. Agents can read it, and change nothing in it until you unlock it.')
  expect(textOf(locked)).toMatch(/Locked by \S+/)
  expect((await add('one')).json).toMatchObject({
    code: 'DOCUMENT_LOCKED',
    error: expect.stringMatching(/^Expected a document that agents may change, found \d{12}, which \S+ has locked/),
  })
  const trashed = await visitor.post(`/d/${plan}/trash`)
  expect(trashed.status).toBe(303)
  await visitor.post('/trash/restore', { document: plan, documentId: plan, id: plan })
  const unlocked = await visitor.press(await visitor.get(`/d/${plan}`), 'Unlock for agents')
  expect(textOf(unlocked)).toContain('Agents may change it again.')
  expect(textOf(unlocked)).not.toContain('Locked by')
  expect((await add('two')).status).toBe(200)
})

test('a proposal made before is not carried out while it is locked', async () => {
  const proposer = await serving.link({ name: 'Proposer', access: 'propose' })
  await add('proposed', proposer)
  await visitor.press(await visitor.get(`/d/${plan}`), 'Lock against agents')
  const waiting = await visitor.get('/waiting')
  const approved = await visitor.press(waiting, 'Approve')
  expect(textOf(approved)).toContain('has locked')
  expect(
    (await robot.ask(`GET /blocks?id=${plan}&ids=short`, undefined, { accept: 'text/markdown' })).text,
  ).not.toContain('proposed')
})

test('who may only read has no button for it, and no form of another site locks', async () => {
  const reader = await visitByLink(serving, { access: 'read' })
  expect((await reader.get(`/d/${plan}`)).text).not.toContain('Lock against agents')
  expect((await reader.post(`/d/${plan}/lock`, { locked: 'yes' })).status).toBeGreaterThanOrEqual(400)
  expect((await visitor.post(`/d/${plan}/lock`, { locked: 'yes' }, { origin: 'https://evil.example' })).status).toBe(
    403,
  )
  expect((await add('one')).status).toBe(200)
})

test('somebody who uses the pages by a link locks in their name', async () => {
  const anna = await visitByLink(serving, { name: 'Anna' })
  await anna.post(`/d/${plan}/lock`, { locked: 'yes' })
  expect(textOf(await visitor.get(`/d/${plan}`))).toContain('Locked by Anna')
})
