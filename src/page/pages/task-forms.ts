/** Forms for tasks: adding one, and changing its text, dates, repetition, place and reminder. */

import { PAGE_QUERY_LENGTH } from '../../base/limits.ts'
import { matchRank } from '../../base/title-match.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import type { JsonBlock } from '../../space/model/json-block.ts'
import { trailingDate } from '../../space/model/trailing-dates.ts'
import { dayInput } from '../date-fields.ts'
import {
  addressOf,
  backOf,
  buttonForm,
  type Choice,
  dayOf,
  deleteButton,
  fieldOf,
  filledInAt,
  formPage,
  goTo,
  hiddenFields,
  isProposed,
  selectField,
  submitForm,
} from '../form-page.ts'
import { type Html, html } from '../html.ts'
import { chosenName, type OfferedMembers, offerMembers } from '../members/member-choices.ts'
import { openedField, openedValues, reopenedText, textToWrite } from '../opened-values.ts'
import { localTime, parseRemindAt, readReminders, timeField } from '../own-reminders.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import type { ReminderEntry, ToolInput } from '../page-tools.ts'
import { type RepeatRule, repeatFields, repeatOf } from '../repeat-fields.ts'
import { isTaskScope, TASKS_LISTED } from '../task-scopes.ts'
import { text } from '../texts/text.ts'

/** Documents that are offered as places, and titles that are searched for them. */
const OFFERED = 20
const TITLES_READ = 5_000

/**
 * The input line for a new task.
 *
 * @param scope  that is shown: among the active ones, a task is for today unless it is given another day, in its field or
 *   in words at the end of its text
 * @param hasFocus  true after a task was added, since the next one often follows
 */
export const newTaskHtml = (call: PageCall, scope: string, hasFocus: boolean): Html | false =>
  call.may('add') &&
  call.has('tasks_add') &&
  html`<form class="new-task" method="post" action="${call.href('/tasks/new')}">${hiddenFields(call, addressOf(call))}
<input type="text" dir="auto" name="text" aria-label="New task" placeholder="${scope === 'active' ? text('New task for today') : text('New task')}" required autocomplete="off" data-key="c"${hasFocus && html` autofocus`}>
${scope === 'active' && html`<input type="hidden" name="otherwise" value="today">`}${dayInput('date', '', html` aria-label="Date" data-date-type="date"`)}
<select name="place" aria-label="Where"><option value="inbox">Inbox</option><option value="today">Today’s note</option></select>
<button>Add</button></form>`

/** Tasks that are shown above those of a scope that they do not belong to. */
const ADDED_SHOWN = 10

export const addTask: Page = {
  route: 'POST /tasks/new',
  needs: ['tasks_add'],
  async handle(call) {
    const { text, ...taskInfo } = typedTask(call)
    const location = fieldOf(call, 'place') === 'today' ? { type: 'dailyNote', date: dayOf(call) } : { type: 'inbox' }
    const task = {
      markdown: text,
      location,
      ...(Object.keys(taskInfo).length > 0 && { taskInfo }),
    }
    const back = backOf(call, '/tasks?scope=inbox')
    const add = async () => {
      const answer = await call.run('tasks_add', { tasks: [task] })
      if (isProposed(answer)) return goTo(back, 'proposed')
      const [{ id = '' } = {}] = answer.items
      return goTo((await isListed(call, back, id)) ? back : withAdded(back, id))
    }
    return call.may('add') ? submitForm(add, async (fault) => refusedTask(call, back, fault)) : add()
  },
}

/** What was typed, to be changed and sent again. */
function refusedTask(call: PageCall, back: string, fault: string): ShownPage {
  const [typed, date, place] = [fieldOf(call, 'text'), fieldOf(call, 'date'), fieldOf(call, 'place')]
  const places = [
    { value: 'inbox', label: text('Inbox') },
    { value: 'today', label: text('Today’s note') },
  ]
  return formPage(call, {
    title: text('New task'),
    action: '/tasks/new',
    fields: html`<input type="hidden" name="otherwise" value="${fieldOf(call, 'otherwise')}"><label>What <input type="text" dir="auto" name="text" value="${typed}" required autocomplete="off"></label>
<label>Date ${dayInput('date', date, html` autofocus`)}</label>${selectField(text('Where'), 'place', place, places)}`,
    submit: text('Add'),
    back,
    fault,
    current: '/tasks',
  })
}

