/** The choices for a new link: its reach, its access, and its lifetime. */

import { isWithinAccess } from '../auth/access-links/link-managers.ts'
import { NAME_LENGTH, PAGE_QUERY_LENGTH } from '../base/limits.ts'
import { matchRank } from '../base/title-match.ts'
import { shownTitle } from '../markdown/shown-title.ts'
import { ACCESS_LEVELS, type AccessLevel, CONNECTION_KINDS, type ConnectionKind } from '../space/model/space.ts'
import { type Html, html } from './html.ts'
import type { PageCall } from './page-call.ts'
import type { FolderEntry } from './page-tools.ts'
import { type TextKey, text, textKey } from './texts/text.ts'

export interface LinkForm {
  name: string
  kind: ConnectionKind
  access: AccessLevel
  /** True for a calendar, which opens nothing else. */
  isCalendar: boolean
  /** IDs of the documents that a selected link exposes. */
  documents: string[]
  /** IDs of folders whose documents it exposes as they are now. */
  folders: string[]
  /** The query that filters documents by title. */
  query: string
  /** In days; 0 for unlimited. */
  expires: number
  participant: string
}

export const ACCESS_LABELS: Readonly<Record<AccessLevel, TextKey>> = {
  full: textKey('Reads, writes and deletes'),
  'no-delete': textKey('Reads and writes, and deletes nothing'),
  propose: textKey('Reads, and proposes changes that you approve'),
  comment: textKey('Reads and comments, and changes nothing else'),
  read: textKey('Reads, and changes nothing'),
}

const KIND_LABELS: Readonly<Record<ConnectionKind, TextKey>> = {
  full: textKey('The whole space'),
  selected: textKey('Selected documents'),
  daily: textKey('Daily notes, the inbox and done tasks'),
}

/** What the holder of a link may do. */
export const accessLabel = ({ access, isCalendar }: { access: AccessLevel; isCalendar?: true | undefined }): string =>
  isCalendar ? text('Shows a calendar, and nothing else') : `${ACCESS_LABELS[access]}`

export const reachLabel = (kind: ConnectionKind): string => `${KIND_LABELS[kind]}`

/** Lifetimes in days, as offered by the form. */
const LIFETIMES: readonly [days: number, label: TextKey][] = [
  [0, textKey('never')],
  [1, textKey('in a day')],
  [7, textKey('in a week')],
  [30, textKey('in 30 days')],
  [365, textKey('in a year')],
]
/** Documents to offer, and titles to search. */
const OFFERED = 30
const TITLES_READ = 5_000

export function linkFormOf(fields: URLSearchParams): LinkForm {
  return {
    name: (fields.get('name') ?? '').trim(),
    kind: CONNECTION_KINDS.find((one) => one === fields.get('kind')) ?? (fields.has('document') ? 'selected' : 'full'),
    access: ACCESS_LEVELS.find((one) => one === fields.get('access')) ?? 'propose',
    isCalendar: fields.get('calendar') === 'on',
    documents: [...new Set(fields.getAll('document'))],
    folders: [...new Set(fields.getAll('folder'))],
    query: (fields.get('search') ?? '').slice(0, PAGE_QUERY_LENGTH).trim(),
    expires: Number.parseInt(fields.get('expires') ?? '0', 10) || 0,
    participant: fields.get('participant') ?? '',
  }
}

/** Access levels that a person may give to others. */
export const grantable = (call: PageCall): AccessLevel[] =>
  ACCESS_LEVELS.filter((level) => isWithinAccess(level, call.request.caller.link.access))

/** What a link reaches and may do: the fields that are chosen when it is made, and changed later. */
export const rightsHtml = async (call: PageCall, form: LinkForm): Promise<Html> =>
  html`${choicesHtml(text('What it reaches'), 'kind', CONNECTION_KINDS, form.kind, KIND_LABELS)}
<div class="chosen-documents">${await documentChoiceHtml(call, form)}</div>
${choicesHtml(text('What it may do there'), 'access', grantable(call), form.access, ACCESS_LABELS)}`

