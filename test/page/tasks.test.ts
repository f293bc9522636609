/** Tasks, their reminders, and comments, by forms without scripts. */
import { beforeEach, describe, expect, test } from 'vitest'
import { program } from './sample-space.ts'
import { offers, servePages, textOf, type Visited, type Visitor, visitAsOperator, visitByLink } from './visiting.ts'

let serving: Awaited<ReturnType<typeof servePages>>
let visitor: Visitor
let anna: ReturnType<typeof program>
let plan: string
let call: string

beforeEach(async () => {
  serving = await servePages()
  anna = program(serving.space, 'editor')
  const added = await anna('documents_add', {
    documents: [{ title: 'Plan', markdown: 'Before **it** starts:\n\n- [ ] Call the port' }],
  })
  plan = added.items[0].id
  call = (await anna('tasks_list', { scope: 'document', documentId: plan })).items[0].id
  visitor = await visitAsOperator(serving)
})

const taskOf = async (id: string) =>
  (await anna('tasks_list', { scope: 'all' })).items.find((one: { id: string }) => one.id === id)
/** The form of a task with its current values. */
const formOf = (id: string): Promise<Visited> => visitor.get(`/tasks/${id}/edit?back=/tasks`)
const asRead = { text: 'Call the port', place: '', frequency: '' }

test('a form leads back to its page without what that page said in passing', async () => {
  const back = '/tasks?scope=inbox&notice=saved&call=12&document=34&back=%2Fnow'
  const { headers } = await visitor.post('/tasks/new', { text: 'Call the port', back })
  expect(headers.get('location')).toMatch(/\/tasks\?scope=inbox$/)
})

test('a new task with a day that is none comes back with its words', async () => {
  const refused = await visitor.post('/tasks/new', { text: 'Water plants', date: 'every week', back: '/tasks' })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('value="Water plants"')
  expect(refused.text).toContain('value="every week"')
  expect(textOf(refused)).toContain('is no day of the calendar')
  expect(textOf(refused)).not.toContain('tasks[0]')
})

