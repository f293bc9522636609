/** The words for what calls do, in the language of the page: such as `Added 2 tasks`, `Move Plan to the trash`. */
import { type Html, type HtmlValue, html, trusted } from '../html.ts'
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

/** By what summaries of calls say. */
const VERBS: ReadonlyMap<string, VerbWords> = new Map<string, VerbWords>(
  Object.entries({
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
  }),
)

const THINGS: ReadonlyMap<string, { one: string; other: string }> = new Map(
  Object.entries({
    block: countKey({ one: 'a block', other: '{n} blocks' }),
    comment: countKey({ one: 'a comment', other: '{n} comments' }),
    document: countKey({ one: 'a document', other: '{n} documents' }),
    element: countKey({ one: 'an element', other: '{n} elements' }),
    folder: countKey({ one: 'a folder', other: '{n} folders' }),
    item: countKey({ one: 'an item', other: '{n} items' }),
    option: countKey({ one: 'an option', other: '{n} options' }),
    property: countKey({ one: 'a property', other: '{n} properties' }),
    reminder: countKey({ one: 'a reminder', other: '{n} reminders' }),
    task: countKey({ one: 'a task', other: '{n} tasks' }),
    view: countKey({ one: 'a view', other: '{n} views' }),
  }),
)

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

/** What a change was made to, and what happened: `3 blocks deleted`, or `deleted` for a document itself. */
export interface CountedWords {
  amount: number
  noun: string
  verb: string
}

/** Undefined for what summaries count in no known way. */
export function countedWords(change: string): CountedWords | undefined {
  const [, amount = '', plural = '', verb = ''] = /^(\d+) ([a-z]+) ([a-z ]+)$/.exec(change) ?? []
  const noun = plural.replace(/ies$/, 'y').replace(/s$/, '')
  return THINGS.has(noun) && VERBS.has(verb) ? { amount: Number(amount), noun, verb } : undefined
}

/** Such as `2 tasks`. */
const thingsText = (amount: number, noun: string): string =>
  count(amount, THINGS.get(noun) ?? { one: noun, other: noun })

/** Such as `Added 2 tasks to Plan`. @param place  see {@link placeHtml} */
export function doneHtml({ amount, noun, verb }: CountedWords, tense: Tense, place: Html | false): Html {
  const things = thingsText(amount, noun)
  const words = VERBS.get(verb)?.[tense]
  return words === undefined ? html`${things}${place}` : begunHtml(htmlText(words, { what: html`${things}${place}` }))
}

/** Such as `2 tasks added`. */
export function behindText({ amount, noun, verb }: CountedWords): string {
  const number = new Intl.NumberFormat([...pageLocale().locales]).format(amount)
  const what = amount === 1 ? thingsText(amount, noun).replace(/^\p{L}+/u, number) : thingsText(amount, noun)
  const words = VERBS.get(verb)?.behind
  return words === undefined ? what : text(words, { what })
}

/** A change as summaries have it: `2 blocks added`, `moved to the trash`. */
export function summaryText(change: string): string {
  const counted = countedWords(change)
  if (counted !== undefined) return behindText(counted)
  const words = VERBS.get(change)?.behind
  return words === undefined ? change : text(words, { what: '' }).trim()
}

/** Such as `moved to the trash`. Undefined for what did not happen to a document as a whole. */
export function documentText(change: string): string | undefined {
  const isWritten = change === 'added' || change === 'changed'
  if (isWritten || !VERBS.has(change)) return undefined
  return change === 'moved' ? text('moved to another place') : summaryText(change)
}

const verbText = (verb: string, tense: Tense, what: string): string => {
  const words = VERBS.get(verb)?.[tense]
  return words === undefined ? what : text(words, { what })
}

/** What happened to a document: `Moved Plan to the trash`. Undefined for what summaries say in no known way. */
export function documentChange(change: string, tense: Tense, name: HtmlValue): Html | undefined {
  const words = VERBS.get(change)?.[tense]
  return words && htmlText(words, { what: name })
}

/** What happened to several documents. */
export const documentsText = (change: string, tense: Tense, amount: number): string | undefined =>
  VERBS.has(change) ? begun(verbText(change, tense, thingsText(amount, 'document'))) : undefined

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

/** The beginning of a sentence, in the middle of one. German has nouns there. */
export const inSentence = (sentence: string): string =>
  pageLocale().language === 'en' ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence
