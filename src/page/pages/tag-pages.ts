/** Tags: all of them with their counts, and what has one of them. */
import { isTagName, tagKey, tagWithAncestors } from '../../markdown/tags.ts'
import { listTags, type TagList } from '../../space/tags/tag-list.ts'
import { barHtml } from '../frame/bar.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import type { ToolAnswer } from '../page-tools.ts'
import { count, countKey, text } from '../texts/text.ts'
import { documentListHtml, listDocuments } from './documents-pages.ts'
import { resultsHtml, withPaths } from './search-pages.ts'
import { taskListHtml, tickFormHtml } from './task-pages.ts'

export const tagsPage: Page = {
  route: 'GET /tags',
  handle(call) {
    const name = (call.query.get('tag') ?? '').replace(/^#/, '')
    return isTagName(name) ? tagPage(call, name) : allTagsPage(call)
  },
}

async function allTagsPage(call: PageCall): Promise<ShownPage> {
  const { space, link } = call.request.caller
  const list = await space.read(link, (view) => listTags(view, tagKey(call.query.get('after') ?? '')))
  const main = html`<div class="page"><h1>Tags</h1>${listHtml(call, list)}</div>`
  return { title: text('Tags'), main, current: '/tags' }
}

function listHtml(call: PageCall, { tags, next }: TagList): Html {
  if (tags.length === 0)
    return html`<p class="empty">Tags show up here. Write <code>#project</code> or <code>#project/part</code> into a text.</p>`
  const counted = (amount: number, forms: { one: string; other: string }) =>
    amount > 0 && html`<span class="n">${count(amount, forms)}</span>`
  return html`<ul class="documents">${tags.map(
    ({ name, documents, tasks }) =>
      html`<li><a href="${call.links.tag(name)}">#${name}</a><span class="right">${counted(documents, countKey({ one: '{n} document', other: '{n} documents' }))} ${counted(tasks, countKey({ one: '{n} open task', other: '{n} open tasks' }))}</span></li>
`,
  )}</ul>${next !== undefined && html`<p class="more"><a class="button" href="${call.href('/tags', { after: next })}">More</a></p>`}`
}

async function tagPage(call: PageCall, name: string): Promise<ShownPage> {
  const outer = tagWithAncestors(name).slice(0, -1)
  const crumbs = [
    { href: call.href('/tags'), name: text('Tags') },
    ...outer.map((one) => ({ href: call.links.tag(one), name: `#${one}` })),
  ]
  const main = html`${barHtml(crumbs)}<div class="page"><h1>#${name}</h1>
${await documentsHtml(call, name)}
${call.has('tasks_list') && (await tasksHtml(call, name))}</div>`
  return { title: `#${name}`, main, current: '/tags' }
}

async function documentsHtml(call: PageCall, name: string): Promise<Html | false> {
  const tags = [name]
  const empty = text('No document has this tag.')
  if (call.has('documents_list')) {
    // What is in the trash does not count.
    const listed = await listDocuments(call, { tags, orderBy: 'modified' })
    const shown = { ...listed, items: listed.items.filter(({ isDeleted }) => !isDeleted) }
    return documentListHtml(call, shown, { path: '/tags', query: { tag: name }, empty, showsPlace: true })
  }
  if (!call.has('daily_notes_search')) return false
  return resultsHtml(call, `"${name}"`, await withPaths(call, await call.run('daily_notes_search', { tags })))
}

const LISTED = 100
type Tasks = ToolAnswer<'tasks_list'>

async function tasksHtml(call: PageCall, name: string): Promise<Html | false> {
  const filter = { tags: [name], limit: LISTED }
  // Links to daily notes have no list of all tasks. A task of the inbox may also be active or upcoming.
  const lists: Tasks[] = []
  if (call.kind === 'full') lists.push(await call.run('tasks_list', { scope: 'all', ...filter }))
  else
    for (const scope of ['active', 'upcoming', 'undated', 'inbox', 'logbook'] as const)
      lists.push(await call.run('tasks_list', { scope, ...filter }))
  const tasks = [...new Map(lists.flatMap(({ items }) => items.map((task) => [task.id, task]))).values()]
  if (tasks.length === 0) return false
  const hasMore = lists.some(({ pagination }) => pagination !== undefined)
  return html`<h2>Tasks</h2>${tickFormHtml(call, `/tags?tag=${encodeURIComponent(name)}`)}${taskListHtml(call, tasks)}${
    hasMore && html`<p class="more">There are more tasks with this tag.</p>`
  }`
}
