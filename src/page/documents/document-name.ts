/**
 * The name of a document in lists. An emoji that begins its title is its icon; others have that of what they are.
 */
import { shownTitle } from '../../markdown/shown-title.ts'
import { type Html, html } from '../html.ts'
import type { IconName } from '../icon-names.ts'
import type { PageCall } from '../page-call.ts'

const BEGINS_WITH_EMOJI = /^(\p{RGI_Emoji})\s*(?=\S)/v

export interface NamedTitle {
  /** An emoji; empty if there is none. */
  emoji: string
  rest: string
}

export function splitTitle(title: string): NamedTitle {
  const [all = '', emoji = ''] = BEGINS_WITH_EMOJI.exec(title) ?? []
  return { emoji, rest: title.slice(all.length) }
}

/** @param otherwise  the icon of one without an emoji */
export function documentName(call: PageCall, title: string | undefined, otherwise: IconName = 'file'): Html {
  const { emoji, rest } = splitTitle(shownTitle(title))
  const name = html`<span class="name">${rest}</span>`
  return emoji === '' ? call.icon(otherwise, name) : html`<span class="emoji">${emoji}</span> ${name}`
}
