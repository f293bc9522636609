/** The layout of every page: the head, the navigation, the page with its badge, the panel if it is pinned, and data for scripts. */

import { PAGE_QUERY_LENGTH } from '../../base/limits.ts'
import { canComment } from '../../space/model/access.ts'
import { type AssetName, assetPath } from '../assets.ts'
import { documentEntry, trashedHtml } from '../documents/trashed-notice.ts'
import { type Html, html, trusted } from '../html.ts'
import { wordHtml } from '../icons.ts'
import { MANIFEST_PATH, THEME } from '../manifest.ts'
import { AGAIN } from '../members/member-html.ts'
import type { PageCall } from '../page-call.ts'
import type { ShownPage } from '../page-declaration.ts'
import { type ScriptName, scriptPath } from '../scripts.ts'
import { pageLocale } from '../texts/language.ts'
import { scriptTextsPath } from '../texts/script-texts.ts'
import { type TextKey, text } from '../texts/text.ts'
import {
  type Activity,
  activityParts,
  badgeHtml,
  countAgents,
  isPinned,
  lastEditHtml,
  panelHtml,
  readActivity,
  recentWriters,
} from './activity.ts'
import { bottomBarHtml } from './bottom-bar.ts'
import { keysHtml } from './keys-help.ts'
import { isChanged, type KnownParts, livePart } from './live-parts.ts'
import { type Navigation, navigationHtml, readNavigation } from './navigation.ts'
import { noticeHtml } from './notices.ts'
import { storageNoticeHtml } from './storage-notice.ts'

/** The content around the main part of a page. */
export interface Frame {
  before: Html
  after: Html
}

const SENDS_NOTHING: ReadonlySet<ScriptName> = new Set(['reading', 'activity', 'zoom'])

/** The properties of a page that its layout depends on. */
export type FramedPage = Pick<
  ShownPage,
  'current' | 'folderId' | 'documentId' | 'nestedId' | 'side' | 'showsCalls' | 'showsWaiting'
>

export async function frameOf(call: PageCall, page: ShownPage): Promise<Frame> {
  const navigation = await readNavigation(call, page)
  const activity = await readActivity(call)
  // Any page sends what closed tabs left. A link that only reads has nothing to send.
  const names = new Set([
    ...(canComment(call.request.caller.link) ? (['unsent'] as const) : []),
    ...(isPinned(call) ? (['activity'] as const) : []),
    ...(page.scripts ?? []),
  ])
  const scripts = await Promise.all([...names].map((name) => scriptPath(call.request.root, name)))
  const storage = await storageNoticeHtml(call)
  const forMe = await scriptPath(call.request.root, 'forMe')
  const pictures = await scriptPath(call.request.root, 'pictures')
  const offline = call.request.isKept ? await scriptPath(call.request.root, 'offline') : undefined
  const badge = badgeHtml(call, activity, await scriptPath(call.request.root, 'activity'))
  const sendsCalls = [...names].some((name) => !SENDS_NOTHING.has(name))
  const left = await leftHtml(call, page, navigation, activity)
  const before = html`${beforeMain(call, page, navigation, { scripts, forMe, pictures, offline, badge, sendsCalls, left })}${storage}`
  return { before, after: await afterMain(call, page, activity) }
}

/**
 * The parts of the layout that change with the space. A script replaces each part.
 *
 * @param known  what the page has; what is the same there is left out
 */
export async function frameNews(call: PageCall, page: FramedPage, known?: KnownParts): Promise<Html> {
  const navigation = await readNavigation(call, page)
  const activity = await readActivity(call)
  const isHere = ({ documentId }: { documentId: string }) => documentId === page.documentId
  const last = activity.calls.find(({ documents }) => documents.some(isHere))
  const trashed = page.documentId !== undefined && trashedHtml(call, await documentEntry(call, page.documentId))
  const isPanelOpen = known === undefined || known.has('now') || known.has('waiting')
  const parts = [
    await leftHtml(call, page, navigation, activity),
    badgeHtml(call, activity, await scriptPath(call.request.root, 'activity')),
    ...(last === undefined ? [] : [lastEditHtml(call, last)]),
    ...(trashed === false ? [] : [trashed]),
    ...(isPanelOpen ? await activityParts(call, activity, page) : []),
  ]
  return html`${parts.filter((part) => isChanged(part, known))}`
}

async function leftHtml(call: PageCall, page: FramedPage, navigation: Navigation, activity: Activity): Promise<Html> {
  const tree =
    call.may('change') && call.has('documents_move') ? await scriptPath(call.request.root, 'tree') : undefined
  const folds = await scriptPath(call.request.root, 'folds')
  const { current = '', folderId, documentId, nestedId, showsCalls, showsWaiting } = page
  const { now } = call.request
  const news = {
    current: current === '' ? undefined : current,
    folder: folderId,
    document: documentId,
    page: nestedId,
    ...(showsCalls && { calls: 'yes' }),
    ...(showsWaiting && { waiting: 'yes' }),
  }
  return livePart(
    navigationHtml(call, navigation, {
      current,
      folderId,
      documentId,
      nestedId,
      agents: countAgents(activity, now),
      waiting: activity.waiting.length,
      writing: recentWriters(activity, now),
      news: call.href('/news', news),
      tree,
      folds,
      // What agents are doing changes also while they only read.
      trigger: showsCalls ? AGAIN : 'spacechange from:body',
    }),
  )
}

