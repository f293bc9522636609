/** The front matter of notes: properties that are in the document, and our own fields. */
import type { DocumentRecord } from '../../../storage/documents.ts'
import { OUR_DAILY } from '../../import/markdown/vault-settings.ts'
import type { Block } from '../../markdown/block.ts'
import { fenceInfo } from '../../markdown/blocks/code-block.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import { stemOf } from './vault-layout.ts'

/** The properties of a document: the code block at its beginning that is front matter, or could be. */
export interface NoteProperties {
  /** The text, which ends in a line feed; empty for none. */
  text: string
  language: 'yaml' | 'toml'
  /** True if the text is valid as front matter that we write. */
  isMapping: boolean
}

/** Splits the properties from the content below them. */
export function splitProperties(blocks: readonly Block[]): { properties: NoteProperties; content: Block[] } {
  const [first, ...others] = blocks
  const language = first?.type === 'code' ? fenceInfo(first) : ''
  if (first === undefined || first.content !== undefined || (language !== 'yaml' && language !== 'toml')) {
    return { properties: { text: '', language: 'yaml', isMapping: true }, content: [...blocks] }
  }
  const isValid = language === 'yaml' && isMapping(first.text)
  return { properties: { text: `${first.text}\n`, language, isMapping: isValid }, content: others }
}

/** True if the text has YAML keys, none of them our own, and no line that would end the front matter. */
const isMapping = (text: string): boolean =>
  /^(?:[ \t]*#[^\n]*\n|[ \t]*\n)*[^\s:#][^\n:]*:(?:\s|$)/.test(text) && !/^(?:---|\.\.\.|scriptorium:)/m.test(text)

/** Our own fields of a document, as lines. */
export interface OwnFields {
  all: string[]
  /** Without the title, if an import of the unchanged file gives the document that title. */
  withoutTitle: string[]
}

/**
 * @param hasIds  whether the ID and the times are among the fields
 * @param isFromSource  true if the file has the path that it was imported from, with this title
 */
export function ownFields(
  { id, title, createdAt, modifiedAt, location, dailyNoteDate }: DocumentRecord,
  path: string,
  { hasIds, isFromSource }: { hasIds: boolean; isFromSource: boolean },
): OwnFields {
  const plain = plainTitle(title)
  const named = stemOf(path) === plain ? [] : [titleLine(plain)]
  // Without an ID, a note of this day at this place is that daily note.
  const isDaily = !hasIds && location === 'daily_notes' && path === `${OUR_DAILY}/${dailyNoteDate}.md`
  const isPlain = location === 'folder' || location === 'unsorted' || isDaily
  const fields = (titles: readonly string[]) => [
    ...(hasIds ? [`id: ${id}`] : []),
    ...titles,
    ...(hasIds ? [`created: ${timeOf(createdAt)}`, `modified: ${timeOf(modifiedAt)}`] : []),
    ...(isPlain ? [] : [`location: ${location}`]),
    ...(dailyNoteDate === null || isDaily ? [] : [`date: ${dailyNoteDate}`]),
  ]
  // The title of a daily note is its date in words, whatever its file is named.
  const isKnown = !hasIds && (isFromSource || isDaily)
  return { all: fields(isDaily ? [] : named), withoutTitle: fields(isKnown ? [] : named) }
}

const timeOf = (time: number): string => new Date(time).toISOString()

export const titleLine = (title: string): string => `title: ${JSON.stringify(title)}`
