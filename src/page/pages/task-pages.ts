/** Tasks by scope, and the checkboxes of tasks on all pages. */

import { ScriptoriumError } from '../../base/errors.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { textWithoutPrefix } from '../../markdown/text-without-prefix.ts'
import { nextRepeatDate, type Repeat } from '../../space/schedule/repeats.ts'
import { inlineHtml } from '../blocks/inline-content-html.ts'
import { TASK_FORM, taskHtml } from '../blocks/task-html.ts'
import { heldHtml } from '../collections/held-item.ts'
import { blockForms } from '../documents/block-forms.ts'
import { goTo, hiddenFields, unchecked } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import type { ToolAnswer } from '../page-tools.ts'
import { isTaskScope, TASK_SCOPES, TASKS_LISTED, type TaskScope } from '../task-scopes.ts'
import { text } from '../texts/text.ts'
import { addedIn, newTaskHtml } from './task-forms.ts'

type TaskEntry = ToolAnswer<'tasks_list'>['items'][number]

export const tasksPage: Page = {
  route: 'GET /tasks',
  needs: ['tasks_list'],
  async handle(call) {
    const asked = call.query.get('scope') ?? 'active'
    const scope: TaskScope = isTaskScope(asked) ? asked : 'active'
    const cursor = call.query.get('cursor')
    const { items, pagination } = await call.run('tasks_list', {
      scope,
      limit: TASKS_LISTED,
      ...(cursor !== null && { cursor }),
    })
    const [, empty] = TASK_SCOPES[scope]
    const added = await addedHtml(call)
    const main = html`<div class="page"><h1>Tasks</h1>
${taskTabsHtml(call, scope)}
${newTaskHtml(call, scope, added !== false || call.query.has('new'))}
${tickFormHtml(call, `/tasks?scope=${scope}`)}
<div id="tasks" data-stable hx-get="${call.request.base}/tasks${call.request.url.search}" hx-select="#tasks" hx-trigger="spacechange from:body" hx-swap="outerMorph">
${added}${items.length === 0 ? html`<p class="empty">${empty}</p>` : taskListHtml(call, items)}
</div>
${pagination !== undefined && html`<p class="more"><a class="button" href="${call.href('/tasks', { scope, cursor: pagination.cursor })}">${call.formats.number(pagination.remaining)} more</a></p>`}</div>`
    return { title: text('Tasks'), main, current: '/tasks' }
  },
}

/** @param current  the scope that is shown, or `reminders` */
export const taskTabsHtml = (call: PageCall, current: string): Html =>
  html`<nav class="tabs" aria-label="Tasks">${Object.entries(TASK_SCOPES).map(
    ([one, [name]]) =>
      html`<a href="${call.href('/tasks', { scope: one })}"${one === current && html` aria-current="page"`}>${name}</a>`,
  )}${call.has('reminders_list') && html`<a href="${call.href('/reminders')}"${current === 'reminders' && html` aria-current="page"`}>Reminders</a>`}</nav>`

/** The form that the checkboxes of a page submit. @param back  the page to return to without scripts */
export const tickFormHtml = (call: PageCall, back: string): Html | false =>
  call.may('change') &&
  html`<form id="${TASK_FORM}" method="post" action="${call.href('/tasks')}" hx-post="${call.href('/tasks')}" hx-swap="none">${call.tokenField()}<input type="hidden" name="back" value="${back}"></form><div id="ticked" role="status"></div>`

/** Tasks with their checkboxes, which the form of {@link tickFormHtml} submits. */
export const taskListHtml = (call: PageCall, tasks: readonly TaskEntry[]): Html =>
  html`<ul class="tasks">${tasks.map((task) => entryHtml(call, task))}</ul>`

function entryHtml(call: PageCall, task: TaskEntry): Html {
  const { id, markdown, location } = task
  const text = textWithoutPrefix(markdown, {
    type: 'text',
    listStyle: 'task',
    taskInfo: { state: task.taskInfo.state },
  })
  const mayChange = call.may('change')
  const line = taskHtml({ ...task, following: followingDay(call, task) }, inlineHtml(text, call), {
    ...{ mayChange, formats: call.formats, links: call.links, forms: blockForms(call) },
  })
  return html`<li class="block task ${task.taskInfo.state}" id="b${id}" dir="auto"><div class="line">${line}</div>${heldHtml(call, { action: `/tasks/${id}/take-back`, mayChange }, task.heldBy)}${placeHtml(call, id, location)}</li>
`
}

