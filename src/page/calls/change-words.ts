/** The words for what calls do, in the language of the page: such as `Added 2 tasks`, `Move Plan to the trash`. */
import { markUnseen } from '../../base/unseen-characters.ts'
import { type ChangedNoun, type ChangeVerb, FIELDS_NAMED, type NamedChange } from '../../space/history/summary-text.ts'
import { type Html, type HtmlValue, html, trusted } from '../html.ts'
import { markedHtml } from '../shown-text.ts'
import { htmlText } from '../texts/html-text.ts'
import { pageLocale } from '../texts/language.ts'
import { count, countKey, type TextKey, text, textKey } from '../texts/text.ts'

/** Whether changes have been made or are proposed. */
export type Tense = 'past' | 'proposed'

interface VerbWords extends Record<Tense, TextKey> {
  /** Behind what it happened to. */
  behind: TextKey
  /** The preposition before the document. */
  toward: 'to' | 'in'
}

const VERBS: ReadonlyMap<string, VerbWords> = new Map<string, VerbWords>(
  Object.entries<VerbWords>({
    added: {
      past: textKey('Added {what}'),
      proposed: textKey('Add {what}'),
      behind: textKey('{what} added'),
      toward: 'to',
    },
    changed: {
      past: textKey('Changed {what}'),
      proposed: textKey('Change {what}'),
      behind: textKey('{what} changed'),
      toward: 'in',
    },
    moved: {
      past: textKey('Moved {what}'),
      proposed: textKey('Move {what}'),
      behind: textKey('{what} moved'),
      toward: 'in',
    },
    deleted: {
      past: textKey('Deleted {what}'),
      proposed: textKey('Delete {what}'),
      behind: textKey('{what} deleted'),
      toward: 'in',
    },
    restored: {
      past: textKey('Restored {what}'),
      proposed: textKey('Restore {what}'),
      behind: textKey('{what} restored'),
      toward: 'in',
    },
    'moved to the trash': {
      past: textKey('Moved {what} to the trash'),
      proposed: textKey('Move {what} to the trash'),
      behind: textKey('{what} moved to the trash'),
      toward: 'in',
    },
    'restored from the trash': {
      past: textKey('Restored {what} from the trash'),
      proposed: textKey('Restore {what} from the trash'),
      behind: textKey('{what} restored from the trash'),
      toward: 'in',
    },
    renamed: {
      past: textKey('Renamed {what}'),
      proposed: textKey('Rename {what}'),
      behind: textKey('{what} renamed'),
      toward: 'in',
    },
    'icon changed': {
      past: textKey('Changed the icon of {what}'),
      proposed: textKey('Change the icon of {what}'),
      behind: textKey('icon of {what} changed'),
      toward: 'in',
    },
  } satisfies Record<ChangeVerb, VerbWords>),
)

const THINGS: Readonly<Record<ChangedNoun, { one: string; other: string }>> = {
  block: countKey({ one: 'a block', other: '{n} blocks' }),
  collection: countKey({ one: 'a collection', other: '{n} collections' }),
  comment: countKey({ one: 'a comment', other: '{n} comments' }),
  document: countKey({ one: 'a document', other: '{n} documents' }),
  element: countKey({ one: 'an element', other: '{n} elements' }),
  folder: countKey({ one: 'a folder', other: '{n} folders' }),
  option: countKey({ one: 'an option', other: '{n} options' }),
  page: countKey({ one: 'a page', other: '{n} pages' }),
  property: countKey({ one: 'a property', other: '{n} properties' }),
  reminder: countKey({ one: 'a reminder', other: '{n} reminders' }),
  row: countKey({ one: 'a row', other: '{n} rows' }),
  task: countKey({ one: 'a task', other: '{n} tasks' }),
  view: countKey({ one: 'a view', other: '{n} views' }),
}

/** Things before their names. */
const NAMED_THINGS: Partial<Record<ChangedNoun, { one: string; other: string }>> = {
  collection: countKey({ one: 'collection {names}', other: 'collections {names}' }),
  folder: countKey({ one: 'folder {names}', other: 'folders {names}' }),
  page: countKey({ one: 'page {names}', other: 'pages {names}' }),
  property: countKey({ one: 'property {names}', other: 'properties {names}' }),
  row: countKey({ one: 'row {names}', other: 'rows {names}' }),
  task: countKey({ one: 'task {names}', other: 'tasks {names}' }),
  view: countKey({ one: 'view {names}', other: 'views {names}' }),
}

/** What tools are about, as their names say it. */
const TOOL_NOUNS: ReadonlyMap<string, TextKey> = new Map(
  Object.entries({
    blocks: textKey('blocks'),
    collections: textKey('collections'),
    comments: textKey('comments'),
    documents: textKey('documents'),
    files: textKey('files'),
    folders: textKey('folders'),
    items: textKey('items'),
    reminders: textKey('reminders'),
    schema: textKey('schema'),
    tasks: textKey('tasks'),
    views: textKey('views'),
    whiteboards: textKey('whiteboards'),
  }),
)

