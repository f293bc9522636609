/** Stops a link that an agent uses, lets it go on, and takes back its last hour. Only for who may manage the link. */

import { ScriptoriumError } from '../../base/errors.ts'
import { CALLS_PER_ANSWER_MAX, UNDO_CALLS } from '../../base/limits.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import { refused } from '../page-refusal.ts'
import type { LinkEntry, ToolInput } from '../page-tools.ts'
import { text } from '../texts/text.ts'
import { afterUndo, previewUndo, type UndoPlace } from './undo-pages.ts'

/** Milliseconds of the last hour. */
const HOUR_MS = 3_600_000

type Stoppable = Pick<LinkEntry, 'id' | 'name' | 'pausedAt'>

/** Stops a link, or lets it go on. The button has a name, so that scripts do not keep its form for later. */
export function stopButton(call: PageCall, { id, name, pausedAt }: Stoppable): Html {
  const [path, label] = pausedAt === undefined ? ['pause', text('Stop')] : ['resume', text('Resume')]
  return html`<form method="post" action="${call.href(`/links/${id}/${path}`)}">${call.tokenField()}<button name="do" value="${path}" aria-label="${label} ${name}">${label}</button></form>`
}

/** The buttons beside the name of a link that is in use. */
export const stopHtml = (call: PageCall, link: Stoppable): Html =>
  html`${stopButton(call, link)}${call.request.isOperator && html`<a class="button" href="${call.href(`/links/${link.id}/undo`)}" aria-label="Undo the last hour of ${link.name}">Undo its last hour…</a>`}`

export const pauseLink: Page = {
  route: 'POST /links/:id/pause',
  isFor: ['operator', 'all', 'own'],
  handle: (call) => setPaused(call, true),
}

export const resumeLink: Page = {
  route: 'POST /links/:id/resume',
  isFor: ['operator', 'all', 'own'],
  handle: (call) => setPaused(call, false),
}

async function setPaused(call: PageCall, isPaused: boolean) {
  await call.run('links_pause', { linkId: call.params.id ?? '', isPaused })
  return { redirect: `/links?notice=${isPaused ? 'link-paused' : 'link-resumed'}` }
}

export const undoHourPage: Page = {
  route: 'GET /links/:id/undo',
  isOperatorOnly: true,
  async handle(call) {
    const since = call.query.get('since') ?? new Date(call.request.now - HOUR_MS).toISOString()
    return previewHour(call, since)
  },
}

/** Undoes what was shown, and what the link has done since. What others changed later stays. */
export const undoHour: Page = {
  route: 'POST /links/:id/undo',
  isOperatorOnly: true,
  async handle(call) {
    const since = call.form.get('since') ?? ''
    const skipConflicts = call.form.get('skip') === 'yes'
    try {
      const input = await callsSince(call, since)
      const { conflicts = [] } = await call.run('history_undo', { ...input, skipConflicts })
      return afterUndo(call, '/links', conflicts.length > 0 ? 'undone-partly' : 'undone')
    } catch (error) {
      if (error instanceof ScriptoriumError && error.isRefusal) return previewHour(call, since)
      throw error
    }
  },
}

async function previewHour(call: PageCall, since: string) {
  const id = call.params.id ?? ''
  const { items } = await call.run('links_list')
  const link = items.find((one) => one.id === id)
  if (link === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such link.')
  const place: UndoPlace = {
    action: `/links/${id}/undo`,
    back: '/links',
    title: text('Take back the last hour of {name}?', { name: link.name }),
    about: html`<p class="about">This takes back what it changed in documents. What it has read or sent elsewhere, and its proposals that wait, stay as they are.${link.pausedAt === undefined && text(' It keeps making calls; stop it first if it should not.')}</p>`,
    fields: { since },
  }
  return previewUndo(call, () => callsSince(call, since), place)
}

/** The newest calls of the link since a time that still stand. */
async function callsSince(call: PageCall, since: string): Promise<ToolInput<'history_undo'>> {
  if (!Number.isFinite(Date.parse(since))) throw refused(text('Expected a time, found none; open the page again.'))
  const calls: string[] = []
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const { items, pagination } = await call.run('history_list', {
      ...{ link: call.params.id ?? '', since, limit: CALLS_PER_ANSWER_MAX },
      ...(cursor !== undefined && { cursor }),
    })
    const standing = items.filter(({ undoneBy, undoes }) => undoneBy === undefined && undoes === undefined)
    calls.push(...standing.map(({ callId }) => callId))
    cursor = calls.length >= UNDO_CALLS ? undefined : pagination?.cursor
  }
  if (calls.length === 0) throw refused(text('It has changed nothing in the last hour that still stands.'))
  return { calls: calls.slice(0, UNDO_CALLS) }
}
