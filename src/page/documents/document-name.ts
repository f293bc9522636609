/**
 * The name of a document in lists. An emoji that begins its title is its icon; others have that of what they are.
 */
import type { Title } from '../../markdown/inline-title.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { splitTitle } from '../../markdown/title-emoji.ts'
import { type Html, html } from '../html.ts'
import type { IconName } from '../icon-names.ts'
import type { PageCall } from '../page-call.ts'

/**
 * A title with another text. Marks stay with the words that stay: those that both texts begin and end with.
 *
 * @param value  the new text
 */
export function retitled({ value: before, attributes = [] }: Title, value: string): Title {
  let start = 0
  while (start < Math.min(before.length, value.length) && before[start] === value[start]) start++
  let end = before.length
  while (
    end > start &&
    value.length - (before.length - end) > start &&
    before[end - 1] === value[value.length - (before.length - end) - 1]
  )
    end--
  const moved = value.length - before.length
  const kept = attributes
    .map((one) => ({
      ...one,
      start: one.start < end && one.start > start ? end + moved : one.start < end ? one.start : one.start + moved,
      end: one.end <= start ? one.end : one.end < end ? start : one.end + moved,
    }))
    .filter((one) => one.end > one.start)
  return { value, attributes: kept }
}

/** @param otherwise  the icon of one without an emoji */
export function documentName(call: PageCall, title: string | undefined, otherwise: IconName = 'file'): Html {
  const { emoji, rest } = splitTitle(shownTitle(title))
  const name = html`<span class="name">${rest}</span>`
  return emoji === '' ? call.icon(otherwise, name) : html`<span class="emoji">${emoji}</span> ${name}`
}
