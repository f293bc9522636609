/** The spellings of IDs that callers may send, and those in responses. */
import { describe, expect, test } from 'vitest'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { askerOf } from '../rest/rest-asker.ts'
import { changeRows } from '../sqlite.ts'

const FORMER = '01900000-0000-7000-8000-00000000dead'

/** Gives a block a UUID from the time before IDs were numbers. */
const withFormerId = ({ space }: Awaited<ReturnType<typeof connect>>, id: string) =>
  space.write(OPERATOR_LINK, async ({ tx }) => {
    await changeRows(tx, 'INSERT INTO former_id (former, id) VALUES (?, ?)', FORMER, Number(id))
  })

describe('a document is found by its ID', () => {
  test.each([
    ['as digits', (id: string) => id],
    ['as a number', (id: string) => Number(id)],
    ['with blanks and quotes around it', (id: string) => ` "${id}" `],
    ['as an address of a block', (id: string) => `block://${id}`],
    ['as an address of a document', (id: string) => `scriptorium://documents/${id}`],
    ['as a UUID of this space', (id: string, prefix: string) => `${prefix}-${id}`.toUpperCase()],
    ['as the UUID that it had', () => FORMER.toUpperCase()],
  ])('%s', async (_, sent) => {
    const connected = await connect()
    const id = await documentOf(connected, 'words')
    await withFormerId(connected, id)
    const spelled = sent(id, connected.space.info.idPrefix)
    expect((await connected.call('blocks_get', { id: spelled })).id).toBe(id)
    const { items } = await connected.call('documents_list', { documentIds: [spelled] })
    expect(items.map((one: { id: string }) => one.id)).toEqual([id])
    const position = { position: 'end', pageId: spelled }
    expect((await connected.call('blocks_add', { markdown: 'more', position })).items).toHaveLength(1)
  })

  test('and by none of another space', async () => {
    const connected = await connect()
    const id = await documentOf(connected, 'words')
    const foreign = `00000000-0000-8000-8000-${id}`
    expect(await connected.refused('blocks_get', { id: foreign })).toBe(
      `Expected the ID of a block within reach, found ${foreign}; read IDs with blocks_get and name one of those.`,
    )
    const elsewhere = `scriptorium://open?spaceId=${FORMER}&blockId=${id}`
    expect(await connected.refused('blocks_get', { id: elsewhere })).toContain(`found ${elsewhere};`)
  })

  test('a task is identified once, in any spelling', async () => {
    const connected = await connect()
    const { items } = await connected.call('tasks_add', { tasks: [{ markdown: 'a' }] })
    const { id } = items[0]
    await withFormerId(connected, id)
    const twice = [{ id }, { id: FORMER, taskInfo: { state: 'done' } }]
    expect(await connected.refused('tasks_update', { tasksToUpdate: twice })).toBe(
      `Expected each task once, found ${FORMER} twice; put its changes into one entry.`,
    )
  })
})

describe('responses', () => {
  test('have short IDs over MCP and long ones over REST, which also supports short ones', async () => {
    const connected = await connect()
    const { ask } = await askerOf({ to: connected })
    const id = await documentOf(connected, 'words')
    const long = `${connected.space.info.idPrefix}-${id}`
    expect(id).toMatch(/^\d{12}$/)
    expect((await ask(`GET /blocks?id=${id}`)).json.id).toBe(long)
    expect((await ask(`GET /blocks?id=${long}&ids=short`)).json.id).toBe(id)
    expect((await ask('GET /documents')).json.items[0]).toMatchObject({ id: long, rootBlockId: long })
  })

  test('spell the IDs in links in the same way, including older ones', async () => {
    const connected = await connect()
    const { ask } = await askerOf({ to: connected })
    const target = await documentOf(connected, 'words')
    await withFormerId(connected, target)
    const long = `${connected.space.info.idPrefix}-${target}`
    const markdown = `[a](block://${target}) [b](block://${FORMER}) [c](block://${long}) and \`block://${FORMER}\``
    const id = await documentOf(connected, markdown)
    const line = (spelled: string) =>
      `[a](block://${spelled}) [b](block://${spelled}) [c](block://${spelled}) and \`block://${FORMER}\``
    expect((await connected.call('blocks_get', { id })).content[0].markdown).toBe(line(target))
    expect((await ask(`GET /blocks?id=${id}`)).json.content[0].markdown).toBe(line(long))
  })
})

test('an ID is never reused', async () => {
  const connected = await connect()
  const id = await documentOf(connected, 'words')
  const { content } = await connected.call('blocks_get', { id })
  await connected.call('blocks_delete', { blockIds: [content[0].id] })
  const drawn = [Number(content[0].id), Number(id), Number(content[0].id) + 50]
  await connected.space.write(OPERATOR_LINK, async (view) => {
    const drawing = view.withLink(OPERATOR_LINK, { ...view.chance, drawIds: () => [drawn.shift() ?? 0] })
    expect(await drawing.newIds(1)).toEqual([Number(content[0].id) + 50])
  })
})
