/** Describes calls in everyday language, such as `Added 2 tasks to Harbor plan`. */

import { PAGE_CLIENT } from '../../space/model/space.ts'
import { type Html, html, trusted } from '../html.ts'
import { type Pictures, pictureHtml } from '../member-picture.ts'
import type { PageLinks } from '../page-links.ts'
import type { HistoryItem } from '../page-tools.ts'
import { shownText } from '../shown-text.ts'
import { htmlText } from '../texts/html-text.ts'
import { count, type TextKey, text, textKey } from '../texts/text.ts'
import {
  type CountedWords,
  countedWords,
  documentChange,
  documentsText,
  doneHtml,
  inSentence,
  placeHtml,
  type Tense,
  toolText,
} from './change-words.ts'
import { documentLink } from './changed-document.ts'

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

/** For tools whose items are stored as blocks: the name of these items. */
const NOUN_OF_TOOL: ReadonlyMap<string, string> = new Map(Object.entries({ tasks: 'task', items: 'item' }))

/** What `2 blocks added` says of a tool that adds tasks. */
function countedBy(tool: string, change: string): CountedWords | undefined {
  const counted = countedWords(change)
  const ownNoun = counted?.noun === 'block' ? NOUN_OF_TOOL.get(tool.replace(/_.*/, '')) : undefined
  return counted && { ...counted, noun: ownNoun ?? counted.noun }
}

/** Calls with changes in more parts than people would mention. */
const PHRASES: ReadonlyMap<string, Record<Tense, TextKey> & { verb: string }> = new Map(
  Object.entries({
    collections_add: {
      past: textKey('Added a collection{place}'),
      proposed: textKey('Add a collection{place}'),
      verb: 'added',
    },
    documents_lock: {
      past: textKey('Locked or unlocked a document{place}'),
      proposed: textKey('Lock or unlock a document{place}'),
      verb: 'changed',
    },
    schema_update: {
      past: textKey('Changed the columns of a collection{place}'),
      proposed: textKey('Change the columns of a collection{place}'),
      verb: 'changed',
    },
    whiteboards_add: {
      past: textKey('Added a whiteboard{place}'),
      proposed: textKey('Add a whiteboard{place}'),
      verb: 'added',
    },
    files_add: { past: textKey('Added a file{place}'), proposed: textKey('Add a file{place}'), verb: 'added' },
  }),
)

/** Calls that write outside of documents. */
const PLACELESS: ReadonlyMap<string, TextKey> = new Map(
  Object.entries({
    groups_add: textKey('Made a group'),
    groups_remove: textKey('Removed a group'),
    groups_update: textKey('Changed a group'),
    links_add: textKey('Made a link'),
    links_expose: textKey('Changed what a link exposes'),
    links_pause: textKey('Paused or resumed a link'),
    links_revoke: textKey('Revoked a link'),
    members_update: textKey('Changed a member'),
    participants_remove: textKey('Removed a participant'),
    settings_update: textKey('Changed the settings of the space'),
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
  const prefix = undoes === undefined ? '' : text('Took back: ')
  const nameOf = (title: string): Html => {
    const found = documents.find((document) => document.title === title)
    return found === undefined ? html`<b>${shownText(title)}</b>` : documentLink(links, found)
  }
  const first = within === undefined ? (documents[0]?.title ?? all[0]?.title) : undefined
  if (places.length === 0) {
    const place =
      first !== undefined && (tool.startsWith('elements_') ? html` on ${nameOf(first)}` : html` in ${nameOf(first)}`)
    return html`${prefix}${PLACELESS.get(tool) ?? (summary === '' ? toolLabel(tool, tense) : summary)}${place}`
  }
  const phrase = PHRASES.get(tool)
  if (phrase !== undefined && undoes === undefined && (first !== undefined || within !== undefined)) {
    return htmlText(phrase[tense], { place: first !== undefined && placeHtml(phrase.verb, nameOf(first)) })
  }
  if (places.length > PLACES_NAMED) return html`${prefix}${manyText(places, tool, tense)}`
  const [begin, ...further] = places.map((place) => placeText(place, tool, tense, nameOf))
  return html`${prefix}${begin}${further.map((one) => html`; ${trusted(inSentence(String(one)))}`)}`
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
    const counted = countedBy(tool, change)
    if (counted !== undefined) {
      const isLast = index === shown.length - 1
      const place = isLast && title !== undefined && placeHtml(counted.verb, nameOf(title))
      const done = doneHtml(counted, tense, place)
      return index === 0 ? done : trusted(inSentence(String(done)))
    }
    const document = documentChange(change, tense, title === undefined ? text('the document') : nameOf(title))
    if (document === undefined) return html`${index === 0 ? change : inSentence(change)}`
    return index === 0 ? document : trusted(inSentence(String(document)))
  })
  return html`${parts.map((part, index) => html`${index > 0 && ', '}${part}`)}`
}

/** Such as `Moved 14 documents`, or the number of documents with changes. */
function manyText(places: readonly PlaceSummary[], tool: string, tense: Tense): string {
  const [first = ''] = places[0]?.changes ?? []
  const isSame = places.every(({ changes }) => changes.length === 1 && changes[0] === first)
  // Content that was added with new documents is not mentioned.
  const isAdded = places.every(({ changes }) => changes.includes('added'))
  const documents = isAdded || isSame ? documentsText(isAdded ? 'added' : first, tense, places.length) : undefined
  if (documents !== undefined) return documents
  return count(
    places.length,
    {
      one: '{what} in {n} document',
      other: '{what} in {n} documents',
    },
    { what: toolLabel(tool, tense) },
  )
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
  if (noun === 'elements') return tense === 'past' ? text('Drew') : text('Draw')
  if (tool === 'views_activate')
    return tense === 'past' ? text('Showed another view first') : text('Show another view first')
  if (tool === 'batch') return tense === 'past' ? text('Made several changes') : text('Make several changes')
  const known = TOOL_VERBS.get(verb)
  return known === undefined ? tool.replaceAll('_', ' ') : toolText(noun, known, tense)
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
