/** The list of collections, and one collection with its views. */

import { shownTitle } from '../../markdown/shown-title.ts'
import { calendarColumn, monthOf } from '../collections/collection-calendar.ts'
import type { CollectionView } from '../collections/collection-entries.ts'
import { collectionHtml, collectionStyle, itemsId, viewHtml } from '../collections/collection-html.ts'
import { demandedValues } from '../collections/new-row.ts'
import { ALL_ROWS, readCollection, tableOfAll } from '../collections/read-collection.ts'
import { rulesHtml } from '../collections/rules-html.ts'
import { pageCrumbs } from '../documents/document-bar.ts'
import { menuHtml } from '../documents/document-menu.ts'
import { addressOf, backOf, formLink } from '../form-page.ts'
import { barHtml } from '../frame/bar.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import { readSuggestions } from '../suggestions/read-suggestions.ts'
import { styleHtml } from '../suggestions/suggestion-html.ts'
import { count, text } from '../texts/text.ts'

const ITEMS_LISTED = 200
const COLLECTIONS_LISTED = 100

export const collectionsPage: Page = {
  route: 'GET /collections',
  async handle(call) {
    const cursor = call.query.get('cursor')
    const { items, pagination } = await call.run('collections_list', {
      limit: COLLECTIONS_LISTED,
      ...(cursor !== null && { cursor }),
    })
    const main = html`<div class="page"><h1>Collections</h1>
${
  items.length === 0
    ? html`<p class="empty">Tables of items show up here. One begins in a document: with “New collection…” in its menu, or with “Collection” after typing /.</p>`
    : html`<ul class="documents">${items.map(
        ({ id, name, itemCount }) =>
          html`<li><a href="${call.href(`/collections/${id}`)}">${call.icon('collection', shownTitle(name))}</a><span class="right"><span class="n">${count(itemCount, { one: '{n} item', other: '{n} items' })}</span></span></li>
`,
      )}</ul>`
}
${pagination !== undefined && html`<p class="more"><a class="button" href="${call.href('/collections', { cursor: pagination.cursor })}">${call.formats.number(pagination.remaining)} more</a></p>`}</div>`
    return { title: text('Collections'), main, current: '/collections' }
  },
}

export const collectionPage: Page = {
  route: 'GET /collections/:id',
  async handle(call) {
    const id = call.params.id ?? ''
    const isEditable = call.has('items_update') && call.may('change')
    const by = call.query.get('by') ?? undefined
    const shown = await readCollection(call, id, {
      viewId: call.query.get('view') ?? undefined,
      limit: ITEMS_LISTED,
      cursor: call.query.get('cursor') ?? undefined,
      calendar: {
        by,
        month: monthOf(call, call.query.get('month')),
        href: (month) => withMonth(call, month),
      },
      isEditable,
      address: { path: addressOf(call) },
    })
    const { schema, answer } = shown
    const path = await call.run('blocks_get', {
      id,
      maxDepth: 0,
      fetchMetadata: true,
    })
    const crumbs = path.pageBlockPath ?? []
    const documentId = crumbs[0]?.id
    const suggestions =
      documentId === undefined
        ? undefined
        : await readSuggestions(call, { documentId, pageId: documentId, back: addressOf(call) })
    const name = shownTitle(schema.name)
    const address = `${call.request.base}${addressOf(call)}`
    const main = html`${collectionStyle(call)}${barHtml([{ href: call.href('/collections'), name: text('Collections') }, ...pageCrumbs(call, crumbs)], actsHtml(call, shown))}
<div class="page"><h1>${name}</h1>
${tabsHtml(call, shown, by)}
<div id="${itemsId(id)}"${isEditable && html` data-items="${address}"`} hx-get="${address}" hx-select="#${itemsId(id)}" hx-trigger="spacechange from:body" hx-swap="outerMorph">${suggestions && html`${styleHtml(call)}${suggestions.below(id, '')}`}${rulesHtml(call, shown)}${viewHtml(call, { ...shown, suggestions })}</div>
${
  answer.pagination !== undefined &&
  shown.calendar === undefined &&
  html`<p class="more"><a class="button" href="${moreHref(call, answer.pagination.cursor)}">${call.formats.number(answer.pagination.remaining)} more</a></p>`
}</div>`
    return {
      title: name,
      main,
      current: '/collections',
      isWide: true,
      ...(documentId !== undefined && { documentId }),
      ...(isEditable && { scripts: ['collection'] as const }),
    }
  },
}

