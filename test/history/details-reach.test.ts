/** The details of a difference hide what texts name out of reach, as wherever these texts are read. */
import { expect, test } from 'vitest'
import { connect } from '../connect.ts'

test('details of comments and elements do not name blocks out of reach', async () => {
  const full = await connect()
  const { items } = await full.call('documents_add', {
    documents: [{ title: 'Plan', markdown: 'one' }, { title: 'Hidden' }],
  })
  const [plan, hidden] = items.map(({ id }: { id: string }) => id)
  const position = { position: 'end', pageId: plan }
  const narrow = await connect('selected', { to: full, documents: [plan] })
  const { whiteboardBlockId } = await full.call('whiteboards_add', { position })
  const { content } = await full.call('blocks_get', { id: plan })
  const calls: [tool: string, args: object][] = [
    ['comments_add', { comments: [{ blockId: content[0].id, content: `see [it](block://${hidden})` }] }],
    [
      'elements_add',
      { whiteboardBlockId, elements: [{ id: 'gate', type: 'rectangle', link: `block://${hidden}`, x: 0, y: 0 }] },
    ],
  ]
  for (const [tool, args] of calls) {
    await full.call(tool, args)
    const { items: found } = await narrow.call('history_list', { limit: 1 })
    const input = { call: found[0].callId }
    expect((await full.call('history_list', input)).diff).toContain(hidden)
    const { diff } = await narrow.call('history_list', input)
    expect(diff).toContain('@@ details')
    expect(diff).not.toContain(hidden)
  }
})
