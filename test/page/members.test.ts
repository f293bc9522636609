/** Members on the pages: who there is, what agents do, and forms for handles and pictures. */
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { addAccessLink } from '../../src/auth/access-links/access-links.ts'
import { addGroup } from '../../src/space/members/groups.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { addParticipant } from '../../src/space/participants/participants.ts'
import { lastCall } from '../../storage/history.ts'
import { statement } from '../../storage/statement.ts'
import { documentBy, type Serving, type TestLink } from '../http/serving.ts'
import { program } from './sample-space.ts'
import { servePages, textOf, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

const END_LEASES = statement(() => sql`UPDATE lease SET ends_at = 0`)

let serving: Serving
let visitor: Visitor
let robot: TestLink
let plan: string
let secret: string

beforeEach(async () => {
  serving = await servePages()
  visitor = await visitAsOperator(serving)
  robot = await serving.link({ name: 'Robot', handle: 'robot', picture: '🤖' })
  const ask: TestLink['ask'] = (line, body) => robot.ask(`${line}?ids=short`, body)
  plan = await documentBy({ ask }, 'First words.\n\n- [ ] A task', 'Plan')
  secret = await documentBy({ ask }, 'Hidden words.', 'Secret')
  serving.clock.now += 2 * 60_000
})

const read = (id: string, link = robot) => link.ask(`GET /blocks?id=${id}`)
const comment = (blockId: string, content: string, link = robot) =>
  link.ask('POST /comments', { comments: [{ blockId, content }] })
/** What the page says of Robot. */
const stateOf = async (by: Visitor = visitor, path = '/members') =>
  /Robot @robot (?:Agent · )?(.*?)(?= Edit…| Owner Person| The whole space| Person| Now All| Keys |$)/
    .exec(textOf(await by.get(path)))?.[1]
    ?.trim()
const peopleIn = async (id: string, by: Visitor = visitor) =>
  (await by.get(`/d/${id}/people?page=somepage`)).text.replace(/<[^>]*>/g, '|')

describe('an agent', () => {
  test('works for a minute after it has read, and is idle then, without a write', async () => {
    expect(await stateOf()).toBe('idle')
    const calls = async () => serving.space.read(OPERATOR_LINK, ({ tx }) => lastCall(tx))
    const before = await calls()
    await read(plan)
    expect(await stateOf()).toBe('working on Plan, now')
    expect(await stateOf(visitor, '/links')).toMatch(/^working on Plan, now/)
    expect(await peopleIn(plan)).toContain('|🤖| Robot|')
    expect(await peopleIn(secret)).not.toContain('Robot')
    serving.clock.now += 59_000
    expect(await stateOf()).toMatch(/^working on Plan/)
    serving.clock.now += 1_000
    expect(await stateOf()).toBe('idle')
    expect(await peopleIn(plan)).not.toContain('Robot')
    expect(await calls()).toBe(before)
  })

  test('works where it was last, over MCP and REST', async () => {
    await read(plan)
    serving.clock.now += 1_000
    const client = await robot.client()
    await client.callTool({
      name: 'blocks_add',
      arguments: { markdown: 'x', position: { position: 'end', pageId: secret } },
    })
    expect(await stateOf()).toMatch(/^working on Secret/)
    expect(await peopleIn(plan)).not.toContain('Robot')
  })

  test('that a person uses on the pages does not work', async () => {
    const other = await visitByLink(serving, { name: 'Ben' })
    await other.get(`/d/${plan}`)
    expect(textOf(await visitor.get('/members'))).toMatch(/Ben Agent · idle/)
  })

  test('waits for a person while its proposal does', async () => {
    const proposer = await serving.link({ name: 'Proposer', access: 'propose' })
    await proposer.ask('POST /blocks', { markdown: 'x', position: { position: 'end', pageId: plan } })
    serving.clock.now += 60_000
    expect(textOf(await visitor.get('/members'))).toMatch(/Proposer Agent · waits for you in Plan, since 1 min ago/)
    await visitor.press(await visitor.get('/waiting'), 'Reject')
    expect(textOf(await visitor.get('/members'))).toMatch(/Proposer Agent · idle/)
  })

  test('waits for a person until its question is answered or resolved', async () => {
    const { json } = await robot.ask('GET /connection?ids=short')
    const [owner] = json.members.filter(({ kind }: { kind: string }) => kind === 'person')
    const { content } = (await robot.ask(`GET /blocks?id=${plan}&ids=short`)).json
    const [block, task] = content.map(({ id }: { id: string }) => id)
    await comment(block, 'All is well.')
    await comment(block, `A note for [@Robot](person://${json.link.memberId})`)
    serving.clock.now += 60_000
    expect(await stateOf()).toBe('idle')
    await comment(block, `[@Owner](person://${owner.id}) which one?`)
    serving.clock.now += 60_000
    expect(await stateOf()).toBe('waits for you in Plan, since 1 min ago')
    expect(await peopleIn(plan)).toContain('Robot waits for you')
    await program(serving.space, 'editor')('comments_add', { comments: [{ blockId: block, content: 'The first.' }] })
    expect(await stateOf()).toBe('idle')
    const { commentId } = (await comment(task, `[@Owner](person://${owner.id}) really?`)).json
    serving.clock.now += 60_000
    expect(await stateOf()).toMatch(/^waits for you/)
    await program(serving.space, 'editor')('comments_update', {
      commentsToUpdate: [{ id: commentId, isResolved: true }],
    })
    expect(await stateOf()).toBe('idle')
  })

  test('is gone once a claim of it ran out, until it makes a call again', async () => {
    const claimed = await robot.ask('POST /items/claim', { scope: 'document', documentId: plan })
    expect(claimed.json.items).toHaveLength(1)
    serving.clock.now += 60 * 60_000
    await serving.space.write(OPERATOR_LINK, ({ tx }) => tx.run(END_LEASES))
    await serving.space.endLeases()
    expect(await stateOf()).toBe('gone: its claim in Plan ran out now')
    serving.clock.now += 2 * 60_000
    await read(plan)
    serving.clock.now += 2 * 60_000
    expect(await stateOf()).toBe('idle')
  })

  test('that was stopped is stopped', async () => {
    await read(plan)
    await visitor.press(await visitor.get('/links'), 'Stop')
    expect(await stateOf()).toBe('stopped now')
  })
})

describe('a narrow reader', () => {
  test('sees what an agent does within its reach alone', async () => {
    const narrow = await visitByLink(serving, { kind: 'selected', documents: [plan], name: 'Narrow' })
    // It knows those who have written since it reached the document.
    await robot.ask('POST /blocks', { markdown: 'x', position: { position: 'end', pageId: plan } })
    expect(await stateOf(narrow)).toBe('working on Plan, now')
    serving.clock.now += 30_000
    await read(secret)
    expect(await stateOf(narrow)).toMatch(/^working on Plan/)
    serving.clock.now += 30_000
    await read(secret)
    expect(await stateOf(narrow)).toBe('idle')
    expect(await stateOf()).toMatch(/^working on Secret/)
    const { json } = await robot.ask('GET /connection?ids=short')
    const [owner] = json.members.filter(({ kind }: { kind: string }) => kind === 'person')
    await comment(secret, `[@Owner](person://${owner.id}) which one?`)
    await visitor.press(await visitor.get('/links'), 'Stop')
    expect(await stateOf(narrow)).toBe('idle')
    expect(textOf(await narrow.get('/members'))).not.toMatch(/Owner|Secret/)
  })
})

describe('the list', () => {
  test('is searched by name and handle beyond the first hundred', async () => {
    await serving.space.write(OPERATOR_LINK, async (view) => {
      for (let n = 0; n < 110; n++) {
        const link = { kind: 'full', access: 'read', documents: [], isBearer: false, name: `helper ${n}` } as const
        await addAccessLink(view, { ...link, handle: n === 109 ? 'zora' : undefined })
      }
    })
    expect(textOf(await visitor.get('/members'))).toContain('And 12 more: find them by their names.')
    for (const query of ['zo', '@zora', 'HELPER 109']) {
      const found = textOf(await visitor.get(`/members?q=${encodeURIComponent(query)}`))
      expect(found).toMatch(/helper 109 @zora Agent · idle/)
      expect(found).not.toContain('helper 10 ')
    }
    expect(textOf(await visitor.get('/members?q=nobody'))).toContain('No member has this name.')
    const targets = JSON.parse((await visitor.get('/targets?q=zora')).text)
    expect(targets).toMatchObject([{ title: '@helper 109', about: 'agent @zora' }])
  })
})

test('pictures are beside names in lists of calls, comments, the margin and values', async () => {
  const { content } = (await robot.ask(`GET /blocks?id=${plan}&ids=short`)).json
  await comment(content[0].id, 'A remark.')
  const schema = { name: 'Jobs', properties: [{ type: 'person', name: 'Who' }] }
  const position = { position: 'end', pageId: plan }
  const { collectionBlockId } = (await robot.ask('POST /collections?ids=short', { schema, position })).json
  const items = [{ title: 'Job', properties: { who: ['Robot'] } }]
  await robot.ask(`POST /collections/${collectionBlockId}/items`, { items })
  const picture = '<span class="picture" aria-hidden="true">🤖</span> '
  const document = (await visitor.get(`/d/${plan}`)).text
  expect(document).toContain(`<span class="who" dir="ltr">${picture}Robot, `)
  expect(document).toMatch(new RegExp(`<li id="c\\d+">${picture}<b>Robot</b>, `))
  expect(document).toContain(`<span class="mention">${picture}Robot</span>`)
  expect((await visitor.get('/now')).text).toContain(`<small>${picture}<b>Robot</b>, `)
  expect((await visitor.get(`/d/${plan}/history`)).text).toContain(`<span class="what">${picture}<b>Robot</b> `)
  // A name that two members have is that of neither.
  await serving.link({ name: 'Robot', picture: '👾' })
  expect((await visitor.get('/now')).text).not.toContain('class="picture"')
})

test('groups are offered wherever members are chosen', async () => {
  await serving.space.write(OPERATOR_LINK, (view) => addGroup(view, 'Crew', { handle: 'crew', add: ['Robot'] }))
  expect(textOf(await visitor.get('/members'))).toContain('Crew @crew Group')
  expect(JSON.parse((await visitor.get('/targets?q=crew')).text)).toMatchObject([
    { title: '@Crew', about: 'group @crew' },
  ])
  const { content } = (await robot.ask(`GET /blocks?id=${plan}&ids=short`)).json
  const form = await visitor.get(`/tasks/${content[1].id}/edit`)
  const [, crew = ''] = /<option value="(\d+)"[^>]*>Crew/.exec(form.text) ?? []
  await visitor.press(form, 'Save', { assignee: crew })
  expect((await robot.ask(`GET /blocks?id=${content[1].id}`)).json.taskInfo.assignee.name).toBe('Crew')
})

describe('forms in which members are chosen', () => {
  beforeEach(async () => {
    await serving.space.write(OPERATOR_LINK, async (view) => {
      const link = { kind: 'full', access: 'read', documents: [], isBearer: false } as const
      for (let n = 0; n < 110; n++) await addAccessLink(view, { ...link, name: `helper ${n}` })
      await addAccessLink(view, { ...link, name: 'Zora' })
    })
  })

  test('find who does a task beyond the first hundred', async () => {
    const { content } = (await robot.ask(`GET /blocks?id=${plan}&ids=short`)).json
    const path = `/tasks/${content[1].id}/edit`
    const form = await visitor.get(path)
    expect(form.text).not.toContain('>Zora</option>')
    expect(form.text).toContain('placeholder="13 more: a name or handle"')
    const found = await visitor.press(form, 'Find', { who: 'zo' })
    const [, zora = ''] = /<option value="(\d+)"[^>]*>Zora</.exec(found.text) ?? []
    // One that was chosen stays while another is looked for.
    const other = await visitor.press(found, 'Find', { who: 'helper 7', assignee: zora })
    expect(other.text).toMatch(new RegExp(`<option value="${zora}" selected>Zora<`))
    await visitor.press(other, 'Save', { assignee: zora })
    expect((await robot.ask(`GET /blocks?id=${content[1].id}`)).json.taskInfo.assignee.name).toBe('Zora')
  })

  test('find the value of a column beyond the first hundred', async () => {
    const position = { position: 'end', pageId: plan }
    const schema = { name: 'Jobs', properties: [{ type: 'person', name: 'Who' }] }
    const { collectionBlockId } = (await robot.ask('POST /collections?ids=short', { schema, position })).json
    const items = [{ title: 'Job', properties: { who: ['Zora'] } }]
    const added = (await robot.ask(`POST /collections/${collectionBlockId}/items?ids=short`, { items })).json
    const form = await visitor.get(`/collections/${collectionBlockId}/items/${added.items[0].id}/edit`)
    expect(textOf(form)).toContain('Zora')
    const found = await visitor.press(form, 'Find', { 'q.who': 'helper 109' })
    expect(found.text).toMatch(/checked><span>Zora</)
    expect(found.text).toMatch(/<span>helper 109</)
    expect(found.text).not.toMatch(/<span>helper 1</)
  })
})

describe('the form of a member', () => {
  const pathOf = async (name: string, by: Visitor = visitor) =>
    new RegExp(`href="[^"]*(/members/\\d+/edit)[^"]*"[^>]*aria-label="Edit ${name}"`).exec(
      (await by.get('/members')).text,
    )?.[1] ?? ''

  test('changes the name, the handle and the picture, with the rules of the command line', async () => {
    const path = await pathOf('Robot')
    const form = await visitor.get(path)
    const saved = await visitor.press(form, 'Save', { name: 'Codex', handle: '@Codex', picture: '🦾' })
    expect(textOf(saved)).toContain('Saved.')
    expect(textOf(saved)).toMatch(/🦾 Codex @codex Agent/)
    const refused = await visitor.press(form, 'Save', { handle: 'two words' })
    expect(refused.status).toBe(400)
    expect(textOf(refused)).toContain('Expected a handle of 1 to 30 letters')
    const none = await visitor.press(await visitor.get(path), 'Save', { handle: '', picture: '' })
    expect(textOf(none)).toMatch(/Codex Agent/)
  })

  test('is offered to a link for nobody', async () => {
    const path = await pathOf('Robot')
    const other = await visitByLink(serving)
    expect(await pathOf('Robot', other)).toBe('')
    expect((await other.get(path)).status).toBe(404)
    expect((await other.post(path, { handle: 'mine' })).status).toBe(404)
    await serving.space.write(OPERATOR_LINK, (view) => addParticipant(view, 'Anna'))
    expect((await robot.ask('PUT /members', { memberId: '1', handle: 'x' })).status).toBe(404)
  })
})
