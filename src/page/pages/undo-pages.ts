/** Undoes calls. Shows a preview first if others have written since, or if it concerns more than one call. */

import { ScriptoriumError } from '../../base/errors.ts'
import { CALLS_PER_ANSWER_MAX, UNDO_CALLS } from '../../base/limits.ts'
import { partOfDiff } from '../../difference/diff-parts.ts'
import { parseUnifiedDiff } from '../../difference/read-diff.ts'
import { readSummaryText } from '../../space/history/summary-text.ts'
import { NOTHING_UNDONE } from '../../space/model/undone-call.ts'
import { callerHtml, callText } from '../calls/call-text.ts'
import { changeText } from '../calls/change-words.ts'
import { differenceHtml } from '../calls/difference.ts'
import { readListNames, withListNames } from '../calls/list-names.ts'
import { partIn } from '../calls/rehearsed-approval.ts'
import { hasFolder, readFolders } from '../documents/folder-choice.ts'
import { backOf, cameFrom, goTo, hiddenFields } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, PageAnswer, ShownPage } from '../page-declaration.ts'
import { refused } from '../page-refusal.ts'
import type { HistoryItem, ToolAnswer, ToolInput } from '../page-tools.ts'
import { refusalText } from '../refusal-text.ts'
import { count, type TextKey, text, textKey } from '../texts/text.ts'

/** Includes the diff as lines. */
type Rehearsed = ToolAnswer<'history_undo'> & { dryRun: { diff: string } }

/** The calls to undo, as addresses and forms encode them. */
interface UndoSelection {
  calls?: string[]
  since?: string
  connection?: string
  link?: string
  documentId?: string
}

/** Where a preview is shown, and what its form submits besides. */
export interface UndoPlace {
  /** The path that it submits to, below the base address. */
  action: string
  /** The path of the page that it came from. */
  back: string
  title: string | TextKey
  /** What the page says about all calls that it takes back. */
  about?: Html
  fields: Readonly<Record<string, string | undefined>>
}

function selectionOf(fields: URLSearchParams): UndoSelection {
  const [calls, since, connection, link, documentId] = ['calls', 'since', 'connection', 'link', 'document'].map(
    (name) => fields.get(name) || undefined,
  )
  return {
    ...(calls !== undefined && { calls: calls.split(',') }),
    ...(since !== undefined && { since }),
    ...(connection !== undefined && { connection }),
    ...(link !== undefined && { link }),
    ...(documentId !== undefined && { documentId }),
  }
}

/**
 * The input of `history_undo`. To restore a document, all of its calls since a point in time are listed: without a
 * selection, undo applies to the connection's own calls only. Comments stay as long as there is what they are about.
 */
async function undoInput(call: PageCall, selection: UndoSelection): Promise<ToolInput<'history_undo'>> {
  const { documentId, since, connection, link, calls } = selection
  const isWhose = connection !== undefined || link !== undefined || calls !== undefined
  if (documentId === undefined || since === undefined || isWhose) return selection
  const named: string[] = []
  const comments = new Set<string>()
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const { items, pagination } = await call.run('history_list', {
      documentId,
      since,
      limit: CALLS_PER_ANSWER_MAX,
      ...(cursor !== undefined && { cursor }),
    })
    for (const { callId, undoneBy, undoes, tool } of items) {
      if (undoneBy !== undefined || undoes !== undefined) continue
      if (tool.startsWith('comments_')) comments.add(callId)
      else named.push(callId)
    }
    cursor = named.length > UNDO_CALLS ? undefined : pagination?.cursor
  }
  if (named.length === 0) {
    if (comments.size > 0)
      throw refused(text('Nothing but comments was changed in this document since then, and they stay.'))
    throw refused(text('Nothing in this document was changed since then.'))
  }
  if (named.length > UNDO_CALLS) {
    throw refused(
      text('Expected at most {most} changes since that moment, found more; choose a later one.', { most: UNDO_CALLS }),
    )
  }
  return { documentId, calls: await withLostComments(call, documentId, named, comments) }
}

/** Adds the calls that commented on what goes with these calls, without which it would stay. */
async function withLostComments(
  call: PageCall,
  documentId: string,
  named: readonly string[],
  comments: Set<string>,
): Promise<string[]> {
  const calls = [...named]
  while (comments.size > 0 && calls.length < UNDO_CALLS) {
    const input = { documentId, calls, dryRun: true, skipConflicts: true }
    const { laterCalls = [] } = await call.run('history_undo', input)
    const lost = laterCalls.filter((id) => comments.delete(id))
    if (lost.length === 0) break
    calls.push(...lost.slice(0, UNDO_CALLS - calls.length))
  }
  return calls
}

