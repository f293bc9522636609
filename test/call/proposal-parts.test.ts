/** Proposals that are decided in parts: one block, row, value or document after the other. */
import { describe, expect, test } from 'vitest'
import type { Answer } from '../connect.ts'
import { countStatements } from '../support/count-statements.ts'
import { proposalOf, serveProposals } from './serve-proposals.ts'

/** A server with links that propose and decide, and calls on parts. */
async function serveParts() {
  const serving = await serveProposals()
  const { person, plan, owner } = serving
  const parts = async (query: object = { documentId: plan }): Promise<Answer[]> => {
    const { json } = await person.ask(`GET /proposals/parts?${new URLSearchParams({ ...query, ids: 'short' })}`)
    return json.items
  }
  const accept = async (part: Answer) => {
    const { proposalId, part: key, fingerprint } = part
    return person.ask(`POST /proposals/${proposalId}/approve?ids=short`, { parts: [key], fingerprint })
  }
  const rejectPart = ({ proposalId, part: key }: Answer, body: object = {}) =>
    person.ask(`POST /proposals/${proposalId}/reject?ids=short`, { parts: [key], ...body })
  const texts = async (id = plan): Promise<string[]> => {
    const { json } = await owner.ask(`GET /blocks?id=${id}&ids=short`)
    return json.content.map((block: Answer) => block.markdown ?? block.title)
  }
  const blocks = async (): Promise<string[]> => {
    const { json } = await owner.ask(`GET /blocks?id=${plan}&ids=short`)
    return json.content.map(({ id }: Answer) => id)
  }
  return { ...serving, parts, accept, rejectPart, texts, blocks }
}

describe('the parts of a proposal', () => {
  test('are its blocks, each with its place, and are accepted in any order', async () => {
    const { agent, write, parts, accept, texts, owner, person } = await serveParts()
    const proposed = await write(agent, 'three\n\nfour\n\nfive')
    const listed = await parts()
    expect(listed).toMatchObject([
      { kind: 'added', after: 'three', fingerprint: expect.any(String), author: 'Robot' },
      { kind: 'added', after: 'four' },
      { kind: 'added', after: 'five' },
    ])
    expect(listed.map(({ blockId }) => blockId)).toEqual(proposed.json.items.map(({ id }: Answer) => id))
    expect((await accept(listed[2])).json).toMatchObject({
      accepted: '1 of 3',
      remaining: 2,
      summary: '"Plan": 1 block added',
    })
    expect(await texts()).toEqual(['one', 'two', 'five'])
    // What was shown before is still what happens.
    expect((await accept(listed[0])).json).toMatchObject({ accepted: '2 of 3', remaining: 1 })
    expect(await texts()).toEqual(['one', 'two', 'three', 'five'])
    const waiting = (await person.ask('GET /proposals?ids=short')).json.items
    expect(waiting).toMatchObject([{ accepted: '2 of 3', state: 'waiting', summary: '"Plan": 1 block added' }])
    const last = (await accept(listed[1])).json
    expect(last).toMatchObject({ accepted: '3 of 3', remaining: 0 })
    expect(await texts()).toEqual(['one', 'two', 'three', 'four', 'five'])
    const [call] = (await owner.ask('GET /history?ids=short')).json.items
    expect(call).toMatchObject({ callId: last.callId, author: 'Robot', approvedBy: 'Anna', tool: 'blocks_add' })
    expect((await agent.ask('GET /proposals?ids=short')).json.items).toMatchObject([
      { state: 'approved', callId: last.callId },
    ])
  })

  test('a page of tasks that goes to another document takes the changes of its tasks along', async () => {
    const { agent, owner, person, plan, parts, accept } = await serveParts()
    const add = async (block: object, pageId: string) =>
      (await owner.ask('POST /blocks?ids=short', { blocks: [block], position: { position: 'end', pageId } })).json
        .items[0].id
    const outer = await add({ type: 'page', markdown: 'outer', listStyle: 'task', taskInfo: { state: 'done' } }, plan)
    const inner = await add({ type: 'text', markdown: 'inner', listStyle: 'task', taskInfo: { state: 'todo' } }, outer)
    const move = { id: outer, location: { type: 'inbox' } }
    const schedule = { id: inner, taskInfo: { scheduleDate: '2026-12-01' } }
    const propose = async (tasksToUpdate: object[]) => {
      const { json } = await agent.ask('PUT /tasks?ids=short', { tasksToUpdate })
      const { proposalId } = json.proposal
      return parts({ proposalId })
    }
    const after = await propose([move, schedule])
    expect(after.map(({ part, needs = [] }) => [part, needs])).toEqual([
      [outer, []],
      [inner, [outer]],
    ])
    await person.ask(`POST /proposals/${after[0]?.proposalId}/reject`, {})
    const before = await propose([schedule, move])
    expect(before.map(({ part, needs = [] }) => [part, needs])).toEqual([
      [inner, []],
      [outer, [inner]],
    ])
    expect((await accept(before[1] ?? {})).json).toMatchObject({ accepted: '2 of 2', parts: [inner, outer] })
    const { json } = await owner.ask(`GET /blocks?id=${inner}&ids=short`)
    expect(json.taskInfo).toMatchObject({ scheduleDate: '2026-12-01' })
  })

  test('a task that leaves what it was in the logbook takes along the part that makes the logbook', async () => {
    const { agent, owner, plan, parts } = await serveParts()
    const position = { position: 'end', pageId: plan }
    const markdown = '- [ ] once\n- [ ] again'
    const { items } = (await owner.ask('POST /blocks?ids=short', { markdown, position })).json
    const [once, again] = items.map(({ id }: Answer) => id)
    const repeat = { type: 'fixed', frequency: 'daily' }
    const done = { state: 'done' }
    await agent.ask('PUT /tasks', {
      tasksToUpdate: [
        { id: once, taskInfo: done, location: { type: 'inbox' } },
        { id: again, markdown: '- [x] again', repeat },
      ],
    })
    expect((await parts({ documentId: plan })).map(({ part, needs = [] }) => [part, needs])).toEqual([
      [once, []],
      [again, [once]],
    ])
  })

  test('have the promised IDs, also if the inbox that an earlier proposal would make is not there', async () => {
    const { agent, owner, person, parts, accept } = await serveParts()
    const propose = async (...texts: string[]) =>
      (await agent.ask('POST /tasks?ids=short', { tasks: texts.map((markdown) => ({ markdown })) })).json
    const first = await propose('one')
    const second = await propose('two', 'three')
    const [two, three] = second.items.map(({ id }: Answer) => id)
    const [part] = (await parts({ proposalId: second.proposal.proposalId })).filter((one) => one.part === three)
    expect((await accept(part ?? {})).json).toMatchObject({ parts: [three] })
    const rest = (await person.ask(`GET /proposals?proposalId=${second.proposal.proposalId}&ids=short`)).json.items[0]
    await person.ask(`POST /proposals/${rest.proposalId}/approve`, { fingerprint: rest.fingerprint })
    const [earlier] = await parts({ proposalId: first.proposal.proposalId })
    await accept(earlier ?? {})
    const { items } = (await owner.ask('GET /tasks?scope=inbox&ids=short')).json
    const found = new Map(items.map(({ id, markdown }: Answer) => [id, markdown]))
    expect(found.get(two)).toBe('- [ ] two')
    expect(found.get(three)).toBe('- [ ] three')
    expect(found.get(first.items[0].id)).toBe('- [ ] one')
  })

  test('a task that is done already goes to the logbook, also after one that goes to the inbox', async () => {
    const { agent, owner, parts, accept } = await serveParts()
    // Both places are there.
    await owner.ask('POST /tasks', { tasks: [{ markdown: '- [ ] first' }, { markdown: '- [x] before' }] })
    const { json } = await agent.ask('POST /tasks', { tasks: [{ markdown: '- [ ] open' }, { markdown: '- [x] done' }] })
    const shown = await parts({ proposalId: json.proposal.proposalId })
    expect(shown.map(({ after }) => after)).toEqual(['- [ ] open', '- [x] done'])
    // What was read first is still what happens.
    for (const part of shown) expect((await accept(part)).json).toMatchObject({ parts: [part.part] })
    const { items } = (await owner.ask('GET /tasks?scope=logbook')).json
    expect(items.map(({ markdown }: Answer) => markdown).sort()).toEqual(['- [x] before', '- [x] done'])
  })

  test('a task that comes to stand beside a moved block needs it, since their order is that of the calls', async () => {
    const { agent, owner, plan, parts } = await serveParts()
    const add = async (markdown: string, pageId: string) =>
      (await owner.ask('POST /blocks?ids=short', { markdown, position: { position: 'end', pageId } })).json.items[0].id
    const { json } = await owner.ask('POST /documents?ids=short', { documents: [{ title: 'Empty' }] })
    const empty = json.items[0].id
    const [moved, task] = [await add('moved', plan), await add('- [ ] task', plan)]
    const position = { position: 'start', pageId: empty }
    const location = { type: 'document', documentId: empty }
    const steps = [
      { tool: 'blocks_move', arguments: { blockIds: [moved], position } },
      { tool: 'tasks_update', arguments: { tasksToUpdate: [{ id: task, location }] } },
    ]
    const proposed = (await agent.ask('POST /batch?ids=short', { steps })).json
    const listed = await parts({ proposalId: proposed.proposal.proposalId })
    expect(listed.map(({ part, needs = [] }) => [part, needs])).toEqual([
      [moved, []],
      [task, [moved]],
    ])
  })

  test.each([
    ['another document', (documentId: string) => ({ markdown: 'b', location: { type: 'document', documentId } })],
    ['the logbook', () => ({ markdown: '- [x] b' })],
  ])(
    'a task stays where it belongs, also if one of the same proposal that went to %s is accepted first',
    async (_, other) => {
      const { agent, plan, parts, accept, texts, owner } = await serveParts()
      const add = (task: object) => ({ tool: 'tasks_add', arguments: { tasks: [task] } })
      const { json } = await agent.ask('POST /batch?ids=short', { steps: [add({ markdown: 'a' }), add(other(plan))] })
      const [first, second] = await parts({ proposalId: json.proposal.proposalId })
      await accept(second)
      await accept(first)
      const { items } = (await owner.ask('GET /tasks?scope=inbox&ids=short')).json
      expect(items.map(({ markdown }: Answer) => markdown)).toEqual(['- [ ] a'])
      expect(await texts()).not.toContain('- [ ] a')
    },
  )

  test('are undone one by one', async () => {
    const { agent, write, parts, accept, texts, owner } = await serveParts()
    await write(agent, 'three\n\nfour')
    const [three, four] = await parts()
    await accept(three)
    const { json } = await accept(four)
    await owner.ask('POST /history/undo', { calls: [json.callId] })
    expect(await texts()).toEqual(['one', 'two', 'three'])
  })

  test('are approved together with what is left, and rejected with a word to the agent', async () => {
    const { agent, write, parts, accept, rejectPart, approve, person, texts } = await serveParts()
    const id = proposalOf(await write(agent, 'three\n\nfour\n\nfive\n\nsix'))
    const [three, four] = await parts()
    await accept(three)
    expect((await rejectPart(four, { note: 'not this' })).json).toMatchObject({ accepted: '1 of 4', remaining: 2 })
    expect((await agent.ask('GET /proposals?ids=short')).json.items).toMatchObject([
      { state: 'waiting', accepted: '1 of 4', note: 'not this', summary: '"Plan": 2 blocks added' },
    ])
    expect((await approve(person, id)).json).toMatchObject({ accepted: '3 of 4', remaining: 0 })
    expect(await texts()).toEqual(['one', 'two', 'three', 'five', 'six'])
    expect((await agent.ask('GET /proposals?ids=short')).json.items).toMatchObject([
      { state: 'approved', accepted: '3 of 4' },
    ])
  })

  test('count as approved if one of them was, and as rejected if none was', async () => {
    const { agent, write, parts, accept, rejectPart } = await serveParts()
    await write(agent, 'three\n\nfour')
    const [three, four] = await parts()
    const { json } = await accept(three)
    await rejectPart(four)
    await write(agent, 'five\n\nsix')
    for (const part of await parts()) await rejectPart(part)
    expect((await agent.ask('GET /proposals?ids=short')).json.items).toMatchObject([
      { state: 'rejected' },
      { state: 'approved', accepted: '1 of 2', callId: json.callId, decidedBy: 'Anna' },
    ])
  })

  test('take along what they need, and say so', async () => {
    const { agent, plan, parts, accept, rejectPart, texts } = await serveParts()
    const propose = () =>
      agent.ask('POST /batch?ids=short', {
        steps: [
          {
            tool: 'collections_add',
            as: 'jobs',
            arguments: {
              schema: { name: 'Jobs', properties: [{ name: 'Cost', type: 'number' }] },
              position: { position: 'end', pageId: plan },
            },
          },
          {
            tool: 'items_add',
            arguments: {
              collectionId: '$jobs',
              items: [{ title: 'Dig', properties: { cost: 40 } }, { title: 'Pave' }],
            },
          },
        ],
      })
    await propose()
    const [collection, dig, pave] = await parts()
    expect(dig).toMatchObject({ kind: 'added', needs: [collection.part], place: { parentId: collection.blockId } })
    expect((await accept(pave)).json).toMatchObject({
      ...{ accepted: '2 of 3', parts: [collection.part, pave.part], remaining: 1 },
    })
    expect(await texts()).toHaveLength(3)
    expect((await accept((await parts())[0])).json).toMatchObject({ accepted: '3 of 3' })
    await propose()
    const [other] = await parts()
    expect((await rejectPart(other)).json).toMatchObject({ accepted: '0 of 3', remaining: 0 })
  })

  test('are the values of rows', async () => {
    const { agent, plan, owner, parts, accept } = await serveParts()
    const { json: made } = await owner.ask('POST /collections?ids=short', {
      schema: {
        name: 'Jobs',
        properties: [
          { name: 'Cost', type: 'number' },
          { name: 'Note', type: 'text' },
        ],
      },
      position: { position: 'end', pageId: plan },
    })
    const path = `/collections/${made.collectionBlockId}/items`
    const { json } = await owner.ask(`POST ${path}?ids=short`, {
      items: [{ title: 'Dig', properties: { cost: 1, note: 'a' } }],
    })
    const [{ id }] = json.items
    await agent.ask(`PUT ${path}`, { itemsToUpdate: [{ id, title: 'Digging', properties: { cost: 2, note: null } }] })
    const listed = await parts()
    expect(listed).toMatchObject([
      { kind: 'value', part: `${id}/title`, before: 'Dig', after: 'Digging', property: 'title' },
      { kind: 'value', part: `${id}/cost`, before: 1, after: 2, property: 'cost', blockId: id },
      { kind: 'value', part: `${id}/note`, before: 'a', property: 'note' },
    ])
    expect(listed.map(({ asked, details }) => [asked, details])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      [undefined, undefined],
    ])
    await accept(listed[1])
    const { json: read } = await owner.ask(`GET ${path}?ids=short`)
    expect(read.items).toMatchObject([{ title: 'Dig', properties: { cost: 2, note: 'a' } }])
  })

  test('are values by the keys of their properties, however the call names these', async () => {
    const { agent, plan, owner, parts, accept } = await serveParts()
    const { json: made } = await owner.ask('POST /collections?ids=short', {
      schema: { name: 'Jobs', properties: [{ name: 'Total cost', type: 'number' }] },
      position: { position: 'end', pageId: plan },
    })
    const collectionId = made.collectionBlockId
    const path = `/collections/${collectionId}/items`
    const { json } = await owner.ask(`POST ${path}?ids=short`, { items: [{ title: 'Dig' }] })
    const [{ id }] = json.items
    await agent.ask(`PUT ${path}`, { itemsToUpdate: [{ id, properties: { 'Total cost': 2 } }] })
    const [alone] = await parts()
    expect(alone).toMatchObject({ kind: 'value', property: 'total_cost', after: 2 })
    const update = (properties: object) => ({
      tool: 'items_update',
      arguments: { collectionId, itemsToUpdate: [{ id, properties }] },
    })
    await agent.ask('POST /batch', { steps: [update({ 'Total cost': 3 }), update({ total_cost: 4 })] })
    const [, first, second] = await parts()
    expect(second).toMatchObject({ part: `${id}/total_cost#2`, needs: [first.part], after: 4 })
    await accept(second)
    const { json: read } = await owner.ask(`GET ${path}?ids=short`)
    expect(read.items[0].properties).toEqual({ total_cost: 4 })
  })

  test('are the changes of a page that was edited as text', async () => {
    const { agent, plan, parts, accept, texts, person } = await serveParts()
    const id = proposalOf(
      await agent.ask('PUT /blocks?ids=short', {
        pageId: plan,
        replace: [
          { old: 'one', new: 'ONE\n\nand a half\n\nand more' },
          { old: 'two', new: 'TWO' },
        ],
      }),
    )
    const listed = await parts()
    expect(listed).toMatchObject([
      { kind: 'changed', before: 'one', after: 'ONE' },
      { kind: 'changed', before: 'two', after: 'TWO' },
      { kind: 'added', after: 'and a half' },
      { kind: 'added', after: 'and more' },
    ])
    await accept(listed[3])
    expect(await texts()).toEqual(['one', 'and more', 'two'])
    await accept(listed[1])
    await accept(listed[2])
    expect(await texts()).toEqual(['one', 'and a half', 'and more', 'TWO'])
    expect((await person.ask(`GET /proposals?proposalId=${id}`)).json.items).toMatchObject([{ accepted: '3 of 4' }])
  })

  test('move with their words, and show both texts where these are gone', async () => {
    const { agent, owner, parts, accept, texts, blocks } = await serveParts()
    const [one, two] = await blocks()
    const change = (link: typeof owner, id: string | undefined, markdown: string) =>
      link.ask('PUT /blocks', { blocks: [{ id, markdown }] })
    await change(owner, one, 'one two three')
    await change(owner, two, 'alpha')
    await agent.ask('PUT /blocks', {
      blocks: [
        { id: one, markdown: 'one two four' },
        { id: two, markdown: 'beta' },
      ],
    })
    await change(owner, one, 'zero one two three')
    await change(owner, two, 'gamma')
    const [merged, replaced] = await parts()
    expect(merged).toMatchObject({ before: 'zero one two three', after: 'zero one two four' })
    expect(merged.conflict).toBeUndefined()
    expect(replaced).toMatchObject({
      conflict: { seen: 'alpha', present: 'gamma', proposed: 'beta' },
      fingerprint: expect.any(String),
    })
    await accept(merged)
    expect(await texts()).toEqual(['zero one two four', 'gamma'])
    await accept(replaced)
    expect(await texts()).toEqual(['zero one two four', 'beta'])
  })

  test('are refused if they would change something else than was shown', async () => {
    const { agent, owner, parts, accept, blocks, texts } = await serveParts()
    const [one] = await blocks()
    await agent.ask('DELETE /blocks', { blockIds: await blocks() })
    const [part] = await parts()
    await owner.ask('PUT /blocks', { blocks: [{ id: one, markdown: 'one, and more' }] })
    const refused = await accept(part)
    expect(refused.status).toBe(409)
    expect(refused.json.details[0].message).toContain('-one, and more')
    expect(await texts()).toEqual(['one, and more', 'two'])
  })

  test('are named by their keys', async () => {
    const { agent, write, parts, accept, person } = await serveParts()
    const id = proposalOf(await write(agent, 'three\n\nfour'))
    const [three, four] = await parts()
    const approve = (body: object) => person.ask(`POST /proposals/${id}/approve?ids=short`, body)
    expect((await approve({ parts: ['other'] })).json).toEqual({
      error: `Expected parts of proposal ${id} (${three.part}, ${four.part}), found "other"; name one of those.`,
      code: 'VALIDATION_ERROR',
      details: [{ path: 'parts', message: 'Expected the key of a part, found "other".' }],
    })
    await accept(three)
    expect((await accept(three)).json).toEqual({
      error: `Expected a part that waits, found that ${three.part} of proposal ${id} was accepted; read those that wait again.`,
      code: 'CONFLICT',
    })
    expect((await approve({ parts: [four.part] })).json).toMatchObject({ code: 'VALIDATION_ERROR' })
    expect((await approve({ parts: [four.part], steps: [] })).json).toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

test('proposals that do not need each other are decided in any order', async () => {
  const { agent, person, write, approve, texts } = await serveParts()
  const first = proposalOf(await write(agent, 'three'))
  const second = proposalOf(await write(agent, 'four'))
  expect((await approve(person, second)).status).toBe(200)
  expect(await texts()).toEqual(['one', 'two', 'four'])
  expect((await approve(person, first)).status).toBe(200)
})

test('a part that needs another proposal says which', async () => {
  const { agent, write, parts, accept } = await serveParts()
  const first = await agent.ask('POST /documents?ids=short', { documents: [{ title: 'New' }] })
  const [{ id: page }] = first.json.items
  await write(agent, 'inside', page)
  const [part] = await parts({ documentId: page }).then((all) => all.filter(({ kind }) => kind === 'added'))
  expect(part).toMatchObject({ waitsFor: [proposalOf(first)], after: 'inside', documentId: page })
  expect(part.fingerprint).toBeUndefined()
  const [document] = await parts({ proposalId: proposalOf(first) })
  expect(document).toMatchObject({ kind: 'document', documentId: page })
  await accept(document)
  const [now] = await parts({ documentId: page })
  expect((await accept(now)).status).toBe(200)
})

test('the thread that a proposal answers is resolved with the first part that is accepted', async () => {
  const { agent, owner, plan, blocks, parts, accept } = await serveParts()
  const [one] = await blocks()
  const { json } = await owner.ask('POST /comments?ids=short', { comments: [{ blockId: one, content: 'more?' }] })
  await agent.ask('POST /blocks', {
    markdown: 'three\n\nfour',
    position: { position: 'end', pageId: plan },
    answers: json.commentId,
  })
  const resolved = async () => {
    const read = await owner.ask(`GET /blocks?id=${one}&ids=short&fetchMetadata=true`)
    return read.json.metadata.comments.map(({ resolvedAt }: Answer) => resolvedAt !== undefined)
  }
  const [three, four] = await parts()
  expect(await resolved()).toEqual([false])
  await accept(three)
  expect(await resolved()).toEqual([true])
  const [again] = await parts()
  expect(again.part).toBe(four.part)
  expect((await accept(again)).status).toBe(200)
})

test('a decision on one part takes a bounded number of statements for each of the others', async () => {
  const { agent, write, parts, accept, rejectPart } = await serveParts()
  const counter = countStatements()
  const counts: number[][] = []
  for (const count of [3, 12]) {
    await write(agent, Array.from({ length: count }, (_, index) => `line ${index}`).join('\n\n'))
    const [first, second] = (await parts()).slice(-count)
    counter.reset()
    await accept(first)
    const accepted = counter.count
    counter.reset()
    await rejectPart(second)
    counts.push([accepted, counter.count])
  }
  // What is left is rehearsed once, with a call for each of its parts.
  const [few = [], many = []] = counts
  for (const [index, count] of many.entries())
    expect(count - (few[index] ?? 0)).toBeLessThanOrEqual(PER_PART * (12 - 3))
  expect(few[0]).toBeLessThanOrEqual(220)
})

/** Statements for each part that waits on. */
const PER_PART = 6

test('a link that may only propose sees its own parts, and decides on none', async () => {
  const { agent, link, write, plan } = await serveParts()
  const id = proposalOf(await write(agent, 'three\n\nfour'))
  const other = await link({ name: 'Other', access: 'propose' })
  const reader = await link({ name: 'Reader', access: 'read' })
  const count = async (one: typeof agent) =>
    (await one.ask(`GET /proposals/parts?documentId=${plan}`)).json.items.length
  expect([await count(agent), await count(other), await count(reader)]).toEqual([2, 0, 0])
  expect((await agent.ask(`POST /proposals/${id}/approve`, { parts: ['x'] })).status).toBe(403)
})
