/** The bar above a document: its place, its last author, and actions. */

import { shownTitle } from '../../markdown/shown-title.ts'
import type { JsonBlock } from '../../space/model/json-block.ts'
import { isDay, isoDate } from '../collections/month-weeks.ts'
import { lastEditHtml } from '../frame/activity.ts'
import { barHtml, type Crumb } from '../frame/bar.ts'
import { LOCATIONS } from '../frame/document-tree.ts'
import { type Html, html } from '../html.ts'
import type { IconName } from '../icon-names.ts'
import { wordHtml } from '../icons.ts'
import type { PageCall } from '../page-call.ts'
import type { DocumentEntry, FolderEntry } from '../page-tools.ts'
import { text } from '../texts/text.ts'
import type { DocumentCalls } from './document-calls.ts'
import { DOCUMENT_MENU, documentMenuHtml } from './document-menu.ts'

const DAY_MS = 86_400_000

interface Shown {
  /** True if the current state is shown. */
  isNow: boolean
  /** The day whose note it is, if it was opened by its day. */
  day: string | undefined
  /** True if a script edits the document. */
  isEdited: boolean
  /** The number of suggestions that wait. */
  suggested: number
}

export async function documentBarHtml(
  call: PageCall,
  root: JsonBlock,
  entry: DocumentEntry | undefined,
  calls: DocumentCalls,
  { isNow, day, isEdited, suggested }: Shown,
): Promise<Html> {
  const path = root.pageBlockPath ?? []
  const documentId = path[0]?.id ?? root.id
  const { last } = calls
  const date = path.length > 0 ? undefined : (day ?? entry?.dailyNoteDate)
  const modes = isEdited && call.edits ? modesOf(call) : []
  const actions = actionsOf(call, { entry, documentId, isNow, isDay: date !== undefined })
  const folded = [...modes, ...actions].filter(({ isFolded }) => isFolded)
  return barHtml(
    [...(await placeCrumbs(call, entry)), ...pageCrumbs(call, path)],
    html`${entry?.lockedBy !== undefined && html`<span class="tag" title="Agents can read it, and change nothing in it">Locked by ${entry.lockedBy}</span>`}${isNow && last !== undefined && lastEditHtml(call, last)}
${suggested > 0 && html`<a class="tag" href="#suggestions">${suggested === 1 ? text('1 suggestion') : text('{suggested} suggestions', { suggested: call.formats.number(suggested) })}</a>`}${date !== undefined && daysAroundHtml(call, date)}${modes.length > 0 && html`<nav class="js when-wide" aria-label="What you write">${modes.map((mode) => actionHtml(call, mode))}</nav>`}
${actions.map((action) => html`${actionHtml(call, action)}\n`)}
${
  isNow &&
  documentMenuHtml(
    call,
    root,
    entry,
    isEdited,
    folded.map((action) => entryHtml(call, action)),
  )
}`,
  )
}

/** What the bar offers. Where there is no room for all, what is folded stands in the menu. */
interface BarAction {
  icon: IconName
  name: string
  isFolded: boolean
  /** Where it leads; absent for the button that shows who wrote what. */
  href?: string
  key?: string
  isPlain?: boolean
  isCurrent?: boolean
}

/** What one writes takes effect at once, or waits until somebody accepts it. */
function modesOf(call: PageCall): BarAction[] {
  const { path } = call.request
  const mode = (icon: IconName, name: string, suggests: boolean): BarAction => ({
    ...{ icon, name, isFolded: true, isPlain: true, isCurrent: call.suggests === suggests },
    href: call.href(path, suggests ? { suggest: 'yes' } : {}),
  })
  return [mode('pen', text('Edit'), false), mode('suggest', text('Suggest'), true)]
}

