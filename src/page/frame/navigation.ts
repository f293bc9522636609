/** The left column with the navigation. */

import { documentName } from '../documents/document-name.ts'
import { addressOf } from '../form-page.ts'
import { type Html, html } from '../html.ts'
import type { IconName } from '../icon-names.ts'
import type { PageCall } from '../page-call.ts'
import { readPinned } from '../page-cookies.ts'
import type { DocumentEntry } from '../page-tools.ts'
import { awaitsName, GUEST_PATH } from '../pages/guest-page.ts'
import { AS_BROWSER, LANGUAGE_PATH } from '../pages/language-page.ts'
import { PASSWORD_PATH } from '../pages/password-page.ts'
import { chosenLanguage, LANGUAGES, pageLocale } from '../texts/language.ts'
import { text } from '../texts/text.ts'
import {
  type DocumentTree,
  entryHtml,
  foldForm,
  readTree,
  type TreeMarks,
  type TreePlace,
  treeHtml,
} from './document-tree.ts'

export interface Navigation {
  spaceName: string
  tree: DocumentTree
  openTasks?: number
  /** Documents that are pinned in this browser. */
  pinned: DocumentEntry[]
  /** What waits for the member and is unread; absent for a link that is no member. */
  unreadForMe?: number
}

export async function readNavigation(call: PageCall, shown: TreePlace): Promise<Navigation> {
  const navigation: Navigation = {
    spaceName: call.request.caller.space.info.name,
    tree: await readTree(call, shown),
    pinned: await readPinned(call),
  }
  if (call.has('for_me_list')) {
    const { memberId, unread } = await call.run('for_me_list', { limit: 1 })
    if (memberId !== undefined) navigation.unreadForMe = unread
  }
  if (call.has('tasks_list')) {
    const { items, pagination } = await call.run('tasks_list', { scope: 'active', limit: 1 })
    navigation.openTasks = items.length + (pagination?.remaining ?? 0)
  }
  return navigation
}

interface Marks extends TreeMarks {
  /** The number of recently active agents, and of pending proposals. */
  agents: number
  waiting: number
  /** The address from which a script reloads the layout after a change. */
  news: string
  /** When it does. */
  trigger: string
}

export function navigationHtml(call: PageCall, navigation: Navigation, marks: Marks): Html {
  const { spaceName, tree, openTasks, unreadForMe = 0 } = navigation
  const { current, agents, waiting } = marks
  const entry = (path: string, icon: IconName, name: string, about: Html | string = '', isShown = true): Html | false =>
    isShown && entryHtml(call, { path, icon, name, about, isCurrent: path === current })
  return html`<nav id="nav" aria-label="Space" tabindex="-1"${marks.tree !== undefined && html` data-tree="${marks.tree}"`} hx-get="${marks.news}" hx-trigger="${marks.trigger}" hx-swap="none" hx-select-oob="#feed:outerMorph,#programs:outerMorph,#nav:outerMorph,#badge:outerMorph,#edited:outerMorph,#trashed:outerMorph,#now:outerMorph,#waiting:outerMorph">
<div class="space"><a href="${call.href('/')}">${spaceName}</a><a class="close" href="#main">Close</a></div>
<a class="find" href="${call.href('/search')}" data-find>${call.icon('search', text('Find or go to…'))} <kbd>${text('Ctrl')} K</kbd></a>
<section><ul>
${entry('/', 'house', text('Home'), '', call.kind !== 'daily')}
${entry('/now', 'activity', text('Now'), agents === 0 ? '' : agents === 1 ? text('1 agent') : text('{agents} agents', { agents }))}
${entry('/for-me', 'bell', text('For me'), unreadForMe === 0 ? '' : html`<b class="waits">${call.formats.number(unreadForMe)}</b>`, navigation.unreadForMe !== undefined)}
${entry('/waiting', 'inbox', text('Waiting'), waiting === 0 ? '' : html`<b class="waits">${waiting}</b>`, call.has('proposals_list'))}
${entry('/days/today', 'calendar-days', text('Today'), call.formats.shortDay(call.formats.today), call.kind !== 'selected')}
${entry('/tasks', 'tasks', text('Tasks'), openTasks === undefined || openTasks === 0 ? '' : call.formats.number(openTasks), call.has('tasks_list'))}
${entry('/collections', 'collection', text('Collections'))}
${entry('/tags', 'tag', text('Tags'))}
</ul></section>
${pinnedHtml(call, navigation.pinned, marks)}${
  call.kind !== 'daily' &&
  html`<section><h2 id="nav-documents"><a href="${call.href('/documents')}">Documents</a></h2><ul class="tree" aria-labelledby="nav-documents">
${treeHtml(call, tree, marks)}
</ul>${foldForm(call)}</section>`
}
<section><h2>People and agents</h2><ul>${entry('/members', 'members', text('Members'))}${entry('/links', 'links', call.managesSpace ? text('Links and people') : text('Your links'), '', call.management !== undefined)}${entry('/settings', 'settings', text('Settings'), '', call.managesSpace)}${entry(PASSWORD_PATH, 'lock', text('Your password'), '', call.request.changePassword !== undefined)}</ul></section>
${guestHtml(call)}${languageHtml(call)}<form class="leave" method="post" action="${call.href('/sign-out')}">${call.tokenField()}<button class="plain">${call.icon('sign-out', text('Sign out'))}</button></form>
</nav>`
}

/** The other languages of the pages, each by its own name, and the way back to what the browser asks for. */
const languageHtml = (call: PageCall): Html =>
  html`<form class="language" method="post" action="${call.href(LANGUAGE_PATH)}">${call.tokenField()}${Object.entries(
    LANGUAGES,
  )
    .filter(([language]) => language !== pageLocale().language)
    .map(
      ([language, name]) =>
        html`<button class="plain" name="language" value="${language}" lang="${language}">${call.icon('language', name)}</button>`,
    )}${
    chosenLanguage(call.request.request.headers) !== undefined &&
    html`<button class="plain" name="language" value="${AS_BROWSER}">${call.icon('language', text('As the browser says'))}</button>`
  }</form>`

/** Pinned documents, above the folders. */
const pinnedHtml = (call: PageCall, pinned: readonly DocumentEntry[], { documentId }: Marks): Html | false =>
  pinned.length > 0 &&
  html`<section><h2 id="nav-pinned">Pinned</h2><ul aria-labelledby="nav-pinned">${pinned.map(
    ({ id, title }) =>
      html`<li><a href="${call.links.block(id)}"${id === documentId && html` aria-current="page"`}>${documentName(call, title)}</a></li>`,
  )}</ul></section>`

/** Under which name a guest comments, and the way to give one. */
function guestHtml(call: PageCall): Html | false {
  const { link } = call.request.caller
  if (!link.isGuest) return false
  const href = call.href(GUEST_PATH, { back: addressOf(call) })
  return awaitsName(call)
    ? html`<p class="about"><a href="${href}">Give your name to comment</a></p>`
    : html`<p class="about">You comment as <b dir="auto">${link.author}</b>. <a href="${href}">Change</a></p>`
}