/** The day on which an open task comes again once it is done today; undefined if it does not. */
function followingDay(
  call: PageCall,
  { taskInfo, repeat }: Pick<TaskEntry, 'taskInfo' | 'repeat'>,
): string | undefined {
  if (repeat === undefined || taskInfo.state !== 'todo') return undefined
  try {
    return nextRepeatDate(
      repeat as unknown as Repeat,
      taskInfo.scheduleDate ?? taskInfo.deadlineDate,
      call.formats.today,
    )
  } catch (error) {
    // A rule that comes round no more.
    if (error instanceof ScriptoriumError) return undefined
    throw error
  }
}

/** Tasks that were just added here, and belong elsewhere. */
async function addedHtml(call: PageCall): Promise<Html | false> {
  const lines: Html[] = []
  for (const id of addedIn(call.query)) {
    const task = await call.find('blocks_get', { id, maxDepth: 0, fetchMetadata: true })
    if (task?.taskInfo === undefined) continue
    const line = taskHtml(task, inlineHtml(textWithoutPrefix(task.markdown, task), call), {
      ...{ mayChange: call.may('change'), formats: call.formats, links: call.links, forms: blockForms(call) },
    })
    const document = task.pageBlockPath?.[0]
    const place =
      document !== undefined && html`<a href="${call.links.block(document.id)}">${shownTitle(document.content)}</a>`
    lines.push(
      html`<li class="block task ${task.taskInfo.state}" id="b${id}" dir="auto"><div class="line">${line}</div><small class="place">${place}</small></li>`,
    )
  }
  return lines.length > 0 && html`<h2 class="added">Just added</h2><ul class="tasks">${lines}</ul>`
}

function placeHtml(
  call: PageCall,
  id: string,
  { type, date, documentId, title, isDeleted }: TaskEntry['location'],
): Html | false {
  if (type === 'dailyNote' && date !== undefined)
    return html`<small class="place"><a href="${call.links.day(date)}#b${id}">${call.formats.day(date)}</a></small>`
  if (type !== 'document' || documentId === undefined) return false
  return html`<small class="place"><a href="${call.links.block(documentId)}#b${id}">${shownTitle(title)}</a>${isDeleted && text(', in the trash')}</small>`
}

/** Sets the state of a task. Scripts receive the new HTML of the task. */
export const tickTask: Page = {
  route: 'POST /tasks',
  needs: ['blocks_update'],
  async handle(call) {
    const [id = '', state = '', scheduleDate] = (call.form.get('task') ?? '').split(' ')
    const taskInfo = { state: unchecked<'todo' | 'done'>(state as 'todo' | 'done') }
    if (scheduleDate !== undefined && call.has('tasks_update'))
      await call.run('tasks_update', { tasksToUpdate: [{ id, taskInfo, expected: { scheduleDate } }] })
    else await call.run('blocks_update', { blocks: [{ id, taskInfo }] })
    const isScript = call.request.request.headers.has('hx-request')
    const notice = state === 'done' ? 'ticked' : 'unticked'
    const change = call.lastChange
    if (!isScript) return goTo(backTo(call, `#b${id}`), change && notice, { ...(change && { call: change }) })
    return { fragment: html`${await tickedHtml(call, id)}${change !== undefined && undoHtml(call, change, state)}` }
  },
}

/** What was done, with a button that takes it back. It takes the place of the notice before. */
const undoHtml = (call: PageCall, change: string, state: string): Html =>
  html`<div id="notice" hx-swap-oob="delete"></div><div id="ticked" role="status" hx-swap-oob="true"><div class="notice">${state === 'done' ? text('Done.') : text('Open again.')} ${
    call.has('history_undo') &&
    html`<form method="post" action="${call.href('/undo')}">${hiddenFields(call, backTo(call, ''))}<input type="hidden" name="calls" value="${change}"><button>Undo</button></form>`
  }</div></div>`

/** The checkbox of a task in its current state, to replace the one on the page. */
async function tickedHtml(call: PageCall, id: string): Promise<Html> {
  const task = await call.find('blocks_get', { id, maxDepth: 0, fetchMetadata: true })
  if (task === undefined) return html``
  const text = inlineHtml(textWithoutPrefix(task.markdown, task), call)
  const forms = blockForms(call, call.form.get('back') ?? '/tasks')
  const { blockedBy } = task.metadata ?? {}
  const context = { mayChange: true, formats: call.formats, links: call.links, forms }
  const line = taskHtml({ ...task, blockedBy }, text, context)
  return html`<div class="line" hx-swap-oob="outerMorph:#b${id} > .line">${line}</div>`
}

/** The page that contained the form. It must belong to this space. */
function backTo(call: PageCall, fragment: string): string {
  const back = call.form.get('back') ?? '/'
  return `${/^\/(?!\/)[\w/?=&.-]*$/.test(back) ? back : '/'}${fragment}`
}
