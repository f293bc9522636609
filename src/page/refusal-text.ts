/**
 * What a person reads when a form or an address is refused. The sentences of errors are written for agents, with the
 * paths and names of parameters, and in English. Those that people meet most have one of their own here, in the language
 * of the page. Of all others, what only programs have names for is left out; in other languages, what they mean by their
 * code stands before them. Those of pages themselves are in the language of the page: see page-refusal.ts.
 */
import type { ErrorBody, ErrorCode, ScriptoriumError } from '../base/errors.ts'
import { PageRefusal } from './page-refusal.ts'
import { pageLocale } from './texts/language.ts'
import { type TextKey, text, textKey } from './texts/text.ts'

interface Refusal {
  /** Its groups are the values of the text. */
  says: RegExp
  /** The end of the path that the message is about; any if absent. */
  at?: RegExp
  sentence: TextKey
}

const NOTHING_TYPED =
  /^Expected (?:(?:a title of )?at least (?:1|one) character, found (?:0|"")\.|the words of a task, found none;)/

const REFUSALS: readonly Refusal[] = [
  { says: NOTHING_TYPED, at: /title$/, sentence: textKey('A title is missing. Spaces alone are not one.') },
  { says: NOTHING_TYPED, at: /name$/, sentence: textKey('A name is missing. Spaces alone are not one.') },
  { says: NOTHING_TYPED, sentence: textKey('There is no text yet. Type some.') },
  {
    says: /^Expected text (?:at|as) \S+, found the character NUL at \d+; leave it out\.$/,
    sentence: textKey(
      'The text has a character that is not seen and cannot be kept. Delete it, or type the text again.',
    ),
  },
  {
    says: /^Expected at most (?<most>[\d,]+) characters, found (?<count>[\d,]+)(?:\.$|;)/,
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
    says: /^Expected a date as YYYY-MM-DD or in words [^"]+, found (?<found>"[^"]*")[.;, ]/,
    sentence: textKey('“{found}” is no day of the calendar. Type year, month and day, such as 2026-12-24.'),
  },
  {
    says: /^Expected the IANA name of a time zone .+, found (?<found>".*")\.$/,
    sentence: textKey('There is no time zone “{found}”. Name one as in Europe/Budapest.'),
  },
  {
    says: /^Expected a language of dates such as .+, found (?<found>".*")/,
    sentence: textKey('There is no language “{found}” for dates. Type one such as de or en-GB.'),
  },
  {
    says: /^Expected the request body without long pauses,/,
    sentence: textKey('What you sent took too long to arrive. Look at the connection, and send it again.'),
  },
  {
    says: /^Expected a whole body, found one that was cut off;/,
    sentence: textKey('Only a part of what you sent has arrived. Send it again.'),
  },
  {
    says: /^Expected a running server, found one that is shutting down;/,
    sentence: textKey('The server is being stopped. Try again in a few seconds.'),
  },
  {
    says: /^Expected a form of this page, found one that is too large;/,
    sentence: textKey('That is too much for one form. Leave some out, or add it in parts.'),
  },
  {
    says: /^Expected a form of this page, found one from elsewhere or from an earlier session;/,
    sentence: textKey('This form is from elsewhere, or from an earlier session. Open the page again.'),
  },
  {
    says: /^Expected calls to take back, found none/,
    sentence: textKey('There is nothing to take back any more.'),
  },
  {
    says: /^Expected the ID of a (?:call|document) /,
    sentence: textKey('What it is about is not there any more, or this link does not reach it.'),
  },
  {
    says: /^Expected a proposal that waits, found that \S+ (?:was|is) /,
    sentence: textKey('This proposal does not wait any more: somebody has decided on it, or has taken it back.'),
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

/** What a refusal means, for those that have no sentence of their own. */
const MEANINGS: Readonly<Record<ErrorCode, TextKey>> = {
  VALIDATION_ERROR: textKey('What was given does not fit.'),
  INVALID_REGEX_ERROR: textKey('This pattern cannot be searched for.'),
  CURSOR_INVALID: textKey('This list has changed since. Open it again from its beginning.'),
  INVALID_AUTH_HEADER: textKey('This access has ended. Open the page again with a link that is valid.'),
  FORBIDDEN: textKey('This link may not do that.'),
  LINK_PAUSED: textKey('This link is paused. Who manages the space can resume it.'),
  DOCUMENT_LOCKED: textKey('This document is locked, and cannot be changed.'),
  REMINDERS_UNAVAILABLE: textKey('Only a person has reminders, with a link of their own.'),
  NOT_FOUND_ERROR: textKey('What it is about is not there any more, or this link does not reach it.'),
  NOT_AVAILABLE: textKey('That is not available here.'),
  METHOD_NOT_ALLOWED: textKey('This address is not for that. Open the page again.'),
  CONFLICT: textKey('Something has changed meanwhile, or stands against it.'),
  PAYLOAD_TOO_LARGE: textKey('That is too large.'),
  UNSUPPORTED_MEDIA_TYPE: textKey('Content of this type cannot be taken.'),
  RATE_LIMITED: textKey('Those were too many requests at once. Wait a little, and try again.'),
  INTERNAL_ERROR: textKey('The server made a mistake. Its log says more.'),
  FILE_DAMAGED: textKey('This file is damaged on the server.'),
  SPACE_REPLACED: textKey('The space was replaced by another copy. Open the page again.'),
  MIGRATING: textKey('The space is being brought up to date. Try again in a moment.'),
  STORAGE_UNAVAILABLE: textKey('The storage of the server does not answer. Try again in a moment.'),
  CLOCK_WRONG: textKey('The clock of the server is wrong, so nothing is written.'),
  STORAGE_FULL: textKey('The disk of the server is full.'),
  QUOTA_EXCEEDED: textKey('There is no room left in this space. Delete something, and empty the trash.'),
}

/** Where a program finds the fault: `documents[0].title`. A line of a text has a space in it, and is kept. */
const PATHS = /^(?:At ([^\s:]+): )+/
const IN_DETAILS = / \(\d+ more in details(?:, and others)?\)$/
const ID_OF = /\b(?:(?:a|the|this) )?(block|collection|document|folder|item|page|proposal) \d{12}\b/g

/** @param refusal  an error that a call was refused with, or its body */
export function refusalText(refusal: Pick<ScriptoriumError, 'code' | 'message'> | ErrorBody): string {
  const message = 'message' in refusal ? refusal.message : refusal.error
  if (refusal instanceof PageRefusal) return message
  const [whole = '', path = ''] = PATHS.exec(message) ?? []
  const reason = message.slice(whole.length).replace(IN_DETAILS, '')
  for (const { says, at, sentence } of REFUSALS) {
    const found = says.exec(reason)
    if (found !== null && (at === undefined || at.test(path))) return text(sentence, valuesOf(found.groups ?? {}))
  }
  const shown = reason.replace(ID_OF, 'this $1')
  if (pageLocale().language === 'en') return shown
  return `${MEANINGS[refusal.code]} ${text('(In English: {reason})', { reason: shown })}`
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
