/**
 * Names the lists of tasks in what has the titles of documents alone, such as previews and proposals: they are stored as
 * documents, with titles in English.
 */
import type { DiffLine, DocumentDifference } from '../../difference/read-diff.ts'
import { SYSTEM_DOCUMENT_TITLES } from '../../space/model/system-documents.ts'
import type { PageCall } from '../page-call.ts'
import { TASK_LISTS } from '../task-scopes.ts'

/** Documents whose titles are compared. */
const TITLES_READ = 5_000

/**
 * Reads the names by title. A title that a document of its own has keeps it, since it could be that one.
 *
 * @param titles  those that are shown
 */
export async function readListNames(call: PageCall, titles: readonly (string | undefined)[]): Promise<void> {
  const names = new Map<string, string>()
  for (const list of call.links.taskLists.values()) {
    const title = SYSTEM_DOCUMENT_TITLES[list]
    if (titles.includes(title)) names.set(title, `${TASK_LISTS[list]}`)
  }
  const own = names.size === 0 ? undefined : await ownTitles(call)
  for (const title of [...names.keys()]) if (own === undefined || own.has(title)) names.delete(title)
  call.links.listNames = names
}

const read = new WeakMap<PageCall, Promise<ReadonlySet<string> | undefined>>()

/** The titles of documents, once for each request; undefined if there are more than are read. */
function ownTitles(call: PageCall): Promise<ReadonlySet<string> | undefined> {
  const known = read.get(call) ?? readTitles(call)
  read.set(call, known)
  return known
}

async function readTitles(call: PageCall): Promise<ReadonlySet<string> | undefined> {
  if (!call.has('documents_list')) return new Set()
  const { items } = await call.run('documents_list', { orderBy: 'modified', limit: TITLES_READ })
  return items.length < TITLES_READ ? new Set(items.map(({ title }) => title)) : undefined
}

/** A difference with these names, also in the line with the title of a document that stays. */
export function withListNames(call: PageCall, documents: readonly DocumentDifference[]): DocumentDifference[] {
  const { listNames } = call.links
  if (listNames.size === 0) return [...documents]
  const named = (title: string) => listNames.get(title) ?? title
  const lineOf = (line: DiffLine): DiffLine => {
    const [, title] = (line.sign === ' ' && TITLE.exec(line.text)) || []
    return title === undefined ? line : { ...line, text: `<pageTitle>${named(title)}</pageTitle>` }
  }
  return documents.map((document) => ({
    ...document,
    title: named(document.title),
    hunks: document.hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(lineOf) })),
  }))
}

const TITLE = /^<pageTitle>(.*)<\/pageTitle>$/