/** How many comments an undo deletes. */
const lostComments = (summary: string): number =>
  readSummaryText(summary)
    .places.flatMap(({ changes }) => changes)
    .filter(({ noun, verb }) => noun === 'comment' && verb === 'deleted')
    .reduce((sum, { amount }) => sum + amount, 0)

/** How many of them the page showed on which somebody confirmed. */
const shownComments = ({ form }: PageCall): number => Number(/^\d{1,6}$/.exec(form.get('comments') ?? '')?.[0] ?? 0)

/** True for all that came after a moment in a document, of all authors. */
const isRestore = ({ documentId, connection, link, calls }: UndoSelection): boolean =>
  documentId !== undefined && connection === undefined && link === undefined && calls === undefined

/** Previews an undo, and asks for confirmation. */
export const undoPreviewPage: Page = {
  route: 'GET /undo',
  needs: ['history_undo'],
  handle: (call) => preview(call, selectionOf(call.query)),
}

/**
 * Undoes a single call immediately if nothing that it touched was changed since. Everything else is previewed first.
 */
export const undoPage: Page = {
  route: 'POST /undo',
  needs: ['history_undo'],
  async handle(call) {
    const selection = selectionOf(call.form)
    const isConfirmed = call.form.get('confirmed') === 'yes'
    if (!isConfirmed && selection.calls?.length !== 1) return preview(call, selection)
    const skipConflicts = isConfirmed && call.form.get('skip') === 'yes'
    try {
      const input = await undoInput(call, selection)
      if (!isConfirmed) await call.run('history_undo', { ...input, dryRun: true })
      else if (isRestore(selection)) {
        // The form of a version has shown nothing of that.
        const { summary } = await call.run('history_undo', { ...input, skipConflicts, dryRun: true })
        if (lostComments(summary) > shownComments(call)) return preview(call, selection)
      }
      const { conflicts = [] } = await call.run('history_undo', { ...input, skipConflicts })
      const done = isRestore(selection) ? 'version' : call.form.get('redo') === 'yes' ? 'redone' : 'undone'
      return afterUndo(call, await placeOf(call, selection), conflicts.length > 0 ? `${done}-partly` : done)
    } catch (error) {
      if (error instanceof ScriptoriumError && error.code === 'CONFLICT') return preview(call, selection)
      throw error
    }
  },
}