describe('a task', () => {
  test('takes a day in words at its end, unless its date is given', async () => {
    const add = async (text: string, fields: Record<string, string> = {}) => {
      await visitor.send('/tasks/new', { text, place: 'inbox', back: '/tasks?scope=inbox', ...fields })
      const { items } = await anna('tasks_list', { scope: 'inbox' })
      const { markdown, taskInfo } = items[0]
      return [markdown, taskInfo.scheduleDate, taskInfo.deadlineDate]
    }
    expect(await add('Pay the diver tomorrow')).toEqual(['- [ ] Pay the diver', '2026-11-21', undefined])
    expect(await add('Report by monday')).toEqual(['- [ ] Report', undefined, '2026-11-23'])
    expect(await add('Taucher zahlen übermorgen')).toEqual(['- [ ] Taucher zahlen', '2026-11-22', undefined])
    expect(await add('See you tomorrow', { date: '2026-12-01' })).toEqual([
      ...['- [ ] See you tomorrow', '2026-12-01', undefined],
    ])
    expect(await add('Prepare for tomorrow')).toEqual(['- [ ] Prepare for tomorrow', undefined, undefined])
    // It was typed two days ago, and waited for the connection.
    const waited = `${2 * 86_400_000}`
    expect(await add('Call tomorrow', { waited })).toEqual(['- [ ] Call', '2026-11-19', undefined])
  })

  test('is added to the inbox with a date', async () => {
    const page = await visitor.get('/tasks?scope=upcoming')
    const after = await visitor.press(page, 'Add', { text: 'Pay the diver', date: '2031-05-04', place: 'inbox' })
    expect(textOf(after)).toContain('Pay the diver')
    const { items } = await anna('tasks_list', { scope: 'inbox' })
    expect(items).toMatchObject([{ markdown: '- [ ] Pay the diver', taskInfo: { scheduleDate: '2031-05-04' } }])
  })

  test('is added with a date in words, and what is no date is shown again', async () => {
    const page = await visitor.get('/tasks?scope=upcoming')
    await visitor.press(page, 'Add', { text: 'Pay the diver', date: 'in 3 Tagen', place: 'inbox' })
    const { items } = await anna('tasks_list', { scope: 'inbox' })
    const due = new Date(serving.clock.now + 3 * 86_400_000).toISOString().slice(0, 10)
    expect(items[0].taskInfo.scheduleDate).toBe(due)
    const again = await visitor.press(await formOf(items[0].id), 'Save', {
      ...asRead,
      text: 'Pay the diver',
      date: 'someday',
      deadline: '',
    })
    expect(again.text).toContain('<input type="text" name="date" value="someday"')
    expect(textOf(again)).toContain('is no day of the calendar')
  })

  test('that is typed on Active is for today, and stands there', async () => {
    const page = await visitor.get('/tasks')
    expect(page.text).toContain('placeholder="New task for today"')
    const after = await visitor.press(page, 'Add', { text: 'Pay the diver' })
    expect(after.text).toMatch(/id="b\d{12}"[^>]*><div class="line">.*Pay the diver/)
    expect(after.text).not.toContain('Just added')
    const { items } = await anna('tasks_list', { scope: 'active' })
    expect(items).toMatchObject([{ markdown: '- [ ] Pay the diver', location: { type: 'inbox' } }])
  })

  test('that is typed on Active with a day at its end is for that day', async () => {
    const after = await visitor.press(await visitor.get('/tasks'), 'Add', { text: 'Pay the diver tomorrow' })
    expect(after.text).toContain('Just added')
    const { items } = await anna('tasks_list', { scope: 'upcoming' })
    const tomorrow = new Date(serving.clock.now + 86_400_000).toISOString().slice(0, 10)
    expect(items).toMatchObject([{ markdown: '- [ ] Pay the diver', taskInfo: { scheduleDate: tomorrow } }])
  })

  test('that belongs to another list stays where it was typed, with a link to that list', async () => {
    const page = await visitor.get('/tasks?scope=undated')
    const first = await visitor.press(page, 'Add', { text: 'Pay the diver', place: 'inbox' })
    const after = await visitor.press(first, 'Add', { text: 'Call the bank', place: 'today' })
    const { text } = after
    const added = text.slice(text.indexOf('Just added'), text.indexOf('Call the port'))
    expect(textOf({ ...after, text: added })).toMatch(/Pay the diver .*Inbox/)
    // A task in the note of a day has no date of its own, so it is listed here.
    expect(added).not.toContain('Call the bank')
    expect(text).toContain('Call the bank')
    expect(text).toMatch(/<small class="place"><a href="[^"]+">Inbox<\/a>/)
  })

  test('offers to take a tick back, and returns to the list', async () => {
    const ticked = await visitor.send('/tasks', { task: `${call} done`, back: '/tasks?scope=undated' })
    expect(textOf(ticked)).toContain('Done. Undo')
    expect((await taskOf(call)).taskInfo.state).toBe('done')
    const asScript = { 'hx-request': 'true' }
    const again = await visitor.post('/tasks', { task: `${call} todo`, back: '/tasks?scope=undated' }, asScript)
    expect(again.text).toContain('<div id="ticked" role="status" hx-swap-oob="true"><div class="notice">Open again.')
    const undone = await visitor.press(again, 'Undo')
    expect(undone.url).toMatch(/\/tasks\?scope=undated&notice=undone/)
    expect((await taskOf(call)).taskInfo.state).toBe('done')
  })

  test('that repeats shows when it comes again', async () => {
    const today = new Date(serving.clock.now).toISOString().slice(0, 10)
    const repeat = { type: 'fixed', frequency: 'weekly', interval: 1 }
    await anna('tasks_update', { tasksToUpdate: [{ id: call, taskInfo: { scheduleDate: today }, repeat }] })
    const week = new Date(serving.clock.now + 7 * 86_400_000).toISOString().slice(0, 10)
    const { text } = await visitor.get('/tasks')
    expect(text).toMatch(new RegExp(`every week, then <time datetime="${week}"`))
  })

  test('links to its form', async () => {
    const form = `/tasks/${call}/edit?back=${encodeURIComponent(`/d/${plan}`)}`
    expect((await visitor.get(`/d/${plan}`)).text).toContain(form)
    expect((await visitor.get('/tasks?scope=undated')).text).toContain(`/tasks/${call}/edit?back=`)
  })

  test('gets other text and dates, and loses them', async () => {
    await visitor.press(await formOf(call), 'Save', {
      ...asRead,
      text: 'Call *both* ports',
      date: '2031-01-02',
      deadline: '2031-01-09',
    })
    expect(await taskOf(call)).toMatchObject({
      markdown: '- [ ] Call *both* ports',
      taskInfo: { state: 'todo', scheduleDate: '2031-01-02', deadlineDate: '2031-01-09' },
    })
    await visitor.press(await formOf(call), 'Save', { ...asRead, text: 'Call *both* ports', date: '', deadline: '' })
    expect((await taskOf(call)).taskInfo).toEqual({ state: 'todo' })
  })

  test('keeps its comments when its text is changed', async () => {
    await anna('comments_add', { comments: [{ blockId: call, content: 'Which one?' }] })
    expect((await formOf(call)).text).toContain('>Call the port</textarea>')
    await visitor.press(await formOf(call), 'Save', { ...asRead, text: 'Call the port again' })
    const { metadata } = await anna('blocks_get', { id: call, maxDepth: 0, fetchMetadata: true })
    expect(metadata.comments).toMatchObject([{ content: 'Which one?' }])
  })

  test('that is saved unchanged is not written', async () => {
    const before = (await anna('history_list', {})).items.length
    await visitor.press(await formOf(call), 'Save', asRead)
    expect((await anna('history_list', {})).items).toHaveLength(before)
  })

  test('repeats on days of the week, and stops', async () => {
    const weekly = {
      ...asRead,
      date: '2031-01-02',
      frequency: 'weekly',
      interval: '2',
      repeatType: 'flexible',
      weekday: 'thursday',
    }
    await visitor.press(await formOf(call), 'Save', weekly)
    expect((await taskOf(call)).repeat).toMatchObject({
      type: 'flexible',
      frequency: 'weekly',
      interval: 2,
      weekly: { days: ['thursday'] },
    })
    await visitor.press(await formOf(call), 'Save', { ...asRead, date: '2031-01-02' })
    expect((await taskOf(call)).repeat).toBeUndefined()
  })

  test('keeps parts of its repeat rule that the form cannot express', async () => {
    const repeat = { type: 'fixed', frequency: 'monthly', monthly: { days: [3, 17] } }
    await anna('tasks_update', { tasksToUpdate: [{ id: call, taskInfo: { scheduleDate: '2031-01-03' }, repeat }] })
    await visitor.press(await formOf(call), 'Save', {
      ...asRead,
      date: '2031-01-03',
      frequency: 'monthly',
      interval: '3',
    })
    expect((await taskOf(call)).repeat).toMatchObject({ interval: 3, monthly: { days: [3, 17] } })
  })

  test('moves to the inbox, to a day, and to a document found by title', async () => {
    await visitor.press(await formOf(call), 'Save', { ...asRead, place: 'inbox' })
    expect((await taskOf(call)).location).toMatchObject({ type: 'inbox' })
    await visitor.press(await formOf(call), 'Save', { ...asRead, place: 'day', noteDate: '2031-02-03' })
    expect((await taskOf(call)).location).toMatchObject({ type: 'dailyNote', date: '2031-02-03' })
    const found = await visitor.press(await formOf(call), 'Find', { ...asRead, text: 'Call them all', query: 'plan' })
    expect(found.text).toContain(`<option value="${plan}">to Plan</option>`)
    expect(found.text).toContain('Call them all')
    await visitor.press(found, 'Save', { ...asRead, place: plan })
    expect((await taskOf(call)).location).toMatchObject({ type: 'document', documentId: plan })
  })

  test('is canceled, and deleted', async () => {
    await visitor.press(await formOf(call), 'Cancel the task')
    expect((await taskOf(call)).taskInfo.state).toBe('canceled')
    await visitor.press(await formOf(call), 'Delete the task')
    expect(await taskOf(call)).toBeUndefined()
  })
})