/** True if the list that a form came from has a task. */
async function isListed(call: PageCall, back: string, id: string): Promise<boolean> {
  const [path, search] = back.split('?')
  const scope = new URLSearchParams(search).get('scope') ?? 'active'
  if (path !== '/tasks' || !isTaskScope(scope)) return true
  const { items } = await call.run('tasks_list', { scope, limit: TASKS_LISTED })
  return items.some((task) => task.id === id)
}

/** The address of a list that shows this task as well, above the others. */
function withAdded(back: string, id: string): string {
  const [path = '', search] = back.split('?')
  const query = new URLSearchParams(search)
  query.set('added', [id, ...addedIn(query)].slice(0, ADDED_SHOWN).join(','))
  return `${path}?${query}`
}

/** The IDs of tasks that were added where they are not listed, the latest first. */
export const addedIn = (query: URLSearchParams): string[] =>
  (query.get('added') ?? '')
    .split(',')
    .filter((id) => /^\d{12}$/.test(id))
    .slice(0, ADDED_SHOWN)

/** The text of a new task and its date: that of the field, or else the day in words at its end, or else that of its list. */
function typedTask(call: PageCall): { text: string; scheduleDate?: string; deadlineDate?: string } {
  const [text, date] = [fieldOf(call, 'text'), fieldOf(call, 'date')]
  if (date !== '') return { text, scheduleDate: date }
  const { timezone } = call.request.caller.space.info
  const found = trailingDate(text, { now: filledInAt(call), timezone })
  if (found === undefined) return fieldOf(call, 'otherwise') === 'today' ? { text, scheduleDate: 'today' } : { text }
  return { text: found.text, ...(found.isDeadline ? { deadlineDate: found.date } : { scheduleDate: found.date }) }
}

/** The submitted fields, as typed. */
interface TaskFields {
  text: string
  date: string
  deadline: string
  /** The ID of a member, or empty for no one. */
  assignee: string
  place: string
  noteDate: string
  query: string
  /** Such as `2026-11-25T09:00`, in the time zone of the space. */
  remindAt: string
}

interface ReadTask {
  task: JsonBlock
  /** Who can be given a task, by name. */
  members: OfferedMembers
  rule: RepeatRule | undefined
  /** Undefined if the link has no reminders. */
  reminders: ReminderEntry[] | undefined
  reminder: ReminderEntry | undefined
}

async function readTask(call: PageCall): Promise<ReadTask> {
  const id = call.params.id ?? ''
  const task = await call.run('blocks_get', { id, maxDepth: 0, fetchMetadata: true })
  const members = await offerMembers(call, 'who', text('For'))
  const reminders = await readReminders(call)
  const rule = task.taskInfo?.repeat as RepeatRule | undefined
  return { task, members, rule, reminders, reminder: reminders?.find(({ blockId }) => blockId === task.id) }
}

/** The text without the checkbox and without the marks of comments, which are kept when the text changes. */
const textOf = ({ markdown }: JsonBlock): string =>
  markdown.replace(/^\s*[-*+] \[.\] /, '').replace(/<\/?comment\b[^>]*>/g, '')

export const taskFormPage: Page = {
  route: 'GET /tasks/:id/edit',
  needs: ['tasks_update'],
  effect: 'change',
  async handle(call) {
    const read = await readTask(call)
    return taskForm(call, read, { ...valuesNow(call, read), place: '', noteDate: call.formats.today, query: '' })
  },
}

/** The fields of the form that others may change as well. */
const valuesNow = (call: PageCall, { task, reminder }: ReadTask) => ({
  text: textOf(task),
  date: task.taskInfo?.scheduleDate ?? '',
  deadline: task.taskInfo?.deadlineDate ?? '',
  assignee: assigneeIn(task),
  remindAt: localTime(call, reminder),
})

