/** The spellings of IDs that callers may send, and those in responses. */
import { describe, expect, test } from 'vitest'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { connect } from '../connect.ts'
import { documentOf } from '../document.ts'
import { askerOf } from '../rest/rest-asker.ts'
import { changeRows, rowsOf } from '../sqlite.ts'

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
    const spelled = sent(id, connected.space.info.addressKey.idPrefix)
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
    const long = `${connected.space.info.addressKey.idPrefix}-${id}`
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
    const long = `${connected.space.info.addressKey.idPrefix}-${target}`
    const markdown = `[a](block://${target}) [b](block://${FORMER}) [c](block://${long}) and \`block://${FORMER}\``
    const id = await documentOf(connected, markdown)
    const line = (spelled: string) =>
      `[a](block://${spelled}) [b](block://${spelled}) [c](block://${spelled}) and \`block://${FORMER}\``
    expect((await connected.call('blocks_get', { id })).content[0].markdown).toBe(line(target))
    expect((await ask(`GET /blocks?id=${id}`)).json.content[0].markdown).toBe(line(long))
  })
})

describe('a link to a block of another space', () => {
  const NOTE = (path: string, url: string) =>
    `${path}: ${url} leads to nothing that this connection reaches, and is shown as invalid:out_of_scope; give the ID of a block of this space.`

  test('is shown as out of scope, and the answer to the write says so, over MCP and REST', async () => {
    const connected = await connect()
    const { ask } = await askerOf({ to: connected })
    const target = await documentOf(connected, 'words')
    const own = `${connected.space.info.addressKey.idPrefix}-${target}`
    const foreign = [`00000000-0000-8000-8000-${target}`, FORMER]
    for (const uuid of foreign) {
      const url = `block://${uuid}`
      const documents = [{ title: `See ${url}`, markdown: `[a](${url}) [own](block://${own}) \`${url}\`` }]
      const { content } = await connected.client.callTool({ name: 'documents_add', arguments: { documents } })
      const note = `${NOTE('documents[0].title', url)} ${NOTE('documents[0].markdown', url)}`
      expect(content).toContainEqual({ type: 'text', text: note })
      const posted = await ask('POST /documents', { documents })
      expect(posted.headers.get('x-scriptorium-note')).toBe(note)
      const [{ id }] = posted.json.items
      const { markdown, content: blocks } = (await ask(`GET /blocks?id=${id}&ids=short`)).json
      expect(markdown).toBe('See invalid:out_of_scope')
      const line = `[a](invalid:out_of_scope) [own](block://${target}) \`${url}\``
      expect(blocks[0].markdown).toBe(line)
      // What was hidden comes back when the text is written again.
      await connected.call('blocks_update', { blocks: [{ id: blocks[0].id, markdown: `${line}, more` }] })
      const [stored] = await connected.space.read(OPERATOR_LINK, ({ tx }) =>
        rowsOf<{ text: string }>(tx, 'SELECT text FROM block WHERE id = ?', Number(blocks[0].id)),
      )
      expect(stored?.text).toContain(`[a](${url})`)
    }
  })

  test('is not reported where it is known, and for a narrow connection wherever it leads out of reach', async () => {
    const connected = await connect()
    const hidden = await documentOf(connected, 'words')
    const shown = await documentOf(connected, 'words')
    await withFormerId(connected, hidden)
    const texts = async (to: Awaited<ReturnType<typeof connect>>, markdown: string) => {
      const position = { position: 'end', pageId: shown }
      const { content } = await to.client.callTool({ name: 'blocks_add', arguments: { markdown, position } })
      return (content as { text: string }[]).slice(1).map(({ text }) => text)
    }
    const link = (id: string) => `[a](block://${id})`
    for (const id of [hidden, FORMER]) expect(await texts(connected, link(id))).toEqual([])
    const selected = await connect('selected', { to: connected, documents: [shown] })
    expect(await texts(selected, link(shown))).toEqual([])
    for (const id of [hidden, FORMER, FORMER.replace('dead', 'beef'), '999999999999']) {
      expect(await texts(selected, link(id))).toEqual([NOTE('markdown', `block://${id}`)])
    }
  })
})

test('an ID is never reused', async () => {
  const connected = await connect()
  const id = await documentOf(connected, 'words')
  const { content } = await connected.call('blocks_get', { id })
  await connected.call('blocks_delete', { blockIds: [content[0].id] })
  const drawn = [Number(content[0].id), Number(id), Number(content[0].id) + 50]
  await connected.space.write(OPERATOR_LINK, async (view) => {
    const drawing = view.withLink(OPERATOR_LINK, { ...view.chance, generateIds: () => [drawn.shift() ?? 0] })
    expect(await drawing.newIds(1)).toEqual([Number(content[0].id) + 50])
  })
})