describe('a reminder', () => {
  test('is set in the time zone of the space, shown, moved, and completed', async () => {
    await visitor.press(await formOf(call), 'Save', { ...asRead, remindAt: '2031-01-02T09:30' })
    const { items } = await anna('reminders_list', {})
    expect(items).toMatchObject([{ blockId: call, remindAt: '2031-01-02T08:30:00.000Z' }])
    expect((await formOf(call)).text).toContain('name="remindAt" value="2031-01-02T09:30"')
    const page = await visitor.get('/reminders')
    expect(page.text).toContain(`data-reminder="${items[0].id}"`)
    await visitor.press(page, 'Done')
    expect((await anna('reminders_list', {})).items).toEqual([])
  })

  test('that is past is rejected, and the input stays', async () => {
    const refused = await visitor.press(await formOf(call), 'Save', {
      ...asRead,
      text: 'Typed',
      remindAt: '2001-01-02T09:30',
    })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('>Typed</textarea>')
    expect((await taskOf(call)).markdown).toBe('- [ ] Call the port')
  })

  test('of a block is set from its form, which tasks have in theirs', async () => {
    const document = await visitor.get(`/d/${plan}`)
    const forms = [...document.text.matchAll(/\/reminders\/new\?block=(\d+)[^"]*" data-panel tabindex/g)].map(
      ([, id]) => id,
    )
    const [line] = (await anna('blocks_get', { id: plan, format: 'json' })).content
    expect(forms).toEqual([line.id])
    const form = await visitor.get(`/reminders/new?block=${line.id}&back=/d/${plan}`)
    expect(textOf(form)).toContain('Remind me about “Before it starts:”')
    const set = await visitor.press(form, 'Remind me', { remindAt: '2031-01-02T09:30' })
    expect(textOf(set)).toContain('You will be reminded.')
    const { items } = await anna('reminders_list', {})
    expect(items).toMatchObject([{ blockId: line.id, remindAt: '2031-01-02T08:30:00.000Z' }])
  })

  test('of a whole document is set from its menu, moved to another time, and deleted', async () => {
    const document = await visitor.get(`/d/${plan}`)
    expect(offers(document, 'Remind me…')).toBe(true)
    const set = await visitor.press(await visitor.get(`/reminders/new?block=${plan}`), 'Remind me', {
      remindAt: '2031-01-02T09:30',
    })
    expect(textOf(set)).toContain('You will be reminded.')
    const [reminder] = (await anna('reminders_list', {})).items
    expect(reminder).toMatchObject({ blockId: plan, remindAt: '2031-01-02T08:30:00.000Z' })
    const form = () => visitor.get(`/reminders/${reminder.id}/edit`)
    expect((await form()).text).toContain('name="remindAt" value="2031-01-02T09:30"')
    const refused = await visitor.press(await form(), 'Save', { remindAt: '2001-01-02T09:30' })
    expect(refused.status).toBe(400)
    for (const [remindAt, found] of [
      ['', 'none'],
      ['2026-99-99T09:30', '"2026-99-99T09:30"'],
      ['2031-02-30T09:30', '"2031-02-30T09:30"'],
      ['2031-01-02T25:61', '"2031-01-02T25:61"'],
      [`2031-01-02T09:30${'0'.repeat(9_000)}`, `"2031-01-02T09:30${'0'.repeat(24)}"`],
    ] as const) {
      const wrong = await visitor.press(await form(), 'Save', { remindAt })
      expect(wrong.status).toBe(400)
      expect(textOf(wrong)).toContain(`Expected a day and a time that exist, found ${found}; fill in both.`)
    }
    await visitor.press(await form(), 'Save', { remindAt: '2031-01-03T09:30' })
    expect((await anna('reminders_list', {})).items[0].remindAt).toBe('2031-01-03T08:30:00.000Z')
    await visitor.press(await form(), 'Delete the reminder')
    expect((await anna('reminders_list', { status: 'all' })).items).toEqual([])
    expect((await form()).status).toBe(404)
  })

  test('is deleted when its time is cleared', async () => {
    await anna('reminders_add', { reminders: [{ blockId: call, remindAt: '2031-01-02T08:30:00Z' }] })
    await visitor.press(await formOf(call), 'Save', { ...asRead, remindAt: '' })
    expect((await anna('reminders_list', { status: 'all' })).items).toEqual([])
  })
})

describe('a comment', () => {
  const commentsOf = async () =>
    (await anna('blocks_get', { id: call, maxDepth: 0, fetchMetadata: true })).metadata.comments ?? []

  test('is added to a block, answered, changed and deleted', async () => {
    await visitor.press(await visitor.get(`/comments/new?block=${call}&back=/d/${plan}`), 'Comment', {
      text: 'Which <one>?',
    })
    const answer = await visitor.get(`/comments/new?block=${call}&back=/d/${plan}`)
    expect(answer.text).toContain('Which &lt;one&gt;?')
    const page = await visitor.press(answer, 'Comment', { text: 'Both.' })
    expect(textOf(page)).toContain('Both.')
    const [first, second] = await commentsOf()
    const form = `/comments/${second.id}/edit?block=${call}&back=/d/${plan}`
    await visitor.press(await visitor.get(form), 'Save', { text: 'Both of them.' })
    await visitor.press(await visitor.get(form.replace(second.id, first.id)), 'Delete the comment')
    expect(await commentsOf()).toMatchObject([{ id: second.id, content: 'Both of them.' }])
  })

  test('is resolved and reopened by its button', async () => {
    await anna('comments_add', { comments: [{ blockId: call, content: 'Which one?' }] })
    const [{ id }] = await commentsOf()
    expect((await visitor.get(`/d/${plan}`)).text).toContain(`form="comment" name="comment" value="${id} resolved"`)
    const resolved = await visitor.send('/comments', { comment: `${id} resolved`, back: `/d/${plan}` })
    expect((await commentsOf())[0].resolvedAt).toBeDefined()
    expect(resolved.text).toContain(`value="${id} open"`)
    await visitor.send('/comments', { comment: `${id} open`, back: `/d/${plan}` })
    expect((await commentsOf())[0].resolvedAt).toBeUndefined()
  })

  test('of someone else cannot be changed', async () => {
    await program(serving.space, 'other', { author: 'Ben' })('comments_add', {
      comments: [{ blockId: call, content: 'Hm' }],
    })
    const page = await visitor.get(`/d/${plan}`)
    expect(offers(page, 'Resolve')).toBe(true)
    expect(page.text).not.toMatch(/\/comments\/\d+\/edit/)
  })
})

describe('a read-only link', () => {
  test('is offered none of this, and rejected', async () => {
    await anna('comments_add', { comments: [{ blockId: call, content: 'Which one?' }] })
    const reader = await visitByLink(serving, { access: 'read' })
    for (const path of [`/d/${plan}`, '/tasks?scope=undated', '/reminders']) {
      const { text } = await reader.get(path)
      for (const words of ['/edit?', '/comments/new', 'name="comment"', 'class="new-task"'])
        expect(text, path).not.toContain(words)
    }
    for (const path of [`/tasks/${call}/edit`, `/comments/new?block=${call}`])
      expect((await reader.get(path)).status).toBe(404)
    expect((await reader.post('/tasks/new', { text: 'Sneaked in' })).status).toBe(403)
    expect((await reader.post(`/tasks/${call}/cancel`)).status).toBe(403)
    expect((await reader.post('/comments/new', { block: call, text: 'Hm' })).status).toBe(400)
  })

  test('to selected documents comments in them, and reaches no other tasks', async () => {
    const { items } = await anna('tasks_add', { tasks: [{ markdown: 'Elsewhere' }] })
    const selected = await visitByLink(serving, { kind: 'selected', documents: [plan] })
    expect((await selected.get(`/comments/new?block=${call}`)).status).toBe(200)
    expect((await selected.get(`/comments/new?block=${items[0].id}`)).status).toBe(404)
    expect((await selected.get(`/tasks/${call}/edit`)).status).toBe(404)
  })
})
