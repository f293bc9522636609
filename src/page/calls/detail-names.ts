/** How the pages name what changes besides the text: rows, their fields and their values, in the language of the page. */
import { typeLabel } from '../collections/column-types.ts'
import { VIEW_KINDS } from '../collections/view-fields.ts'
import { type TextKey, text, textKey } from '../texts/text.ts'

/** Fields as described rows name them. What people name otherwise has another name here. */
const LABELS: ReadonlyMap<string, TextKey> = new Map(
  Object.entries({
    'active view': textKey('active view'),
    'alt text': textKey('alt text'),
    assignee: textKey('assignee'),
    'blocked by': textKey('blocked by'),
    'canceled at': textKey('canceled'),
    'card layout': textKey('card layout'),
    color: textKey('color'),
    'column width': textKey('column width'),
    completed: textKey('completed'),
    'completed at': textKey('completed'),
    content: textKey('content'),
    'cover color': textKey('color of the cover'),
    'cover image': textKey('cover image'),
    'custom property order': textKey('order of the columns'),
    day: textKey('day'),
    'deadline date': textKey('deadline'),
    decorations: textKey('decorations'),
    description: textKey('description'),
    'file name': textKey('file name'),
    filters: textKey('filters'),
    folder: textKey('folder'),
    font: textKey('font'),
    'group by': textKey('grouped by'),
    'hidden properties': textKey('hidden columns'),
    icon: textKey('icon'),
    in: textKey('in|field'),
    'indentation level': textKey('indentation level'),
    'items of': textKey('items of'),
    language: textKey('language'),
    'line style': textKey('line style'),
    'list style': textKey('list style'),
    name: textKey('name'),
    number: textKey('number|field'),
    'other side': textKey('other side'),
    place: textKey('place'),
    'remind at': textKey('remind at'),
    repeat: textKey('repeat'),
    resolved: textKey('resolved|field'),
    'resolved by': textKey('resolved by'),
    'schedule date': textKey('scheduled'),
    size: textKey('size'),
    sort: textKey('sort'),
    sorts: textKey('sorts'),
    state: textKey('state'),
    styling: textKey('styling'),
    'text alignment': textKey('text alignment'),
    'text style': textKey('text style'),
    title: textKey('title'),
    'title column': textKey('title column'),
    type: textKey('type'),
    value: textKey('value'),
    'waits for confirmation': textKey('waits for confirmation'),
    width: textKey('width'),
    words: textKey('words'),
  }),
)

export const fieldName = (label: string): string => `${LABELS.get(label) ?? label}`

const STATES: ReadonlyMap<string, TextKey> = new Map(
  Object.entries({ todo: textKey('to do'), done: textKey('done'), canceled: textKey('canceled') }),
)
/** Times, of which one may be that of the change itself. */
const TIMES = /^(?:resolved|completed|completed at|canceled at|remind at)$/
const NOW = textKey('now|then')

/** A state, a type or a moment in words; anything else as it is. @param subject  of its row */
export function valueName(label: string, value: string, subject: string): string {
  if (label === 'state') return `${STATES.get(value) ?? value}`
  if (TIMES.test(label)) return value === 'now' ? `${NOW}` : value
  if (label !== 'type') return value
  if (subject.startsWith('property ')) return typeLabel(value)
  return subject.startsWith('view ') ? `${VIEW_KINDS.find((kind) => kind.value === value)?.label ?? value}` : value
}

/** A name, which is in quotes unless it is one word, with its ID or without. */
const NAME = String.raw`((?:"(?:[^"\\]|\\.)*"|[^\s":,]+)(?: \([\w-]+\))?)`
const ID = String.raw`(?: \([\w-]+\))?`

type RowWords = (first: string, second: string) => string
const matches = (pattern: string, words: RowWords) => ({ pattern: new RegExp(`^${pattern}$`), words })

/** What rows are, by how described rows begin. */
const ROWS: readonly { pattern: RegExp; words: RowWords }[] = [
  matches(`comment by ${NAME} on ${NAME}`, (author, place) =>
    text('comment by {author} on {place}', { author, place }),
  ),
  matches(`property ${NAME} of ${NAME}`, (name, place) => text('property {name} of {place}', { name, place })),
  matches(`option ${NAME} of ${NAME}`, (name, place) => text('option {name} of {place}', { name, place })),
  matches(`view ${NAME} of ${NAME}`, (name, place) => text('view {name} of {place}', { name, place })),
  matches(`view ${NAME}`, (name) => text('view {name}', { name })),
  matches(`folder ${NAME}`, (name) => text('folder {name}', { name })),
  matches(`document ${NAME}`, (name) => text('document {name}', { name })),
  matches(`collection ${NAME}`, (name) => text('collection {name}', { name })),
  matches(`reminder${ID} for ${NAME}`, (place) => text('reminder for {place}', { place })),
  matches(`element ${NAME} of ${NAME}`, (name, place) => text('element {name} of {place}', { name, place })),
  matches(`picture ${NAME} of ${NAME}`, (name, place) => text('picture {name} of {place}', { name, place })),
  matches(`state of ${NAME}`, (place) => text('state of {place}', { place })),
  matches(`file of ${NAME}`, (place) => text('file of {place}', { place })),
]

/** A row by what it is, such as `view "Cards" of "Jobs"`; anything else as it is. */
export function rowName(subject: string): string {
  for (const { pattern, words } of ROWS) {
    const [found, first = '', second = ''] = pattern.exec(subject) ?? []
    if (found !== undefined) return words(first, second)
  }
  return subject
}
