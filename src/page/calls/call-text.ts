/** Describes calls in everyday language, such as `Added 2 tasks to Harbor plan`. */

import {
  type ChangedNoun,
  type ChangeVerb,
  type NamedChange,
  type PlaceChanges,
  readSummaryText,
} from '../../space/history/summary-text.ts'
import { PAGE_CLIENT } from '../../space/model/space.ts'
import { type Html, type HtmlValue, html, trusted } from '../html.ts'
import { type Pictures, pictureHtml } from '../member-picture.ts'
import type { PageLinks } from '../page-links.ts'
import type { HistoryItem } from '../page-tools.ts'
import { shownText } from '../shown-text.ts'
import { htmlText } from '../texts/html-text.ts'
import { count, type TextKey, text, textKey } from '../texts/text.ts'
import { documentChange, documentsText, doneHtml, inSentence, placeHtml, type Tense, toolText } from './change-words.ts'
import { documentLink } from './changed-document.ts'

/** For tools whose items are stored as blocks: what these are called. */
const NOUN_OF_TOOL: ReadonlyMap<string, ChangedNoun> = new Map<string, ChangedNoun>(
  Object.entries({ tasks: 'task', items: 'row' }),
)

/** What a call changed, place by place. Of proposals, there is only the text. */
export function placesOf({
  tool,
  summary,
  changes,
}: Pick<HistoryItem, 'tool' | 'summary' | 'changes'>): PlaceChanges[] {
  const noun = NOUN_OF_TOOL.get(tool.replace(/_.*/, ''))
  const places = changes ?? readSummaryText(summary).places
  if (noun === undefined) return places
  // What was not looked up is what the tool says.
  return places.map((place) => ({
    ...place,
    changes: place.changes.some((one) => one.noun === noun)
      ? place.changes
      : place.changes.map((one) => (one.noun === 'block' ? { ...one, noun } : one)),
  }))
}

/** The title of a place; undefined outside of documents. */
const titleOf = ({ title, isGone }: PlaceChanges): string | undefined => (isGone ? text('a deleted document') : title)

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
  item: Pick<HistoryItem, 'tool' | 'summary' | 'changes' | 'isPartial' | 'documents' | 'undoes'>,
  links: PageLinks,
  { within, isProposed = false }: WordOptions = {},
): Html {
  const { tool, documents, undoes, summary } = item
  const tense = isProposed ? 'proposed' : 'past'
  const all = placesOf(item)
  const inside = all.filter(({ title }) => title === within)
  const places = within === undefined || inside.length === 0 ? all : inside.map(({ changes }) => ({ changes }))
  const prefix = undoes === undefined ? '' : text('Took back: ')
  const nameOf = (title: string): Html => {
    const found = documents.find((document) => document.title === title)
    return found === undefined
      ? html`<b>${shownText(links.listNames.get(title) ?? title)}</b>`
      : documentLink(links, found)
  }
  const first = within === undefined ? (documents[0]?.title ?? (all[0] && titleOf(all[0]))) : undefined
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
  const [begin, ...further] = places.map((place) => placeText(place, tool, tense, { nameOf, links }))
  const isPartial = item.isPartial ?? (item.changes === undefined && readSummaryText(summary).isPartial)
  return html`${prefix}${begin}${further.map((one) => html`; ${trusted(inSentence(String(one)))}`)}${isPartial && text(' and more')}`
}

/** Removes changes that are obvious from the call. */
function shownChanges(changes: readonly NamedChange[], tool: string): readonly NamedChange[] {
  // A comment also changes the mark on its block.
  const isComment = changes.some(({ noun, verb }) => noun === 'comment' && verb === 'added')
  if (isComment) return changes.filter(({ verb, fields }) => verb !== 'changed' || fields !== undefined)
  // Content that came with a new document is not mentioned, and neither is the creation of the inbox for its first
  // tasks.
  const isNew = changes.some(isNewDocument) && changes.length > 1
  return isNew ? changes.filter((change) => isNewDocument(change) !== tool.startsWith('tasks_')) : changes
}

export const isNewDocument = ({ noun, verb }: NamedChange): boolean => noun === 'document' && verb === 'added'

interface PlaceWords {
  nameOf(title: string): Html
  links: PageLinks
}

function placeText(place: PlaceChanges, tool: string, tense: Tense, { nameOf, links }: PlaceWords): Html {
  const title = titleOf(place)
  const shown = shownChanges(place.changes, tool)
  // A collection says where its rows are.
  const last = shown.findLastIndex(({ noun, collection }) => noun !== 'document' && collection === undefined)
  const parts = shown.map((change, index): Html => {
    const { noun, verb, collection } = change
    if (noun === 'document') return documentChange(verb, tense, documentName(place, verb, nameOf))
    const name =
      collection === undefined
        ? index === last && title !== undefined && nameOf(title)
        : html`<a href="${links.block(collection.id)}"><b>${shownText(collection.title)}</b></a>`
    return doneHtml(change, tense, name && placeHtml(verb, name))
  })
  return html`${parts.map((part, index) => (index === 0 ? part : html`, ${trusted(inSentence(String(part)))}`))}`
}

/** What a sentence about a document calls it. The icon of one is that of a thing, which has its own form in German. */
function documentName({ title, isGone }: PlaceChanges, verb: ChangeVerb, nameOf: PlaceWords['nameOf']): HtmlValue {
  const isOf = verb === 'icon changed'
  if (isGone) return isOf ? text('a deleted document') : inSentence(text('A deleted document'))
  if (title === undefined) return isOf ? text('the document|of') : text('the document')
  return nameOf(title)
}

/** Such as `Moved 14 documents`, or the number of documents with changes. */
function manyText(places: readonly PlaceChanges[], tool: string, tense: Tense): string {
  const [first] = places[0]?.changes ?? []
  const isSame = places.every(({ changes }) => {
    const [one, ...others] = changes
    return others.length === 0 && one?.noun === 'document' && first?.noun === 'document' && one.verb === first.verb
  })
  // Content that was added with new documents is not mentioned.
  const isAdded = places.every(({ changes }) => changes.some(isNewDocument))
  const verb = isAdded ? 'added' : isSame ? first?.verb : undefined
  const documents = verb && documentsText(verb, tense, places.length)
  if (documents !== undefined) return documents
  // Folders are in none.
  const inDocuments = places.filter((place) => titleOf(place) !== undefined)
  return count(
    inDocuments.length,
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
  if (tool === 'batch' || tool === 'history_undo')
    return tense === 'past' ? text('Made several changes') : text('Make several changes')
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
