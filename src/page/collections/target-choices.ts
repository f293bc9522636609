/** Finds blocks by title as targets of a relation or block link. */

import { PAGE_QUERY_LENGTH } from '../../base/limits.ts'
import { matchRank } from '../../base/title-match.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { titleText } from '../blocks/block-writer.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { PropertyEntry } from '../page-tools.ts'
import { targetsOf } from './collection-values.ts'
import type { FilterEntry } from './filter-questions.ts'

/** Maximum number of targets to offer, and of document titles to search. */
const OFFERED = 12
const TITLES_READ = 5_000

interface Target {
  id: string
  title: string
}

/** The current targets, and those whose title matches the query. */
export async function readTargetChoices(call: PageCall, property: PropertyEntry, value: unknown): Promise<Html> {
  const { key, name, type } = property
  const query = (call.form.get(`q.${key}`) ?? '').trim().slice(0, PAGE_QUERY_LENGTH)
  const found = type === 'relation' ? await findItems(call, property, query) : await findDocuments(call, query)
  const chosen: Target[] = []
  for (const { blockId } of targetsOf(value)) {
    chosen.push(found.find(({ id }) => id === blockId) ?? { id: blockId, title: await readTitle(call, blockId) })
  }
  const others = found.filter(({ id }) => !chosen.some((one) => one.id === id))
  const isOne = type === 'blockLink'
  const choice = ({ id, title }: Target, isChosen: boolean) =>
    html`<label class="choice"><input type="${isOne ? 'radio' : 'checkbox'}" name="v.${key}" value="${id}"${isChosen && html` checked`}><span>${shownTitle(title)}</span></label>`
  return html`${isOne && html`<label class="choice"><input type="radio" name="v.${key}" value=""${chosen.length === 0 && html` checked`}><span>None</span></label>`}${chosen.map(
    (one) => choice(one, true),
  )}${others.map((one) => choice(one, false))}
${found.length === 0 && query !== '' && html`<p class="empty">Nothing has these words in its title.</p>`}
<div class="search"><input type="search" dir="auto" name="q.${key}" value="${query}" aria-label="${name}: words of a title" placeholder="Words of a title"><button name="do" value="search" formnovalidate>Find</button></div>`
}

async function findItems(call: PageCall, { targetCollectionId }: PropertyEntry, query: string): Promise<Target[]> {
  if (targetCollectionId === undefined) return []
  const filters: FilterEntry[] = [{ property: 'title', filterType: 'string_contains', filterValue: query }]
  const answer = await call.find('items_list', {
    collectionId: targetCollectionId,
    maxDepth: 0,
    properties: [],
    limit: OFFERED,
    ...(query !== '' && { filters }),
  })
  return answer?.items ?? []
}

async function findDocuments(call: PageCall, query: string): Promise<Target[]> {
  if (!call.has('documents_list')) return []
  const { items } = await call.run('documents_list', {
    orderBy: 'modified',
    limit: query === '' ? OFFERED : TITLES_READ,
  })
  return items
    .filter(({ title, isDeleted }) => !isDeleted && (query === '' || matchRank(title, query) !== undefined))
    .slice(0, OFFERED)
}

async function readTitle(call: PageCall, id: string): Promise<string> {
  const block = await call.find('blocks_get', { id, maxDepth: 0 })
  return block === undefined ? '' : titleText(block)
}
