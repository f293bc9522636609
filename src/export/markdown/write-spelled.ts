/** Writes a note from what the export says and the source that it came from. */

import type { NoteIndex } from '../../import/markdown/note-index.ts'
import { BLOCK_TAGS } from '../../import/markdown/prepare-note.ts'
import type { NoteProperties, OwnFields } from './note-front.ts'
import { type ExportedFile, linesOf } from './read-spelling.ts'
import { respell } from './respell.ts'
import { splitSource, withOwnFields } from './source-front.ts'

/** A note as the export would write it by itself. */
export interface WrittenNote {
  /** The path in the export. */
  path: string
  properties: NoteProperties
  /** Our own fields of the front matter. */
  own: OwnFields
  body: string
}

/** The text that a document was imported from. */
export interface SourceText {
  text: string
  /** True if it was read as a note of a vault. */
  isVault: boolean
}

/** Says that our tags have their meaning, where no other field does. */
const FORMAT = 'format: 1'

/** Writes a note in our own spelling. */
/** @param yaml  its properties, which end in a line feed; empty for none */
export function writePlain({ yaml, own: { all: own }, body }: Pick<WrittenNote, 'own' | 'body'> & { yaml: string }) {
  const fields = own.length === 0 && BLOCK_TAGS.test(body) ? [FORMAT] : own
  const front = yaml === '' && fields.length === 0 ? [] : ['---\n', ...linesOf(yaml), '---\n']
  const text = withOwnFields(front, fields, '\n')
  return `${text}${text === '' ? '' : '\n'}${body}${body === '' ? '' : '\n'}`
}

/** Writes a note in the spelling of its source. @returns undefined if that would not say the same */
export function writeSpelled(
  note: WrittenNote,
  { text, isVault }: SourceText,
  index: NoteIndex<ExportedFile>,
  anchors: ReadonlyMap<string, number>,
): string | undefined {
  const source = splitSource(text)
  const { text: properties, language, isMapping } = note.properties
  const isSame =
    withoutEnd(source.properties) === withoutEnd(properties) && (properties === '' || source.language === language)
  const own = isSame ? note.own.withoutTitle : note.own.all
  // Properties that cannot be read hold no fields of ours, and are only left as they are.
  if (properties !== '' && !isMapping && (!isSame || own.length > 0)) return undefined
  const eol = linesOf(source.body + source.front.join(''))[0]?.endsWith('\r\n') ? '\r\n' : '\n'
  const written = `${note.body}${note.body === '' ? '' : '\n'}`
  // Without fields of our own, our tags would be words.
  for (const fields of own.length === 0 ? [[], [FORMAT]] : [own]) {
    const options = { path: note.path, index, anchors, isVault, isOwn: fields.length > 0 }
    const body = respell(source.body, written, options)
    if (body === undefined) continue
    const front = isSame ? withOwnFields(source.front, fields, eol) : frontOf(properties, fields, eol)
    return source.mark + front + body
  }
  return undefined
}

function frontOf(yaml: string, own: readonly string[], eol: string): string {
  const lines = yaml === '' ? [] : ['---', ...withoutEnd(yaml).split('\n'), '---']
  return withOwnFields(
    lines.map((line) => line + eol),
    own,
    eol,
  )
}

const withoutEnd = (text: string): string => text.replace(/\n$/, '')