/** The address of this page with one parameter more. */
function withParameter(call: PageCall, name: string, value: string): string {
  const [path = '', search] = addressOf(call).split('?')
  const query = new URLSearchParams(search)
  query.set(name, value)
  return `${call.request.base}${path}?${query}`
}

const withMonth = (call: PageCall, month: string): string => withParameter(call, 'month', month)
const moreHref = (call: PageCall, cursor: string): string => withParameter(call, 'cursor', cursor)

/** A collection as part of a document, for a script that has changed one of its items. */
export const embeddedCollectionPage: Page = {
  route: 'GET /collections/:id/embedded',
  needs: ['items_update'],
  effect: 'change',
  async handle(call) {
    const id = call.params.id ?? ''
    const back = backOf(call, `/collections/${id}`)
    const documentId = call.query.get('document') ?? id
    const suggestions = await readSuggestions(call, { documentId, pageId: documentId, back })
    return { fragment: await collectionHtml(call, id, { isEditable: true, back, documentId, suggestions }) }
  },
}

/** Tabs for the views, for a table of all rows if none of them is one, and for a calendar of each other date column. */
function tabsHtml(call: PageCall, { id, schema, views, view }: CollectionView, by: string | undefined): Html | false {
  const shown = new Set(views.map((one) => calendarColumn(schema, one)?.key))
  const dates = schema.properties.filter(({ type, key }) => type === 'date' && (!shown.has(key) || key === by))
  const needsTable = views.length > 0 && tableOfAll(views) === undefined
  if (views.length + dates.length + (needsTable ? 1 : 0) < 2) return false
  const tab = (href: string, name: string, isCurrent: boolean) =>
    html`<a href="${href}"${isCurrent && html` aria-current="page"`}>${name}</a>`
  return html`<nav class="tabs" aria-label="Views">${views.map((one) =>
    tab(call.href(`/collections/${id}`, { view: one.id }), one.name, by === undefined && one.id === view?.id),
  )}${needsTable && tab(call.href(`/collections/${id}`, { view: ALL_ROWS }), text('All rows'), by === undefined && view === undefined)}${dates.map(
    (one) =>
      tab(
        call.href(`/collections/${id}`, { view: view?.id, by: one.key }),
        text('Calendar: {name}', { name: one.name }),
        one.key === by,
      ),
  )}</nav>`
}

/** A button to add a row, and a menu with all that changes the collection. */
function actsHtml(call: PageCall, shown: CollectionView): Html {
  const { id, view, isEditable } = shown
  const path = `/collections/${id}`
  const settings = { variant: '', query: { view: view?.id } }
  const entries = [
    isEditable &&
      call.has('schema_update') &&
      formLink(call, `${path}/edit`, call.icon('rename', text('Edit collection…')), settings),
    isEditable &&
      view !== undefined &&
      call.has('views_update') &&
      formLink(call, `${path}/views/${view.id}`, call.icon('settings', text('Edit view…')), settings),
    call.may('add') &&
      call.has('views_add') &&
      formLink(call, `${path}/views/new`, call.icon('eye', text('New view…')), settings),
    isEditable &&
      call.has('schema_update') &&
      formLink(call, `${path}/columns/new`, call.icon('columns', text('New column…')), settings),
  ].filter((one) => one !== false)
  return html`${menuHtml('collection-menu', call.icon('more', text('More')), entries)}${call.may('add') && call.has('items_add') && formLink(call, `${path}/items/new`, call.icon('plus', text('New row…')), { key: 'c', query: Object.fromEntries(demandedValues(call, shown).fields) })}`
}