/** The documents that the form exposes, with those that are in its folders now. Empty unless it selects them. */
export async function exposedBy(call: PageCall, { kind, documents, folders }: LinkForm): Promise<string[]> {
  if (kind !== 'selected') return []
  const all = new Set(documents)
  for (const folderId of folders) {
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const listed = await call.run('documents_list', { folderId, limit: 500, ...(cursor !== undefined && { cursor }) })
      for (const { id, isDeleted } of listed.items) if (!isDeleted) all.add(id)
      cursor = listed.pagination?.cursor
    }
  }
  return [...all]
}

function choicesHtml<Value extends string>(
  legend: string,
  field: string,
  values: readonly Value[],
  chosen: Value,
  label: Readonly<Record<Value, TextKey>>,
): Html {
  return html`<fieldset><legend>${legend}</legend>${values.map(
    (
      value,
    ) => html`<label class="choice"><input type="radio" name="${field}" value="${value}"${value === chosen && html` checked`}><span>${label[value]}</span></label>
`,
  )}</fieldset>`
}

/** @param people  names of the participants, one of whom will own the link */
export async function linkFormHtml(call: PageCall, form: LinkForm, people: readonly string[]): Promise<Html> {
  const { name, isCalendar, expires, participant } = form
  return html`<label>Name<input type="text" dir="auto" name="name" value="${name}" placeholder="nightly-research" maxlength="${NAME_LENGTH}" autocomplete="off"></label>
${await rightsHtml(call, form)}
<label class="choice"><input type="checkbox" name="calendar" value="on"${isCalendar && html` checked`}><span>Only a calendar of it: tasks, reminders and dates of collections, for programs with calendars</span></label>
${
  people.length > 1 &&
  html`<label>For whom<select name="participant">${people.map((one) => html`<option${one === participant && html` selected`}>${one}</option>`)}</select></label>`
}
<label>It expires<select name="expires">${LIFETIMES.map(([days, label]) => html`<option value="${days}"${days === expires && html` selected`}>${label}</option>`)}</select></label>`
}

/** Documents and folders to choose from: selected ones first, then those whose title matches the query. */
async function documentChoiceHtml(call: PageCall, { documents, folders, query }: LinkForm): Promise<Html> {
  const { items } = await call.run('documents_list', {
    orderBy: 'modified',
    limit: TITLES_READ,
  })
  const chosen = new Set(documents)
  const first = items.filter(({ id }) => chosen.has(id))
  const matching = items.filter(
    (entry) => !chosen.has(entry.id) && !entry.isDeleted && matchRank(entry.title, query) !== undefined,
  )
  const more = matching.length - OFFERED
  const inFolders = flatFolders((await call.run('folders_list')).items).filter(
    ({ id, name }) => folders.includes(id) || (query !== '' && matchRank(name, query) !== undefined),
  )
  return html`<fieldset><legend>Documents</legend>
<div class="search"><input type="search" dir="auto" name="search" value="${query}" aria-label="Words of titles and folders" placeholder="Words of titles and folders"><button name="do" value="search">Find</button></div>
${inFolders.map(
  ({ id, path, documentCount }) =>
    html`<label class="choice"><input type="checkbox" name="folder" value="${id}"${folders.includes(id) && html` checked`}><span>${path} <small>all documents that are in this folder now: ${call.formats.number(documentCount)}</small></span></label>
`,
)}${[...first, ...matching.slice(0, OFFERED)].map(
  ({
    id,
    title,
  }) => html`<label class="choice"><input type="checkbox" name="document" value="${id}"${chosen.has(id) && html` checked`}><span>${shownTitle(title)}</span></label>
`,
)}
${inFolders.length + first.length + matching.length === 0 && html`<p class="empty">No document or folder has these words in its title.</p>`}
${more > 0 && html`<p class="about">And ${call.formats.number(more)} more: find them by their titles.</p>`}</fieldset>`
}

/** A folder with the names of those that it is in. */
interface FlatFolder {
  id: string
  name: string
  path: string
  documentCount: number
}

/** Folders with those in them. Built-in locations are no folders that can be exposed. */
const flatFolders = (folders: readonly FolderEntry[], above = ''): FlatFolder[] =>
  folders
    .filter(({ id }) => /^\d+$/.test(id))
    .flatMap(({ id, name, documentCount, folders: inner }) => {
      const path = `${above}${name}`
      return [{ id, name, path, documentCount }, ...flatFolders(inner, `${path} / `)]
    })