async function taskForm(call: PageCall, read: ReadTask, fields: TaskFields, fault?: string): Promise<ShownPage> {
  const { task, rule, reminders } = read
  const now = valuesNow(call, read)
  const opened = openedValues(call, now)
  const typed = reopenedText({ opened: opened.text ?? '', typed: fields.text, now: now.text })
  const { id } = task
  const back = backOf(call, `/d/${id}`)
  const isOpen = (task.taskInfo?.state ?? 'todo') === 'todo'
  const documentId = task.pageBlockPath?.[0]?.id
  return formPage(call, {
    title: text('Task'),
    action: `/tasks/${id}/edit`,
    fields: html`${openedField({ ...opened, text: typed })}<label>What <textarea dir="auto" name="text" rows="2" required>${fields.text}</textarea></label>
<div class="row"><label>Date ${dayInput('date', fields.date)}</label>
<label>Due ${dayInput('deadline', fields.deadline)}</label>
${selectField(text('For'), 'assignee', fields.assignee, await assigneeChoices(call, read, fields.assignee))}
${reminders !== undefined && timeField(text('Remind me'), 'remindAt', fields.remindAt)}</div>${read.members.search}
${repeatFields(call, rule)}
${call.kind !== 'daily' && (await placeFields(call, task, fields))}`,
    submit: text('Save'),
    back,
    fault,
    documentId,
    below: html`${
      isOpen && buttonForm(call, { action: `/tasks/${id}/cancel`, label: text('Cancel the task'), back })
    }${deleteButton(call, 'tasks_delete', { action: `/tasks/${id}/delete`, label: text('Delete the task'), back })}`,
  })
}

/** The ID of who does a task, or a name as it was imported. */
function assigneeIn({ taskInfo }: JsonBlock): string {
  const assignee = taskInfo?.assignee
  return typeof assignee === 'object' ? (assignee.id ?? assignee.name) : ''
}

/** No one, the members, the one who does the task now, and the one who is chosen. */
async function assigneeChoices(call: PageCall, { task, members }: ReadTask, chosen: string): Promise<Choice[]> {
  const now = task.taskInfo?.assignee
  const isOffered = (id: string | undefined) => members.items.some((member) => member.id === id)
  const isOther = typeof now === 'object' && !isOffered(now.id)
  const isChosen = /^\d{12}$/.test(chosen) && !isOffered(chosen) && chosen !== assigneeIn(task)
  return [
    { value: '', label: text('no one yet') },
    ...(isOther ? [{ value: assigneeIn(task), label: now.name }] : []),
    ...(isChosen ? [{ value: chosen, label: await chosenName(call, chosen) }] : []),
    ...members.items.map(({ id, name }) => ({ value: id, label: name })),
  ]
}

/** Choices for the place: unchanged, the inbox, a day, or a document whose title matches the query. */
async function placeFields(
  call: PageCall,
  { pageBlockPath = [] }: JsonBlock,
  { place, noteDate, query }: TaskFields,
): Promise<Html> {
  const here = pageBlockPath[0]
  const places: Choice[] = [
    {
      value: '',
      label: here?.content ? text('stays in {content}', { content: here.content }) : text('stays where it is'),
    },
    { value: 'inbox', label: text('to the inbox') },
    { value: 'day', label: text('to the note of a day') },
    ...(await documentChoices(call, query, place)),
  ]
  return html`<fieldset class="place-choice"><legend>Place</legend><div class="row">${selectField(text('Where'), 'place', place, places)}
<label class="day">Day ${dayInput('noteDate', noteDate)}</label></div>
<div class="search"><input type="search" dir="auto" name="query" value="${query}" aria-label="Words of the title of a document" placeholder="Another document: words of its title"><button name="do" value="search" formnovalidate>Find</button></div></fieldset>`
}

async function documentChoices(call: PageCall, query: string, chosen: string): Promise<Choice[]> {
  if (!call.has('documents_list')) return []
  const { items } = await call.run('documents_list', {
    orderBy: 'modified',
    limit: query === '' && chosen === '' ? OFFERED : TITLES_READ,
  })
  const matching = items.filter(
    ({ title, isDeleted, location }) =>
      !isDeleted && location !== 'trash' && (query === '' || matchRank(title, query) !== undefined),
  )
  const offered = matching.slice(0, OFFERED)
  const own = items.find(({ id }) => id === chosen)
  return [...(own === undefined || offered.includes(own) ? [] : [own]), ...offered].map(({ id, title }) => ({
    value: id,
    label: text('to {title}', { title: shownTitle(title) }),
  }))
}

const PLACES: ReadonlyMap<string, (fields: TaskFields) => object> = new Map(
  Object.entries({
    '': () => ({}),
    inbox: () => ({ location: { type: 'inbox' } }),
    day: ({ noteDate }) => ({ location: { type: 'dailyNote', date: noteDate || 'today' } }),
  }),
)

