import { expect, test, vi } from 'vitest'
import { Connection } from '../../storage/sqlite/connection.ts'
import { connect } from '../connect.ts'

test('x', { timeout: 60_000 }, async () => {
  const c = await connect()
  let log: string[] = []
  const texts = (s: any) => s.compile((globalThis as any).D).text.replace(/\s+/g, ' ').slice(0, 90)
  const { SQLITE } = await import('../../storage/sqlite/dialect.ts'); (globalThis as any).D = SQLITE
  for (const m of ['all', 'get', 'run', 'batch'] as const) {
    const real = Connection.prototype[m] as any
    vi.spyOn(Connection.prototype, m).mockImplementation(function (this: any, s: any, ...rest: any[]) {
      const n = m === 'batch' ? Math.ceil(rest[0].length / 100) : 1
      for (let i = 0; i < n; i++) log.push(texts(s))
      return real.call(this, s, ...rest)
    } as any)
  }
  const out: string[] = []
  const run = async (name: string, args: object, show = true) => {
    log = []
    const answer = await c.call(name, args).catch((e: Error) => { out.push(name + ' REFUSED ' + e.message.slice(0, 300)); return { items: [] } })
    if (show) {
      const counts = new Map<string, number>()
      for (const t of log) counts.set(t, (counts.get(t) ?? 0) + 1)
      out.push(`${name}: ${log.length}`)
      for (const [t, n] of [...counts].sort((a, b) => b[1] - a[1]).slice(0, 12)) if (n > 1) out.push(`     ${n} × ${t}`)
    }
    return answer
  }
  const md = Array.from({ length: 10 }, (_, i) => `line ${i}`).join('\n\n')
  const docs = await run('documents_add', { documents: Array.from({ length: 50 }, (_, i) => ({ title: `D${i}`, markdown: md })) })
  const ids = docs.items.map((x: any) => x.id)
  await run('documents_list', { limit: 50 })
  await run('documents_move', { documentIds: ids.slice(0, 20), destination: { destination: 'templates' } })
  await run('documents_delete', { documentIds: ids.slice(20, 40) })
  const page = ids[0]
  const added = await run('blocks_add', { markdown: Array.from({ length: 40 }, (_, i) => `- [ ] task ${i}`).join('\n'), position: { position: 'end', pageId: page } })
  const b = added.items.map((x: any) => x.id)
  await run('blocks_get', { id: page })
  await run('blocks_update', { blocks: b.slice(0, 20).map((id: string) => ({ id, markdown: 'changed' })) })
  await run('blocks_move', { blockIds: b.slice(0, 20), position: { position: 'end', pageId: ids[41] } })
  await run('tasks_update', { tasksToUpdate: b.slice(20, 25).map((id: string) => ({ id, taskInfo: { state: 'done' } })) })
  await run('tasks_list', { scope: 'all', limit: 100 })
  await run('tasks_add', { tasks: Array.from({ length: 20 }, (_, i) => ({ markdown: `t${i}`, location: { type: 'inbox' } })) })
  await run('documents_search', { include: 'line' })
  await run('documents_search', { regexps: ['li.e'] })
  const col = await run('collections_add', { schema: { name: 'C', properties: [{ name: 'A', type: 'number' }, { name: 'S', type: 'multiSelect', options: [{ name: 'x' }] }, { name: 'R', type: 'relation' }] }, position: { position: 'end', pageId: ids[42] } })
  const items = await run('items_add', { collectionId: col.collectionBlockId, allowNewSelectOptions: true, items: Array.from({ length: 50 }, (_, i) => ({ title: `i${i}`, properties: { a: i, s: ['x', `n${i % 5}`] }, markdown: 'text' })) })
  const it = items.items.map((x: any) => x.id)
  await run('items_update', { collectionId: col.collectionBlockId, itemsToUpdate: it.map((id: string) => ({ id, title: 'new', properties: { a: 5 } })) })
  await run('items_list', { collectionId: col.collectionBlockId, limit: 50 })
  await run('items_delete', { idsToDelete: it.slice(0, 20), collectionId: col.collectionBlockId })
  const wb = await run('whiteboards_add', { position: { position: 'end', pageId: ids[43] } })
  const els = Array.from({ length: 100 }, (_, i) => ({ id: `e${i}`, type: 'text', text: 'x', x: i, y: 0, width: 10, height: 10 }))
  await run('elements_add', { whiteboardBlockId: wb.whiteboardBlockId, elements: els })
  await run('elements_update', { whiteboardBlockId: wb.whiteboardBlockId, elements: els.map((e) => ({ id: e.id, x: 7 })) })
  await run('elements_delete', { whiteboardBlockId: wb.whiteboardBlockId, elementIds: els.slice(0, 50).map((e) => e.id) })
  await run('comments_add', { comments: b.slice(25, 35).map((blockId: string) => ({ blockId, content: 'c' })) })
  await run('reminders_add', { reminders: b.slice(25, 35).map((blockId: string) => ({ blockId, remindAt: '2026-11-25T10:00:00Z' })) })
  await run('reminders_list', {})
  await run('blocks_delete', { blockIds: b.slice(20, 40) })
  await run('folders_add', { folders: Array.from({ length: 20 }, (_, i) => ({ name: `F${i}` })) })
  await run('folders_list', {})
  await run('collections_list', {})
  console.log(out.join('\n'))
})