function beforeMain(
  call: PageCall,
  page: ShownPage,
  navigation: Navigation,
  {
    scripts,
    forMe,
    pictures,
    offline,
    badge,
    sendsCalls,
    left,
  }: {
    scripts: readonly string[]
    forMe: string
    pictures: string
    offline: string | undefined
    badge: Html
    sendsCalls: boolean
    left: Html
  },
): Html {
  const { root } = call.request
  // A document that is edited loads it when it first needs it.
  const isHtmxLater = page.scripts?.includes('edit') ?? false
  return html`${headHtml(`${page.title} — ${navigation.spaceName}`, root, { base: call.request.base, isLive: true, isHtmxLater, scripts, styles: page.styles })}
<body${isPinned(call) && html` class="pinned"`} data-base="${call.request.base}"${isHtmxLater && html` data-htmx="${assetPath(root, 'htmx.js')}"`} data-pictures="${pictures}" data-icons="${assetPath(root, 'icons.svg')}" data-owner="${call.request.owner}" data-for-me="${forMe}"${offline !== undefined && html` data-offline="${offline}"`}${call.feedCursor !== undefined && html` data-cursor="${call.feedCursor}"`}${sendsCalls && html` data-token="${call.request.formToken}"`}>
<a class="skip" href="#main">Skip to the text</a>
<header class="top"><a href="#nav">${call.icon('menu', wordHtml(text('Menu')))}</a><a class="name" href="${call.href('/')}">${navigation.spaceName}</a>${page.side !== undefined && html`<a href="#beside">${page.side.name}</a>`}${badge}</header>
${left}
<main id="main" tabindex="-1"${page.isWide && html` class="broad"`}>
${noticeHtml(call)}
`
}

const afterMain = async (call: PageCall, page: ShownPage, activity: Activity): Promise<Html> => html`
</main>
${page.side !== undefined && html`<div class="side" id="beside" role="complementary" aria-label="Beside the page" tabindex="-1"><a class="close" href="#main">Close</a>${page.side.content}</div>`}
${isPinned(call) && panelHtml(call, await activityParts(call, activity, page))}
<dialog id="find" aria-label="Find or go to"><form method="get" action="${call.href('/search')}"><input type="text" dir="auto" inputmode="search" enterkeyhint="search" name="q" aria-label="Title or words" placeholder="Title or words" maxlength="${PAGE_QUERY_LENGTH}" autocomplete="off" spellcheck="false" hx-get="${call.href('/find')}" hx-trigger="input changed delay:80ms, findopen" hx-target="#found" hx-swap="innerMorph"></form><div id="found" aria-live="polite"></div></dialog>
<dialog id="panel"></dialog>
${keysHtml()}
${bottomBarHtml(call, page.current)}
</body>
</html>`

/** Error responses do not replace reloaded parts, and sections that a person folded stay folded. */
const HTMX_CONFIG = JSON.stringify({
  includeIndicatorCSS: false,
  transitions: false,
  history: false,
  noSwap: [204, 304, '4xx', '5xx'],
  morphIgnore: ['data-htmx-powered', 'open'],
})

interface HeadScripts {
  /** The base address of the space's pages, for pages of a space. */
  base?: string | undefined
  /** True if the page has scripts. */
  isLive: boolean
  /** True if the page loads htmx by itself: see load-htmx.js. */
  isHtmxLater?: boolean
  /** Addresses of additional scripts. */
  scripts?: readonly string[]
  styles?: readonly AssetName[] | undefined
}

/** @param root  a path prefix, if a proxy serves the server in a folder */
export const headHtml = (
  title: string | TextKey,
  root: string,
  { base, isLive, isHtmxLater = false, scripts = [], styles = [] }: HeadScripts,
): Html => html`<!doctype html>
<html lang="${pageLocale().language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${THEME.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${THEME.dark}" media="(prefers-color-scheme: dark)">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${assetPath(root, 'icon.svg')}">
${
  base !== undefined &&
  html`<link rel="manifest" href="${base}${MANIFEST_PATH}"><link rel="apple-touch-icon" href="${assetPath(root, 'icon.png')}">
`
}${['page.css' as const, ...styles].map((name) => html`<link rel="stylesheet" href="${assetPath(root, name)}">`)}
<link rel="stylesheet" href="${assetPath(root, 'phone.css')}" media="screen and (max-width: 640px)">
<link rel="stylesheet" href="${assetPath(root, 'print.css')}" media="print">
${textsHtml(root, isLive || scripts.length > 0)}${
  isLive &&
  html`<meta name="htmx-config" content='${trusted(HTMX_CONFIG)}'>
${!isHtmxLater && html`<script src="${assetPath(root, 'htmx.js')}" defer></script>`}
<script src="${assetPath(root, 'page.js')}" type="module"></script>`
}
${scripts.map((path) => html`<script src="${path}" type="module"></script>\n`)}
</head>`

/** The texts of the scripts, before them. */
function textsHtml(root: string, hasScripts: boolean): Html | false {
  const path = hasScripts ? scriptTextsPath(root) : undefined
  return path !== undefined && html`<script src="${path}" defer></script>\n`
}

/** Data for the script of a page outside of a space. */
interface OutsideScript {
  /** The base address of the space's pages. */
  base: string
  /** See `sessionOwner`; empty for a browser without a session. */
  owner: string
  /** The address of the script. */
  script: string
}

/** A page outside of a space: for people without access, and for errors. */
export const plainPage = (title: string | TextKey, content: Html, root: string, outside?: OutsideScript): Html =>
  html`${headHtml(title, root, { base: outside?.base, isLive: false, scripts: outside === undefined ? [] : [outside.script] })}
<body class="alone"${outside !== undefined && html` data-base="${outside.base}" data-owner="${outside.owner}"`}>
<main id="main">
<div class="page"><h1>${title}</h1>
${content}</div>
</main>
</body>
</html>`