export const changeTask: Page = {
  route: 'POST /tasks/:id/edit',
  needs: ['tasks_update'],
  async handle(call) {
    const [text, date, deadline, assignee, place, noteDate, remindAt] = [
      'text',
      'date',
      'deadline',
      'assignee',
      'place',
      'noteDate',
      'remindAt',
    ].map((name) => fieldOf(call, name).replace(/\r\n/g, '\n'))
    const query = fieldOf(call, 'query').slice(0, PAGE_QUERY_LENGTH)
    const fields = { text, date, deadline, assignee, place, noteDate, query, remindAt } as TaskFields
    const read = await readTask(call)
    if (call.form.get('do') === 'search') return taskForm(call, read, fields)
    return submitForm(
      async () => {
        const steps = [...taskSteps(call, read, fields), ...reminderSteps(call, read, fields)]
        const answer = steps.length === 0 ? {} : await call.run('batch', { steps })
        return goTo(backOf(call, `/d/${read.task.id}`), isProposed(answer) ? 'proposed' : undefined)
      },
      (fault) => taskForm(call, read, fields, fault),
    )
  },
}

type Step = ToolInput<'batch'>['steps'][number]

/** Only changed fields are written, so that changes of others are kept. */
function taskSteps(call: PageCall, read: ReadTask, fields: TaskFields): Step[] {
  const { task, rule } = read
  const now = valuesNow(call, read)
  const opened = openedValues(call, now)
  const isChanged = (name: keyof typeof now) => fields[name] !== opened[name] && fields[name] !== now[name]
  const taskInfo = {
    ...(isChanged('date') && { scheduleDate: fields.date || null }),
    ...(isChanged('deadline') && { deadlineDate: fields.deadline || null }),
    ...(call.form.has('assignee') && isChanged('assignee') && { assignee: fields.assignee || null }),
  }
  const markdown = textToWrite({ opened: opened.text ?? '', typed: fields.text, now: now.text })
  const repeat = repeatOf(call, rule)
  const location = PLACES.get(fields.place) ?? (() => ({ location: { type: 'document', documentId: fields.place } }))
  const change = {
    ...(markdown !== undefined && { markdown, expected: { markdown: task.markdown } }),
    ...(Object.keys(taskInfo).length > 0 && { taskInfo }),
    ...(repeat !== undefined && { repeat }),
    ...location(fields),
  }
  if (Object.keys(change).length === 0) return []
  return [{ tool: 'tasks_update', arguments: { tasksToUpdate: [{ id: task.id, ...change }] } }]
}

function reminderSteps(call: PageCall, read: ReadTask, { remindAt }: TaskFields): Step[] {
  const { task, reminders, reminder } = read
  const now = valuesNow(call, read)
  if (reminders === undefined || remindAt === now.remindAt) return []
  if (remindAt === openedValues(call, now).remindAt) return []
  if (remindAt === '') {
    const completed = { id: reminder?.id, isCompleted: true }
    return call.may('delete')
      ? [{ tool: 'reminders_delete', arguments: { idsToDelete: [reminder?.id] } }]
      : [{ tool: 'reminders_update', arguments: { remindersToUpdate: [completed] } }]
  }
  const time = parseRemindAt(call, remindAt)
  return reminder === undefined
    ? [{ tool: 'reminders_add', arguments: { reminders: [{ blockId: task.id, remindAt: time }] } }]
    : [{ tool: 'reminders_update', arguments: { remindersToUpdate: [{ id: reminder.id, remindAt: time }] } }]
}

export const cancelTask: Page = {
  route: 'POST /tasks/:id/cancel',
  needs: ['tasks_update'],
  async handle(call) {
    const change = { id: call.params.id ?? '', taskInfo: { state: 'canceled' } as const }
    const answer = await call.run('tasks_update', { tasksToUpdate: [change] })
    return goTo(backOf(call, '/tasks'), isProposed(answer) ? 'proposed' : undefined)
  },
}

/** Ends the lease of a task, so that others can claim it. */
export const endTaskClaim: Page = {
  route: 'POST /tasks/:id/take-back',
  needs: ['items_claim'],
  async handle(call) {
    const fence = Number(call.form.get('fence'))
    await call.run('items_claim', { release: [{ id: call.params.id ?? '', fence }] })
    return goTo(backOf(call, '/tasks'), 'taken-back')
  },
}

export const deleteTask: Page = {
  route: 'POST /tasks/:id/delete',
  needs: ['tasks_delete'],
  async handle(call) {
    const answer = await call.run('tasks_delete', { idsToDelete: [call.params.id ?? ''] })
    return goTo(backOf(call, '/tasks'), isProposed(answer) ? 'proposed' : undefined)
  },
}
