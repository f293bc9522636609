/** The icon of a document, page or row: an emoji that begins its title. */

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
