/** Undo and restoring, by a person in a browser without scripts. */
import { beforeEach, describe, expect, test } from 'vitest'
import { type Program, program } from './sample-space.ts'
import { offers, servePages, textOf, type Visited, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

type Served = Awaited<ReturnType<typeof servePages>>

let serving: Served
let visitor: Visitor
let codex: Program
let anna: Program
let plan: string

beforeEach(async () => {
  serving = await servePages()
  visitor = await visitAsOperator(serving)
  anna = program(serving.space, 'editor')
  codex = program(serving.space, 'codex', { author: 'Robot' })
  const { items } = await anna('documents_add', { documents: [{ title: 'Plan', markdown: 'First words.' }] })
  plan = items[0].id
  serving.clock.now += 60_000
})

const blocks = async () => (await anna('blocks_get', { id: plan })).content as { id: string; markdown: string }[]
const texts = async () => (await blocks()).map(({ markdown }) => markdown)

async function addByCodex(markdown: string): Promise<void> {
  await codex('blocks_add', { markdown, position: { position: 'end', pageId: plan } })
  serving.clock.now += 60_000
}

/** The path of a page, below the base address. */
const pathOf = ({ url }: Visited): string => new URL(url).pathname.slice(new URL(visitor.base).pathname.length)

const latestCall = async (): Promise<string> => (await anna('history_list', { limit: 1 })).items[0].callId

describe('one call', () => {
  test('is undone at once, and that can be undone as well', async () => {
    await addByCodex('An idea.')
    const now = await visitor.get('/now')
    expect(textOf(now)).toContain('codex added a block to Plan')
    const after = await visitor.press(now, 'Undo')
    expect(textOf(after)).toContain('Taken back.')
    expect(await texts()).toEqual(['First words.'])
    const redone = await visitor.press(after, 'Redo')
    expect(textOf(redone)).toContain('Done again.')
    expect(await texts()).toEqual(['First words.', 'An idea.'])
    const again = await visitor.press(redone, 'Undo')
    expect(textOf(again)).toContain('Taken back.')
    expect(await texts()).toEqual(['First words.'])
  })

  test('leads back to the page that it was asked for on, also from the panel, while that page is there', async () => {
    await addByCodex('An idea.')
    const path = `/d/${plan}/history`
    const after = await visitor.press(await visitor.get(path), 'Undo')
    expect([pathOf(after), textOf(after)]).toEqual([path, expect.stringContaining('Taken back.')])
    const panel = { ...(await visitor.get('/activity')), url: `${visitor.base}/d/${plan}` }
    const redone = await visitor.press(panel, 'Redo')
    expect([pathOf(redone), textOf(redone)]).toEqual([`/d/${plan}`, expect.stringContaining('Done again.')])
    const [page] = (
      await anna('blocks_add', { markdown: '<page>Gone</page>', position: { pageId: plan, position: 'end' } })
    ).items
    const gone = await visitor.press({ ...(await visitor.get('/now')), url: `${visitor.base}/d/${page.id}` }, 'Undo')
    expect([pathOf(gone), textOf(gone)]).toEqual(['/now', expect.stringContaining('Taken back.')])
    const elsewhere = { ...(await visitor.get('/now')), url: 'https://elsewhere.example/d/100000000001' }
    expect(pathOf(await visitor.press(elsewhere, 'Redo'))).toBe('/now')
  })

  test('that another call changed since is shown first, with who and what', async () => {
    await addByCodex('An idea.\n\nAnother.')
    const [, idea] = await blocks()
    await anna('blocks_update', { blocks: [{ id: idea?.id, markdown: 'My idea.' }] })
    const page = await visitor.get('/now?connection=codex')
    const question = await visitor.press(page, 'Undo')
    expect(textOf(question)).toContain('This was changed later and stays as it is: Changed a block in Plan editor')
    expect(await texts()).toEqual(['First words.', 'My idea.', 'Another.'])
    const after = await visitor.press(question, 'Undo the rest')
    expect(textOf(after)).toContain('Taken back, but for what others changed later.')
    expect(await texts()).toEqual(['First words.', 'My idea.'])
  })

  test('whose every change was changed by others offers no undo', async () => {
    await addByCodex('An idea.')
    const [, idea] = await blocks()
    await anna('blocks_update', { blocks: [{ id: idea?.id, markdown: 'My idea.' }] })
    const question = await visitor.press(await visitor.get('/now?connection=codex'), 'Undo')
    expect(question.status).toBe(409)
    expect(textOf(question)).toContain('Nothing to take back')
    expect(offers(question, 'Back')).toBe(true)
  })
})

test('all calls of an agent are undone after a preview', async () => {
  await addByCodex('An idea.')
  await addByCodex('Another.')
  const now = await visitor.get('/now')
  const [, path = ''] = /href="[^"]*(\/undo\?connection=codex[^"]*)"/.exec(now.text) ?? []
  const question = await visitor.get(path.replaceAll('&amp;', '&'))
  expect(textOf(question)).toContain('2 changes would be taken back: Plan: 2 blocks deleted')
  expect(textOf(question)).toContain('− Removed: An idea. − Removed: Another.')
  expect(await texts()).toHaveLength(3)
  await visitor.press(question, 'Undo')
  expect(await texts()).toEqual(['First words.'])
})

test('an earlier version of a document is restored after a preview', async () => {
  await addByCodex('An idea.')
  await addByCodex('Another.')
  const history = await visitor.get(`/d/${plan}/history`)
  expect(textOf(history)).toContain('codex made changes: 2 blocks added')
  const [, second = ''] = [...history.text.matchAll(/<option value="(\d+)"/g)].map(([, id]) => id)
  const compared = await visitor.press(history, 'Compare', { from: second })
  expect(textOf(compared)).toContain('+ Added: Another.')
  expect(textOf(await visitor.get(`/d/${plan}/at/${second}`))).not.toContain('Another.')
  const question = await visitor.press(compared, 'Restore the earlier one…')
  expect(textOf(question)).toContain('Restore an earlier moment?')
  expect(await texts()).toHaveLength(3)
  const after = await visitor.press(question, 'Restore')
  expect(textOf(after)).toContain('The earlier version is back.')
  expect(await texts()).toEqual(['First words.', 'An idea.'])
})

test('the history shows what each burst changed, side by side, and restores it by one click', async () => {
  await addByCodex('An idea.')
  serving.clock.now += 60 * 60_000
  await addByCodex('Another.')
  const history = await visitor.get(`/d/${plan}/history`)
  // The latest is shown first, and is what there is.
  expect(textOf(history)).toMatch(/Before ?After .*\+ Added: Another\./)
  expect(textOf(history)).not.toContain('Restore this version')
  const [, , earlier = ''] = [...history.text.matchAll(/history\?shown=(\d+)#moment/g)].map(([, id]) => id)
  const second = [...history.text.matchAll(/history\?shown=(\d+)#moment/g)][1]?.[1] ?? ''
  expect(earlier).not.toBe('')
  const shown = await visitor.get(`/d/${plan}/history?shown=${second}`)
  expect(textOf(shown)).toMatch(/Before ?After .*\+ Added: An idea\./)
  expect(shown.text).toContain('aria-current="true"')
  const after = await visitor.press(shown, 'Restore this version')
  expect(textOf(after)).toContain('The earlier version is back.')
  expect(await texts()).toEqual(['First words.', 'An idea.'])
  const undone = await visitor.press(after, 'Undo')
  expect(textOf(undone)).toContain('Taken back.')
  expect(await texts()).toEqual(['First words.', 'An idea.', 'Another.'])
  expect(textOf(await visitor.press(undone, 'Redo'))).toContain('Done again.')
  expect(await texts()).toEqual(['First words.', 'An idea.'])
})

describe('restoring a version', () => {
  const words = async () => (await texts()).map((one) => one.replace(/<[^>]+>/g, ''))
  const comments = async () =>
    (await anna('comments_list', { documentId: plan })).items.map(({ content }: { content: string }) => content)
  const comment = (blockId: string | undefined, content: string) =>
    anna('comments_add', { comments: [{ blockId, content }] })

  test('keeps the comments on what stays, and asks before others go', async () => {
    const before = await latestCall()
    const [first] = await blocks()
    await comment(first?.id, 'On what stays.')
    const none = await visitor.press(await visitor.get(`/d/${plan}/at/${before}`), 'Restore this version')
    expect([none.status, textOf(none)]).toEqual([400, expect.stringContaining('Nothing but comments was changed')])
    await anna('blocks_update', { blocks: [{ id: first?.id, markdown: 'Other words.' }] })
    const restored = await visitor.press(await visitor.get(`/d/${plan}/at/${before}`), 'Restore this version')
    expect(textOf(restored)).toContain('The earlier version is back. Comments on what is still there stayed.')
    expect([await words(), await comments()]).toEqual([['First words.'], ['On what stays.']])

    await addByCodex('An idea.')
    const [, idea] = await blocks()
    await comment(idea?.id, 'On what goes.')
    const question = await visitor.press(await visitor.get(`/d/${plan}/at/${before}`), 'Restore this version')
    expect(textOf(question)).toContain('1 comment is about what goes, and goes with it. All others stay.')
    expect(await comments()).toHaveLength(2)
    // One that came after the question is asked about, too.
    await comment(idea?.id, 'Another on what goes.')
    const again = await visitor.press(question, 'Restore')
    expect(textOf(again)).toContain('2 comments are about what goes, and go with it. All others stay.')
    const done = await visitor.press(again, 'Restore')
    expect(textOf(done)).toContain('The earlier version is back.')
    expect([await words(), await comments()]).toEqual([['First words.'], ['On what stays.']])
    await visitor.press(done, 'Undo')
    expect(await words()).toEqual(['First words.', 'An idea.'])
    expect(await comments()).toHaveLength(3)
  })
})

test('a burst is one line with one Undo, which shows all of it before', async () => {
  await addByCodex('An idea.')
  await addByCodex('Another.')
  const now = await visitor.get('/now')
  expect(textOf(now)).toContain('codex worked on Plan: 2 blocks added in a minute')
  expect(textOf(now)).toContain('2 changes')
  const question = await visitor.press(now, 'Undo')
  expect(textOf(question)).toContain('2 changes would be taken back')
  await visitor.press(question, 'Undo')
  expect(await texts()).toEqual(['First words.'])
})

test('a burst that others wrote in between says that its difference is also theirs', async () => {
  await addByCodex('An idea.')
  const alone = await visitor.get(`/d/${plan}/history`)
  expect(textOf(alone)).not.toContain('others changed in between')
  await anna('blocks_add', { markdown: 'Mine.', position: { position: 'end', pageId: plan } })
  serving.clock.now += 60_000
  await addByCodex('Another.')
  const history = await visitor.get(`/d/${plan}/history`)
  expect(textOf(history)).toMatch(/\+ Added: Mine\./)
  expect(textOf(history)).toContain('Also shows what others changed in between.')
})

test('what an agent wrote over REST is undone by its link, where no connection names it', async () => {
  const robot = await serving.link({ name: 'Robot' })
  const write = (markdown: string) =>
    robot.ask('POST /blocks?ids=short', { markdown, position: { position: 'end', pageId: plan } })
  expect((await write('One.')).status).toBe(200)
  serving.clock.now += 1_000
  await write('Two.')
  const now = await visitor.get('/now')
  expect(textOf(now)).toMatch(/Robot worked on Plan: 2 blocks added/)
  expect(textOf(now)).toMatch(/Who wrote Robot 2 changes, now .*Undo all since/)
  const [, href = ''] = /<a class="button" href="[^"]*(\/undo\?link=[^"]+)">Undo all since/.exec(now.text) ?? []
  await visitor.press(await visitor.get(href.replaceAll('&amp;', '&')), 'Undo')
  expect(await texts()).toEqual(['First words.'])
})

test('an earlier version is restored without what was taken back already', async () => {
  await addByCodex('An idea.')
  await addByCodex('Another.')
  const [, , another] = await blocks()
  await visitor.send('/undo', { calls: await latestCall() })
  const history = await visitor.get(`/d/${plan}/history`)
  const oldest = [...history.text.matchAll(/<option value="(\d+)"/g)].at(-1)?.[1] ?? ''
  const question = await visitor.get(`/undo?document=${plan}&since=${oldest}`)
  expect(textOf(question)).not.toContain(another?.markdown)
  expect(textOf(question)).toContain('− Removed: An idea.')
  await visitor.press(question, 'Restore')
  expect(await texts()).toEqual(['First words.'])
})

test('several calls are undone only after a preview', async () => {
  await addByCodex('An idea.')
  await addByCodex('Another.')
  const ids = (await anna('history_list', { connection: 'codex' })).items.map(
    ({ callId }: { callId: string }) => callId,
  )
  const question = await visitor.post('/undo', { calls: ids.join(',') })
  expect(textOf(question)).toContain('2 changes would be taken back')
  expect(await texts()).toHaveLength(3)
})

test('a link that may not delete undoes what was changed, and nothing that was added', async () => {
  await addByCodex('An idea.')
  const writer = await visitByLink(serving, { access: 'no-delete' })
  const now = await writer.get('/now?connection=codex')
  const refused = await writer.press(now, 'Undo')
  expect(refused.status).toBe(403)
  expect(textOf(refused)).toContain('Expected calls whose undo deletes nothing')
  const [, callId = ''] = /id="burst-(\d+)"/.exec(now.text) ?? []
  for (const fields of [{ confirmed: 'yes' }, { confirmed: 'yes', skip: 'yes' }])
    expect((await writer.post('/undo', { calls: callId, ...fields })).status).toBe(403)
  const [, second = ''] = [...(await writer.get(`/d/${plan}/history`)).text.matchAll(/<option value="(\d+)"/g)].map(
    ([, id]) => id,
  )
  const question = await writer.get(`/undo?document=${plan}&since=${second}`)
  expect(textOf(question)).toContain('Expected calls whose undo deletes nothing')
  expect(await texts()).toEqual(['First words.', 'An idea.'])
  const [, idea] = await blocks()
  await codex('blocks_update', { blocks: [{ id: idea?.id, markdown: 'Another idea.' }] })
  await writer.send('/undo', { calls: await latestCall() })
  expect(await texts()).toEqual(['First words.', 'An idea.'])
})

test('a read-only link shows what happened, and offers nothing', async () => {
  await addByCodex('An idea.')
  const reader = await visitByLink(serving, { access: 'read' })
  const now = await reader.get('/now')
  expect(textOf(now)).toContain('codex added a block to Plan')
  expect(now.text).not.toContain('<button>Undo')
  const [, callId = ''] = /id="burst-(\d+)"/.exec(now.text) ?? []
  expect((await reader.post('/undo', { calls: callId })).status).toBe(403)
  expect(await texts()).toHaveLength(2)
})

test('tasks in no document are added to the inbox of tasks, which is no document', async () => {
  await anna('tasks_add', { tasks: [{ markdown: 'Pay the diver' }, { markdown: 'Renew' }] })
  const document = (await anna('documents_add', { documents: [{ title: 'Inbox' }] })).items[0].id
  const { text } = await visitor.get('/now')
  expect(text).toMatch(
    /added tasks “Pay the diver” and “Renew” to <a href="[^"]*\/tasks\?scope=inbox"><b>Task inbox<\/b><\/a>/,
  )
  expect(text).toMatch(new RegExp(`added <a href="[^"]*/d/${document}"><b>Inbox</b></a>`))
  const steps = [
    { tool: 'tasks_add', arguments: { tasks: [{ markdown: 'Call' }] } },
    { tool: 'documents_add', arguments: { documents: [{ title: 'Rates', markdown: 'words' }] } },
  ]
  await anna('batch', { steps })
  const { callId } = (await anna('history_list', { limit: 1 })).items[0]
  expect((await visitor.get(`/calls/${callId}`)).text).toMatch(/<h2>Task inbox<\/h2>[\s\S]*<h2>Rates<\/h2>/)
})

test('previews and proposals name the lists of tasks, unless a document has their title', async () => {
  const robot = program(serving.space, 'research', { author: 'Robot', access: 'propose' })
  await codex('tasks_add', { tasks: [{ markdown: 'Pay the diver', location: { type: 'inbox' } }] })
  const callId = await latestCall()
  await robot('tasks_add', { tasks: [{ markdown: 'Renew', location: { type: 'inbox' } }] })
  const texts = async (headers: Record<string, string> = {}) => {
    const pages = [await visitor.get(`/undo?calls=${callId}`, headers), await visitor.get('/waiting', headers)]
    return pages.map((page) => textOf(page))
  }
  for (const text of await texts()) {
    expect(text).toContain('Task inbox')
    expect(text).not.toContain('Inbox')
  }
  await anna('documents_add', { documents: [{ title: 'Inbox' }] })
  for (const text of await texts()) expect(text).not.toContain('Task inbox')
})