/** The page to return to: the one that the undo was asked for on, unless it is one of something that may be gone. */
async function placeOf(call: PageCall, { documentId }: UndoSelection): Promise<string> {
  if (documentId !== undefined) return backOf(call, `/d/${encodeURIComponent(documentId)}`)
  const from = cameFrom(call, '/now')
  const [path = ''] = from.split(/[?#]/)
  if (/^\/(?:undo|calls)\b/.test(path)) return '/now'
  const [, place, id = ''] = /^\/(\w+)\/(\d{12})\b/.exec(path) ?? []
  if (place === 'folders' && !hasFolder(await readFolders(call), id)) return '/now'
  const isBlock = place === 'd' || place === 'collections' || place === 'whiteboards'
  if (isBlock && (await call.find('blocks_get', { id, maxDepth: 0 })) === undefined) return '/now'
  return from
}

/** Returns to a page, with a notice that offers to undo the undo. @param path  below the base address */
export async function afterUndo(call: PageCall, path: string, notice: string): Promise<PageAnswer> {
  const { items } = await call.run('history_list', { limit: 1 })
  const [last] = items
  return goTo(path, notice, last?.undoes === undefined ? {} : { call: last.callId })
}

async function preview(call: PageCall, selection: UndoSelection): Promise<PageAnswer> {
  return previewUndo(call, () => undoInput(call, selection), {
    action: '/undo',
    back: await placeOf(call, selection),
    title: isRestore(selection) ? RESTORE : textKey('Take this back?'),
    fields: { ...fieldsOf(selection), redo: call.form.get('redo') ?? call.query.get('redo') ?? undefined },
  })
}

const RESTORE = textKey('Restore an earlier moment?')

/** Shows what an undo would change, and asks for confirmation. @param selectCalls  reads the input of `history_undo` */
export async function previewUndo(
  call: PageCall,
  selectCalls: () => Promise<ToolInput<'history_undo'>>,
  { action, back, title, about, fields }: UndoPlace,
): Promise<PageAnswer> {
  const planned = await plan(call, selectCalls)
  if ('fault' in planned) return nothingPage(html`<p role="alert">${planned.fault}</p>`)
  const { answer, isSkipping } = planned
  const { conflicts = [], laterCalls = [], calls, summary } = answer
  const changedLater = await conflictsHtml(call, conflicts, laterCalls)
  const isDocument = title === RESTORE
  const backTo = `${call.request.base}${back}`
  const { places, isPartial, others } = readSummaryText(summary)
  const lost = isDocument ? lostComments(summary) : 0
  if (summary === NOTHING_UNDONE) {
    const reason = conflicts.length === 0 ? html`<p class="empty">All is as it was before.</p>` : changedLater
    return nothingPage(html`${reason}<div class="acts"><a class="button" href="${backTo}">Back</a></div>`)
  }
  const { part } = partIn(call.query)
  const whole = answer.dryRun?.diff ?? ''
  const { diff, next } = partOfDiff(whole, part) ?? { diff: whole, next: undefined }
  const compared = parseUnifiedDiff(diff)
  await readListNames(
    call,
    [...places, ...compared].map(({ title }) => title),
  )
  const documents = withListNames(call, compared)
  const following = call.href(action, { ...fields, back, part: String(next) })
  const main = html`<div class="page"><h1>${title}</h1>
<p>${count(calls.length, { one: 'One change would be taken back:', other: '{n} changes would be taken back:' })}</p>
<ul class="changes">${places.map((place) => {
    const title = place.isGone ? text('A deleted document') : place.title
    return html`<li>${title !== undefined && html`<b>${call.links.listNames.get(title) ?? title}</b>: `}${place.changes.map(changeText).join(', ')}</li>`
  })}${others.map((one) => html`<li>${one}</li>`)}${isPartial && html`<li>and more that is not counted</li>`}</ul>
${lost > 0 && html`<div class="notice waits"><p>${count(lost, { one: '{n} comment is about what goes, and goes with it. All others stay.', other: '{n} comments are about what goes, and go with it. All others stay.' })}</p></div>`}${changedLater}${about}
<form class="acts" method="post" action="${call.href(action)}">${hiddenFields(call, back)}<input type="hidden" name="confirmed" value="yes">${fieldsHtml({ ...fields, comments: lost > 0 ? String(lost) : undefined })}${isSkipping && html`<input type="hidden" name="skip" value="yes">`}
<button class="go">${isSkipping ? text('Undo the rest') : isDocument ? text('Restore') : text('Undo')}</button> <a class="button plain" href="${backTo}">Cancel</a></form>
${await differenceHtml(call.comparer, documents, documents.length > 1, { past: call.formats })}
${next !== undefined && html`<p class="more"><a class="button" href="${following}">Next part</a></p>`}
</div>`
  return { title: `${title}`, main, current: '/now' }
}

function nothingPage(content: Html): ShownPage {
  const title = text('Nothing to take back')
  return { title, main: html`<div class="page"><h1>${title}</h1>${content}</div>`, current: '/now', status: 409 }
}

/** Previews an undo. With conflicts, the preview shows the undo without the conflicting parts. */
async function plan(
  call: PageCall,
  selectCalls: () => Promise<ToolInput<'history_undo'>>,
): Promise<{ answer: Rehearsed; isSkipping: boolean } | { fault: string }> {
  try {
    const input = await selectCalls()
    try {
      return { answer: await call.rehearse('history_undo', input), isSkipping: false }
    } catch (error) {
      if (!(error instanceof ScriptoriumError) || error.code !== 'CONFLICT') throw error
      const answer = await call.rehearse('history_undo', { ...input, skipConflicts: true })
      return { answer, isSkipping: true }
    }
  } catch (error) {
    if (error instanceof ScriptoriumError && error.isRefusal) return { fault: refusalText(error) }
    throw error
  }
}

/** Lists what others changed since, as far as the link may see it. @param lines  from `history_undo`, of which the first describe these calls */
async function conflictsHtml(
  call: PageCall,
  lines: readonly string[],
  callIds: readonly string[],
): Promise<Html | false> {
  if (lines.length === 0) return false
  const rows: Html[] = []
  for (const [index, line] of lines.entries()) {
    const callId = callIds[index]
    // The latest call up to this one is the call itself. To name it in call would compare its documents, too.
    const found = callId && (await call.find('history_list', { until: callId, limit: 1 }))
    const item = found ? found.items.find((one) => one.callId === callId) : undefined
    rows.push(item === undefined ? html`<li>${line}</li>` : conflictHtml(call, item))
  }
  const sentence =
    lines.length === 1
      ? text('This was changed later and stays as it is:')
      : text('These were changed later and stay as they are:')
  return html`<div class="notice waits"><p>${sentence}</p><ul>${rows}</ul></div>`
}

const conflictHtml = (call: PageCall, item: HistoryItem): Html =>
  html`<li>${callText(item, call.links)} <small>${callerHtml(item, call.pictures)}, ${call.formats.time(item.at)} · <a href="${call.href(`/calls/${item.callId}`)}">Changes</a></small></li>`

/** As addresses and forms encode it: see selectionOf. */
const fieldsOf = ({ calls, since, connection, link, documentId }: UndoSelection) => ({
  ...{ calls: calls?.join(','), since, connection, link, document: documentId },
})

const fieldsHtml = (fields: UndoPlace['fields']): Html =>
  html`${Object.entries(fields).map(
    ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
  )}`
