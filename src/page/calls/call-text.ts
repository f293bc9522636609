/** Describes calls in everyday language, such as `Added 2 tasks to Harbor plan`. */

import { formatNumber } from '../../base/format-number.ts'
import { PAGE_CLIENT } from '../../space/model/space.ts'
import { type Html, html } from '../html.ts'
import { type Pictures, pictureHtml } from '../member-picture.ts'
import type { PageLinks } from '../page-links.ts'
import type { HistoryItem } from '../page-tools.ts'
import { shownText } from '../shown-text.ts'

/** The changes in one place, such as `"Plan": 2 blocks added, 1 block changed`. */
interface PlaceSummary {
  /** Absent for changes outside of documents, such as to folders. */
  title?: string
  /** Such as `2 blocks added`, or `added` for the document itself. */
  changes: string[]
}

/** Parses summaries such as `"Plan": 3 blocks deleted, 1 block changed; "Diary": moved to the trash`. */
export function parseSummary(summary: string): PlaceSummary[] {
  const places: PlaceSummary[] = []
  const pattern = /(?:("(?:[^"\\]|\\.)*"|a deleted document): )?([^;"]+)(?:; |$)/gy
  for (const [, named, changes = ''] of summary.matchAll(pattern)) {
    const title = named === undefined ? undefined : named.startsWith('"') ? (JSON.parse(named) as string) : named
    places.push({ ...(title !== undefined && { title }), changes: changes.split(', ') })
  }
  return places
}

/** Whether changes have been made or are proposed. */
export type Tense = 'past' | 'proposed'

const VERBS: ReadonlyMap<string, Record<Tense, string> & { toward: string }> = new Map(
  Object.entries({
    added: { past: 'Added', proposed: 'Add', toward: 'to' },
    changed: { past: 'Changed', proposed: 'Change', toward: 'in' },
    moved: { past: 'Moved', proposed: 'Move', toward: 'in' },
    deleted: { past: 'Deleted', proposed: 'Delete', toward: 'in' },
    restored: { past: 'Restored', proposed: 'Restore', toward: 'in' },
  }),
)

/** For tools whose items are stored as blocks: the name of these items. */
const NOUN_OF_TOOL: ReadonlyMap<string, string> = new Map(Object.entries({ tasks: 'task', items: 'item' }))

/** Turns `2 blocks added` into `Added 2 tasks`, and returns the preposition for the place. */
function changeText(change: string, tool: string, tense: Tense): { text: string; toward: string } | undefined {
  const [, count = '', noun = '', verb = ''] = /^(\d+) ([a-z]+) ([a-z]+)$/.exec(change) ?? []
  const known = VERBS.get(verb)
  if (known === undefined) return undefined
  const ownNoun = noun.startsWith('block') ? NOUN_OF_TOOL.get(tool.replace(/_.*/, '')) : undefined
  const name = ownNoun === undefined ? noun : count === '1' ? ownNoun : `${ownNoun}s`
  const amount = count === '1' ? (/^[aeiou]/.test(name) ? 'an' : 'a') : formatNumber(Number(count))
  return { text: `${known[tense]} ${amount} ${name}`, toward: known.toward }
}

/** For changes of a document such as `moved to the trash`: the words before and after its name. */
function documentText(change: string, tense: Tense): { before: string; after: string } | undefined {
  const [verb = '', ...rest] = change.split(' ')
  const known = VERBS.get(verb)
  return known && { before: known[tense], after: rest.length === 0 ? '' : ` ${rest.join(' ')}` }
}

/** Calls with changes in more parts than people would mention. */
const PHRASES: ReadonlyMap<string, readonly [verb: string, what: string, toward: string]> = new Map(
  Object.entries({
    collections_add: ['added', 'a collection', 'to'],
    documents_lock: ['locked or unlocked', 'a document', 'in'],
    schema_update: ['changed', 'the columns of a collection', 'in'],
    whiteboards_add: ['added', 'a whiteboard', 'to'],
    files_add: ['added', 'a file', 'to'],
  }),
)

/** Calls that write outside of documents. */
const PLACELESS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    groups_add: 'Made a group',
    groups_remove: 'Removed a group',
    groups_update: 'Changed a group',
    links_add: 'Made a link',
    links_expose: 'Changed what a link exposes',
    links_pause: 'Paused or resumed a link',
    links_revoke: 'Revoked a link',
    members_update: 'Changed a member',
    participants_remove: 'Removed a participant',
    settings_update: 'Changed the settings of the space',
  }),
)

export const isPlaceless = (tool: string): boolean => PLACELESS.has(tool)

/** Maximum number of places that are named individually. */
const PLACES_NAMED = 2

interface WordOptions {
  /** The title of a document, if only its changes are shown. Its name is left out. */
  within?: string
  /** True if it has not happened yet. */
  isProposed?: boolean
}

