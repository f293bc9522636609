/**
 * What a person reads when a form or an address is refused. The sentences of errors are written for agents, with the
 * paths and names of parameters, and in English. Those that people meet most have one of their own here, in the language
 * of the page; of all others, what only programs have names for is left out.
 */
import { pageLocale } from './texts/language.ts'
import { type TextKey, text, textKey } from './texts/text.ts'

interface Refusal {
  /** Its groups are the values of the text. */
  says: RegExp
  /** The end of the path that the message is about; any if absent. */
  at?: RegExp
  sentence: TextKey
}

const NOTHING_TYPED = /^Expected (?:a title of )?at least (?:1|one) character, found (?:0|"")\.$/

const REFUSALS: readonly Refusal[] = [
  { says: NOTHING_TYPED, at: /title$/, sentence: textKey('A title is missing. Spaces alone are not one.') },
  { says: NOTHING_TYPED, at: /name$/, sentence: textKey('A name is missing. Spaces alone are not one.') },
  {
    says: /^Expected at most (?<most>[\d,]+) characters, found (?<count>[\d,]+)\.$/,
    sentence: textKey('That is too long: it has {count} characters, and {most} are possible. Leave some out.'),
  },
  {
    says: /^Expected a destination outside of the moved folders,/,
    sentence: textKey('A folder cannot be moved into itself, nor into a folder within it. Choose another place.'),
  },
  {
    says: /^Expected each name once, found (?<found>.+) on another property as well;/,
    sentence: textKey('There is a column “{found}” already. Choose another name.'),
  },
  {
    says: /^Expected the key or name of a property of this collection, found (?<found>.+); its properties are /,
    sentence: textKey('This collection has no column “{found}”. It may have been renamed or deleted.'),
  },
  {
    says: /^Expected a day that exists, found (?<found>".*"); (?:give it as|that month has) /,
    sentence: textKey('“{found}” is no day of the calendar. Type year, month and day, such as 2026-12-24.'),
  },
  {
    says: /^Expected a name that no participant has, found (?<found>.+?)(?:, which is that of .+)?; (?:add|choose) another\.$/,
    sentence: textKey('Somebody here is called “{found}” already. Choose another name.'),
  },
  {
    says: /^Expected the IDs of the documents that a selected link exposes /,
    sentence: textKey('No document is chosen. Choose at least one that the link reaches.'),
  },
]

/** Where a program finds the fault: `documents[0].title`. A line of a text has a space in it, and is kept. */
const PATHS = /^(?:At ([^\s:]+): )+/
const IN_DETAILS = / \(\d+ more in details(?:, and others)?\)$/
const ID_OF = /\b(?:(?:a|the|this) )?(block|collection|document|folder|item|page|proposal) \d{12}\b/g

/** @param message  of an error that a call was refused with */
export function refusalText(message: string): string {
  const [whole = '', path = ''] = PATHS.exec(message) ?? []
  const reason = message.slice(whole.length).replace(IN_DETAILS, '')
  for (const { says, at, sentence } of REFUSALS) {
    const found = says.exec(reason)
    if (found !== null && (at === undefined || at.test(path))) return text(sentence, valuesOf(found.groups ?? {}))
  }
  return reason.replace(ID_OF, 'this $1')
}

const valuesOf = (groups: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(groups).map(([name, found]) => [name, name === 'found' ? unquoted(found) : counted(found)]),
  )

/** What was typed: messages have it in JSON, of which a long text is cut off. */
const unquoted = (found: string): string =>
  found
    .replace(/^"/, '')
    .replace(/"(?=…?$)/, '')
    .replace(/\\(["\\])/g, '$1')

/** A number of a message as the language of the page writes it. */
const counted = (found: string): string =>
  new Intl.NumberFormat(pageLocale().locales[0]).format(Number(found.replaceAll(',', '')))
