/** A complete story: an agent empties a collection while another works, and a person undoes the first one. */
import type { Client } from '@modelcontextprotocol/client'
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import type { Answer } from '../connect.ts'
import { connectProcess, folder, runHere, structured } from '../program.ts'

const BYTES = 'what the contract says'

/** A document with a collection whose items refer to those of another, a whiteboard and a file. */
async function makePlan(client: Client) {
  const ask = (name: string, args: Record<string, unknown>) => structured(client, name, args)
  const { items: documents } = await ask('documents_add', {
    documents: [{ title: 'Plan', markdown: 'first\n\nlast' }, { title: 'Team' }],
  })
  const [plan, team]: string[] = documents.map(({ id }: Answer) => id)
  const inPlan = { position: 'end', pageId: plan }
  const { collectionBlockId: people } = await ask('collections_add', {
    schema: { name: 'People', properties: [{ name: 'Mail', type: 'email' }] },
    position: { position: 'end', pageId: team },
  })
  const added = await ask('items_add', { collectionId: people, items: [{ title: 'Ada' }, { title: 'Ben' }] })
  const [ada, ben]: string[] = added.items.map(({ id }: Answer) => id)
  const { collectionBlockId: jobs } = await ask('collections_add', {
    schema: {
      name: 'Jobs',
      properties: [
        { name: 'Who', type: 'relation', targetCollectionId: people },
        { name: 'State', type: 'singleSelect', options: [{ name: 'open' }, { name: 'done' }] },
      ],
    },
    position: inPlan,
  })
  const job = (title: string, who: string | undefined, state: string) => ({
    title,
    properties: { who: { relations: [{ blockId: who }] }, state },
  })
  await ask('items_add', { collectionId: jobs, items: [job('Dig', ada, 'open'), job('Pour', ben, 'done')] })
  await ask('views_add', { collectionId: jobs, view: { name: 'Open', type: 'table' } })
  const { whiteboardBlockId: board } = await ask('whiteboards_add', { position: inPlan })
  await ask('elements_add', {
    whiteboardBlockId: board,
    elements: [{ id: 'a', type: 'rectangle', x: 0, y: 0, width: 160, height: 60, label: { text: 'Harbor' } }],
  })
  const { blockId: file } = await ask('files_add', { position: inPlan, text: BYTES, fileName: 'contract.txt' })
  return { plan, people, ada, jobs, board, file }
}

type Plan = Awaited<ReturnType<typeof makePlan>>

/** Reads a tool response as JSON from its text. */
async function read(client: Client, name: string, args: Record<string, unknown>): Promise<Answer> {
  const { content } = await client.callTool({ name, arguments: { format: 'json', ...args } })
  const [first] = content as { text: string }[]
  return JSON.parse(first?.text ?? '')
}

/** Reads the plan, without its modification times. */
async function readPlan(client: Client, { plan, people, jobs, board, file }: Plan): Promise<Answer> {
  const ask = (name: string, args: Record<string, unknown>) => read(client, name, args)
  const { content } = await ask('blocks_get', { id: plan })
  const { url } = await ask('blocks_get', { id: file })
  const { contents } = await client.readResource({ uri: url })
  return {
    content,
    jobs: await ask('items_list', { collectionId: jobs }),
    people: await ask('items_list', { collectionId: people }),
    views: (await client.callTool({ name: 'views_list', arguments: { collectionId: jobs } })).content,
    board: (await client.callTool({ name: 'elements_list', arguments: { whiteboardBlockId: board } })).content,
    bytes: contents,
    found: (await ask('documents_search', { include: ['harbor'] })).items.length,
  }
}

test('an agent that emptied a collection and was killed is undone by connection, next to the work of another', async () => {
  const file = `${folder()}/space.sqlite`
  const maker = await connectProcess(file)
  const made = await makePlan(maker)
  const before = await readPlan(maker, made)
  await maker.close()
  expect(before).toMatchObject({ found: 1, jobs: { items: [{ title: 'Dig' }, { title: 'Pour' }] } })

  const [agent, other] = [await connectProcess(file), await connectProcess(file)]
  const { items } = await read(agent, 'items_list', { collectionId: made.jobs })
  const ids = items.map(({ id }: Answer) => id)
  await structured(agent, 'items_delete', { collectionId: made.jobs, idsToDelete: ids })
  await structured(other, 'blocks_add', { markdown: 'beside', position: { position: 'start', pageId: made.plan } })
  await structured(agent, 'blocks_delete', { blockIds: [made.jobs, made.board] })
  const renamed = { id: made.ada, title: 'Ada Lovelace', properties: { mail: 'ada@example.com' } }
  await structured(other, 'items_update', { collectionId: made.people, itemsToUpdate: [renamed] })
  await structured(agent, 'blocks_delete', { blockIds: [made.file] })
  // Killed during a call: only the space knows whether that was carried out.
  const cut = agent.callTool({ name: 'documents_delete', arguments: { documentIds: [made.plan] } }).catch(() => {})
  process.kill((agent.transport as StdioClientTransport).pid ?? 0, 'SIGKILL')
  await cut

  const history = await runHere(['history', '--space', file, '--json'])
  const calls = JSON.parse(history.output).items as Answer[]
  const { connection } = calls.find(({ tool }) => tool === 'items_delete') ?? {}
  const dry = await runHere(['undo', '--space', file, '--connection', connection, '--dry-run'])
  expect(dry.output).toContain('Would take back')
  const undone = await runHere(['undo', '--space', file, '--connection', connection, '--json'])
  expect(undone).toMatchObject({ code: 0, errors: '' })
  expect(JSON.parse(undone.output).calls).toEqual(
    calls
      .filter((call) => call.connection === connection)
      .map(({ callId }) => callId)
      .toReversed(),
  )

  const after = await readPlan(other, made)
  const [beside, ...rest] = after.content
  expect(beside).toMatchObject({ markdown: 'beside' })
  expect(rest).toEqual(before.content)
  const { people, ...others } = after
  const { people: peopleBefore, ...othersBefore } = before
  expect({ ...others, content: rest }).toEqual(othersBefore)
  const [ada, ben] = peopleBefore.items
  expect(people.items).toEqual([
    { ...ada, title: 'Ada Lovelace', properties: { ...ada.properties, mail: 'ada@example.com' } },
    ben,
  ])
})
