/** Whatever calls are made in whatever order, the space stays consistent, and refused calls change nothing. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Connected, connect } from '../connect.ts'
import { indexFaults } from '../search.ts'
import { brokenLaws } from '../sound.ts'
import { rowsOf } from '../sqlite.ts'
import { runs } from '../support/runs.ts'

async function inspect({ space }: Connected): Promise<{ broken: string[]; contents: string; ids: string[] }> {
  const link = await space.createAccessLink('full', [], 'test')
  return space.read(link, async ({ tx }) => {
    const broken = [...(await brokenLaws(tx)), ...(await indexFaults(tx))]
    const rows: object[][] = []
    for (const table of ['block', 'document', 'folder', 'reminder', 'comment']) {
      rows.push(await rowsOf(tx, `SELECT * FROM ${table} ORDER BY n`))
    }
    const blocks = await rowsOf<{ id: string }>(tx, 'SELECT id FROM block ORDER BY n')
    return { broken, contents: JSON.stringify(rows), ids: blocks.map(({ id }) => id) }
  })
}

const pick = fc.nat({ max: 40 })
const markdown = fc.constantFrom(
  'words',
  '# a\n\nb',
  '- a\n  - b\n- c',
  '<page>\n<pageTitle>p</pageTitle>\n<content>\nx\n\ny\n</content>\n</page>',
  '---',
  '- [ ] task\n- [x] done',
  '| a |\n| - |\n| b |',
  '',
)
const at = fc.constantFrom('start', 'end', 'before', 'after', 'today')
const place = fc.constantFrom('inbox', 'dailyNote', 'document')
const state = fc.constantFrom('todo', 'done', 'canceled')
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ call: fc.constant('add'), markdown, at, to: pick }) },
  {
    weight: 4,
    arbitrary: fc.record({
      call: fc.constant('move'),
      which: fc.array(pick, { minLength: 1, maxLength: 3 }),
      at,
      to: pick,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ call: fc.constant('delete'), which: fc.array(pick, { minLength: 1, maxLength: 2 }) }),
  },
  { weight: 2, arbitrary: fc.record({ call: fc.constant('update'), to: pick, markdown }) },
  { weight: 3, arbitrary: fc.record({ call: fc.constant('edit'), to: pick, markdown, keep: fc.nat({ max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ call: fc.constant('task'), place, repeats: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ call: fc.constant('do'), to: pick, state, place: fc.option(place) }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constant('comment'), to: pick }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constant('remind'), to: pick }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constant('trash'), to: pick }) },
  { weight: 1, arbitrary: fc.record({ call: fc.constant('restore'), to: pick }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function positionOf(at: string, id: string): object {
  if (at === 'today') return { position: 'end', date: 'today' }
  return at === 'start' || at === 'end' ? { position: at, pageId: id } : { position: at, siblingId: id }
}

async function run({ client }: Connected, ids: readonly string[], one: Step): Promise<boolean> {
  const id = (index: number) => ids[index % ids.length] ?? ''
  const call = async (name: string, args: Record<string, unknown>) => {
    const { isError, content } = await client.callTool({ name, arguments: args })
    const texts = (content as { text: string }[]).map(({ text }) => text)
    expect(texts.join(' ')).not.toContain('a fault of this server')
    return { refused: isError === true, texts }
  }
  const documentIds = 'to' in one ? [id(one.to)] : []
  const placed = (type: string) => (type === 'document' ? { type, documentId: ids[1] } : { type })
  switch (one.call) {
    case 'add':
      return (await call('blocks_add', { markdown: one.markdown, position: positionOf(one.at, id(one.to)) })).refused
    case 'move':
      return (await call('blocks_move', { blockIds: one.which.map(id), position: positionOf(one.at, id(one.to)) }))
        .refused
    case 'delete':
      return (await call('blocks_delete', { blockIds: one.which.map(id) })).refused
    case 'update':
      return (await call('blocks_update', { blocks: [{ id: id(one.to), markdown: one.markdown }] })).refused
    case 'edit': {
      const { texts } = await call('blocks_get', { id: id(one.to), format: 'markdown' })
      const revision = /Revision (\S+)\.$/.exec(texts[1] ?? '')?.[1] ?? ''
      const parts = (texts[0] ?? '').split('\n\n')
      const text = [...parts.slice(0, one.keep), one.markdown, ...parts.slice(one.keep + 1)].join('\n\n')
      return (await call('blocks_update', { pageId: id(one.to), markdown: text, revision })).refused
    }
    case 'task': {
      const repeat = one.repeats ? { type: 'flexible', frequency: 'daily' } : undefined
      return (await call('tasks_add', { tasks: [{ markdown: 'to do', location: placed(one.place), repeat }] })).refused
    }
    case 'do': {
      const location = one.place === null ? undefined : placed(one.place)
      const task = { id: id(one.to), taskInfo: { state: one.state }, location }
      return (await call('tasks_update', { tasksToUpdate: [task] })).refused
    }
    case 'comment':
      return (await call('comments_add', { comments: [{ blockId: id(one.to), content: 'said' }] })).refused
    case 'remind':
      return (await call('reminders_add', { reminders: [{ blockId: id(one.to) }] })).refused
    case 'trash':
      return (await call('documents_delete', { documentIds })).refused
    default:
      return (await call('documents_move', { documentIds, destination: { destination: 'unsorted' } })).refused
  }
}

test('any sequence of calls leaves a consistent space, and a rejected one leaves it unchanged', {
  timeout: 90_000,
}, async () => {
  let refused = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const connected = await connect()
      for (const title of ['One', 'Two']) {
        await connected.call('documents_add', {
          documents: [{ title, markdown: 'first\n\n- item\n\n<page><pageTitle>in it</pageTitle></page>' }],
        })
      }
      let before = await inspect(connected)
      for (const one of steps) {
        const wasRefused = await run(connected, before.ids, one)
        const after = await inspect(connected)
        expect(after.broken).toEqual([])
        if (wasRefused) expect(after.contents).toBe(before.contents)
        refused += wasRefused ? 1 : 0
        before = after
      }
    }),
    { numRuns: runs(6, 60) },
  )
  expect(refused).toBeGreaterThan((5 / 6) * runs(6, 60))
})