/** Such as `2 tasks`, or `rows “A”, “B” and 3 more`. Characters that are not seen have marks: see shown-text.ts. */
function thingsText({ noun, verb, amount, names = [], collection }: NamedChange): string {
  if (names.length === 0) return count(amount, THINGS[noun])
  const list = namesText(names, amount)
  const forms = NAMED_THINGS[noun]
  // A row that has a collection behind it is known as one.
  const isClear = noun === 'row' && verb === 'changed' && collection !== undefined
  return forms === undefined || isClear ? list : count(amount, forms, { names: list })
}

function namesText(names: readonly string[], amount: number): string {
  const quoted = names.map((name) => text('“{name}”', { name: markUnseen(name) }))
  if (amount > names.length)
    return `${quoted.join(', ')}${text(' and {others} more', { others: amount - names.length })}`
  const [last = '', ...before] = quoted.toReversed()
  return before.length === 0 ? last : `${before.reverse().join(', ')}${text(' and ')}${last}`
}

/** Such as `: Status, Owner`. */
function fieldsText({ fields = [] }: NamedChange): string {
  if (fields.length === 0) return ''
  const named = fields.slice(0, FIELDS_NAMED).map(markUnseen).join(', ')
  return `: ${named}${fields.length > FIELDS_NAMED ? text(' and more') : ''}`
}

/** Such as `Added 2 tasks to Plan`. @param place  see {@link placeHtml} */
export function doneHtml(change: NamedChange, tense: Tense, place: Html | false): Html {
  const things = markedHtml(thingsText(change))
  const words = VERBS.get(change.verb)?.[tense]
  const fields = markedHtml(fieldsText(change))
  return words === undefined
    ? html`${things}${place}${fields}`
    : html`${begunHtml(htmlText(words, { what: html`${things}${place}` }))}${fields}`
}

/** Such as `2 tasks added`. Characters that are not seen have marks. */
export function behindText(change: NamedChange): string {
  const { verb, amount, names } = change
  const things = thingsText(change)
  const number = new Intl.NumberFormat([...pageLocale().locales]).format(amount)
  const what = amount === 1 && names === undefined ? things.replace(/^\p{L}+/u, number) : things
  const words = VERBS.get(verb)?.behind
  return words === undefined ? what : text(words, { what })
}

/** A change as lists have it: `2 blocks added`, `moved to the trash`. */
export const changeText = (change: NamedChange): string =>
  change.noun === 'document' ? happenedText(change.verb) : behindText(change)

function happenedText(verb: ChangeVerb): string {
  const words = VERBS.get(verb)?.behind
  return words === undefined ? verb : text(words, { what: '' }).trim()
}

/** What would read as if it had happened to what stands before it. */
const DOCUMENT_TEXTS: ReadonlyMap<string, TextKey> = new Map(
  Object.entries({
    moved: textKey('moved to another place'),
    renamed: textKey('document renamed'),
    'icon changed': textKey('icon of the document changed'),
  }),
)

/** Such as `moved to the trash`. Undefined for what did not happen to a document as a whole. */
export function documentText({ noun, verb }: NamedChange): string | undefined {
  if (noun !== 'document' || verb === 'added' || verb === 'changed') return undefined
  return `${DOCUMENT_TEXTS.get(verb) ?? happenedText(verb)}`
}

const verbText = (verb: string, tense: Tense, what: string): string => {
  const words = VERBS.get(verb)?.[tense]
  return words === undefined ? what : text(words, { what })
}

/** What happened to a document: `Moved Plan to the trash`. */
export function documentChange(verb: ChangeVerb, tense: Tense, name: HtmlValue): Html {
  const words = VERBS.get(verb)?.[tense]
  return begunHtml(words === undefined ? html`${name}` : htmlText(words, { what: name }))
}

/** What happened to several documents. */
export const documentsText = (verb: ChangeVerb, tense: Tense, amount: number): string =>
  begun(verbText(verb, tense, count(amount, THINGS.document)))

/** The document in which something happened, behind what happened. */
export const placeHtml = (verb: string, name: Html): Html =>
  VERBS.get(verb)?.toward === 'to' ? html` to ${name}` : html` in ${name}`

/** Such as `Changed items`. */
export function toolText(noun: string, verb: string, tense: Tense): string {
  const what = TOOL_NOUNS.get(noun)
  return begun(verbText(verb, tense, what === undefined ? noun : `${what}`))
}

const begun = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1)

const begunHtml = (sentence: Html): Html => trusted(begun(String(sentence)))

/** Words that German does not write with a capital letter in the middle of a sentence. Others there are nouns. */
const GERMAN_ARTICLES = /^(?:Ein|Eine|Einen|Das) /

/** The beginning of a sentence, in the middle of one. */
export const inSentence = (sentence: string): string =>
  pageLocale().language === 'en' || GERMAN_ARTICLES.test(sentence)
    ? sentence.charAt(0).toLowerCase() + sentence.slice(1)
    : sentence