export function callText(
  item: Pick<HistoryItem, 'tool' | 'summary' | 'documents' | 'undoes'>,
  links: PageLinks,
  { within, isProposed = false }: WordOptions = {},
): Html {
  const { tool, documents, undoes, summary } = item
  const tense = isProposed ? 'proposed' : 'past'
  const all = parseSummary(summary)
  const inside = all.filter(({ title }) => title === within)
  const places = within === undefined || inside.length === 0 ? all : inside.map(({ changes }) => ({ changes }))
  const prefix = undoes === undefined ? '' : 'Took back: '
  const nameOf = (title: string): Html => {
    const found = documents.find((document) => document.title === title)
    return found === undefined
      ? html`<b>${shownText(title)}</b>`
      : html`<a href="${links.block(found.documentId)}"><b>${shownText(title)}</b></a>`
  }
  const first = within === undefined ? (documents[0]?.title ?? all[0]?.title) : undefined
  if (places.length === 0) {
    const place = first !== undefined && html` ${tool.startsWith('elements_') ? 'on' : 'in'} ${nameOf(first)}`
    return html`${prefix}${PLACELESS.get(tool) ?? (summary === '' ? toolLabel(tool, tense) : summary)}${place}`
  }
  const phrase = PHRASES.get(tool)
  if (phrase !== undefined && undoes === undefined && (first !== undefined || within !== undefined)) {
    const [verb, what, toward] = phrase
    return html`${VERBS.get(verb)?.[tense]} ${what}${first !== undefined && html` ${toward} ${nameOf(first)}`}`
  }
  if (places.length > PLACES_NAMED) return html`${prefix}${manyText(places, tool, tense)}`
  return html`${prefix}${places.map((place, index) => html`${index > 0 && '; '}${placeText(place, tool, tense, nameOf)}`)}`
}

/** Removes changes that are obvious from the call. */
function shownChanges(changes: readonly string[], tool: string): readonly string[] {
  // A comment also changes the mark on its block.
  const isComment = changes.some((change) => /^\d+ comments? added$/.test(change))
  if (isComment) return changes.filter((change) => !/^\d+ blocks? changed$/.test(change))
  // Content that came with a new document is not mentioned, and neither is the creation of the inbox for its first
  // tasks.
  const isNew = changes.includes('added') && changes.length > 1
  return isNew ? changes.filter((change) => (change === 'added') !== tool.startsWith('tasks_')) : changes
}

function placeText(
  { title, changes }: PlaceSummary,
  tool: string,
  tense: Tense,
  nameOf: (title: string) => Html,
): Html {
  const shown = shownChanges(changes, tool)
  const parts = shown.map((change, index): Html => {
    const lower = (text: string) => (index === 0 ? text : text.charAt(0).toLowerCase() + text.slice(1))
    const text = changeText(change, tool, tense)
    if (text !== undefined) {
      const isLast = index === shown.length - 1
      const place = isLast && title !== undefined && html` ${text.toward} ${nameOf(title)}`
      return html`${lower(text.text)}${place}`
    }
    const known = documentText(change, tense)
    if (known === undefined) return html`${lower(change)}`
    return html`${lower(known.before)} ${title === undefined ? 'the document' : nameOf(title)}${known.after}`
  })
  return html`${parts.map((part, index) => html`${index > 0 && ', '}${part}`)}`
}

/** Such as `Moved 14 documents`, or the number of documents with changes. */
function manyText(places: readonly PlaceSummary[], tool: string, tense: Tense): string {
  const [first = ''] = places[0]?.changes ?? []
  const isSame = places.every(({ changes }) => changes.length === 1 && changes[0] === first)
  // Content that was added with new documents is not mentioned.
  const isAdded = places.every(({ changes }) => changes.includes('added'))
  const known = isAdded ? documentText('added', tense) : isSame ? documentText(first, tense) : undefined
  const count = formatNumber(places.length)
  if (known !== undefined) return `${known.before} ${count} documents${known.after}`
  return `${toolLabel(tool, tense)} in ${count} documents`
}

const TOOL_VERBS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    add: 'added',
    update: 'changed',
    delete: 'deleted',
    move: 'moved',
  }),
)

/** Turns `items_update` into `Changed items`. */
export function toolLabel(tool: string, tense: Tense): string {
  const [noun = '', verb = ''] = tool.split('_')
  if (noun === 'elements') return tense === 'past' ? 'Drew' : 'Draw'
  if (tool === 'views_activate') return tense === 'past' ? 'Showed another view first' : 'Show another view first'
  if (tool === 'batch') return tense === 'past' ? 'Made several changes' : 'Make several changes'
  const known = VERBS.get(TOOL_VERBS.get(verb) ?? '')
  return known === undefined ? tool.replaceAll('_', ' ') : `${known[tense]} ${noun}`
}

/** The caller as people know it: the program, and the person it acts for. */
export function callerName({ author, client }: Pick<HistoryItem, 'author' | 'client'>): string {
  return client === undefined || client === '' || client === PAGE_CLIENT ? author : client
}

/** The same as HTML, with the picture of the member, and the person shown on hover. */
export const callerHtml = (item: Pick<HistoryItem, 'author' | 'client'>, pictures: Pictures): Html =>
  callerName(item) === item.author
    ? html`${pictureHtml(pictures.get(item.author))}<b>${shownText(item.author)}</b>`
    : html`${pictureHtml(pictures.get(item.author))}<b title="for ${item.author}">${shownText(callerName(item))}</b>`