function actionsOf(
  call: PageCall,
  {
    entry,
    documentId,
    isNow,
    isDay,
  }: { entry: DocumentEntry | undefined; documentId: string; isNow: boolean; isDay: boolean },
): BarAction[] {
  const offered: (BarAction | false)[] = [
    { icon: 'who', name: text('Who wrote what'), isFolded: true },
    isNow &&
      entry !== undefined &&
      call.management !== undefined && {
        ...{ icon: 'share', name: text('Share'), isFolded: isDay },
        href: call.href('/links/new', { document: documentId }),
      },
    isNow &&
      call.has('comments_list') && {
        ...{ icon: 'comment', name: text('Comments'), isFolded: false },
        href: call.href(`/d/${documentId}/comments`),
      },
    {
      ...{ icon: 'history', name: text('History'), isFolded: isDay && isNow, key: 'h' },
      href: call.href(`/d/${documentId}/history`),
    },
  ]
  return offered.filter((one) => one !== false)
}

function actionHtml(call: PageCall, { icon, name, isFolded, href, key, isPlain, isCurrent }: BarAction): Html {
  const label = call.icon(icon, wordHtml(name))
  if (href === undefined)
    return html`<button class="plain js when-wide" data-toggle="show-who" aria-pressed="false" title="${name}">${label}</button>`
  return html`<a class="button${isPlain && ' plain'}${isFolded && ' when-wide'}" href="${href}"${key !== undefined && html` data-key="${key}"`}${isCurrent && html` aria-current="page"`} title="${name}">${label}</a>`
}

/** The same in the menu. */
const entryHtml = (call: PageCall, { icon, name, href, isPlain, isCurrent }: BarAction): Html =>
  href === undefined
    ? html`<button class="js" type="button" data-toggle="show-who" aria-pressed="false" popovertarget="${DOCUMENT_MENU}" popovertargetaction="hide">${call.icon(icon, name)}</button>`
    : html`<a${isPlain && html` class="js"`} href="${href}"${isCurrent && html` aria-current="page"`}>${call.icon(icon, name)}</a>`

/** The notes of the days before and after a day. */
export function daysAroundHtml(call: PageCall, date: string): Html {
  const isToday = date === call.formats.today
  const arrow = (icon: IconName, days: number, near: string, other: string): Html | false => {
    const to = isoDate(Date.parse(date) + days * DAY_MS)
    const name = isToday ? near : `${other}: ${call.formats.day(to)}`
    return (
      isDay(to) &&
      html`<a class="button plain" href="${call.links.day(to)}" title="${name}" aria-label="${name}">${call.icon(icon)}</a>`
    )
  }
  return html`${arrow('arrow-left', -1, text('Yesterday'), text('Previous day'))}${arrow('arrow-right', 1, text('Tomorrow'), text('Next day'))}`
}

/** The pages that contain a block. */
export const pageCrumbs = (call: PageCall, path: readonly { id: string; content: string }[]): Crumb[] =>
  path.map(({ id, content }) => ({ href: call.links.block(id), name: shownTitle(content) }))

/** The folders that contain a document, or its location. */
async function placeCrumbs(call: PageCall, entry: DocumentEntry | undefined): Promise<Crumb[]> {
  if (entry === undefined) return []
  if (entry.dailyNoteDate !== undefined) return [{ href: call.href('/days'), name: text('Daily notes') }]
  const location = entry.location as keyof typeof LOCATIONS | undefined
  if (entry.folderId === undefined) {
    const name = location && LOCATIONS[location]
    return name === undefined ? [] : [{ href: call.href(`/${location}`), name }]
  }
  const { items } = await call.run('folders_list')
  return folderCrumbs(call, folderPath(items, entry.folderId))
}

export const folderCrumbs = (call: PageCall, folders: readonly FolderEntry[]): Crumb[] =>
  folders.map(({ id, name }) => ({ href: call.href(`/folders/${id}`), name }))

/** The folders from the outermost to the given one; empty if it does not exist. */
export function folderPath(folders: readonly FolderEntry[], id: string): FolderEntry[] {
  for (const folder of folders) {
    if (folder.id === id) return [folder]
    const inner = folderPath(folder.folders, id)
    if (inner.length > 0) return [folder, ...inner]
  }
  return []
}
