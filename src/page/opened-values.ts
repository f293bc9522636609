/**
 * The values with which a form was opened: hidden in it, so that only what its person changed is written. What others
 * changed since stays, and words that both changed in one text are merged.
 */

import { mergeTexts } from '../difference/merge-texts.ts'
import { type Html, html } from './html.ts'
import type { PageCall } from './page-call.ts'
import { refused } from './page-refusal.ts'
import { text } from './texts/text.ts'

/** By the names of fields. */
export type OpenedValues = Readonly<Record<string, string>>

const FIELD = 'opened'

export const openedField = (values: OpenedValues): Html =>
  html`<input type="hidden" name="${FIELD}" value="${JSON.stringify(values)}">`

/** @param now  the values that are there now, for a form that was opened without any */
export function openedValues(call: PageCall, now: OpenedValues): OpenedValues {
  try {
    return { ...now, ...(JSON.parse(call.form.get(FIELD) ?? '{}') as OpenedValues) }
  } catch {
    return now
  }
}

export interface ChangedText {
  /** The text with which the form was opened. */
  opened: string
  typed: string
  /** The text that is there now. */
  now: string
}

/**
 * What to write.
 *
 * @returns undefined if there is nothing to write
 * @throws CONFLICT if others changed the same words
 */
export function textToWrite({ opened, typed, now }: ChangedText): string | undefined {
  if (typed === opened || typed === now) return undefined
  const merged = mergeTexts(opened, typed, now)
  if (merged !== undefined) return merged
  throw refused(
    text('Others changed the same words to “{now}” while you did. Save once more to replace them by yours.', { now }),
    'CONFLICT',
  )
}

/** The text with which a refused form is opened again: the one that its person has been shown. */
export const reopenedText = ({ opened, typed, now }: ChangedText): string =>
  mergeTexts(opened, typed, now) === undefined ? now : opened
