/** Finds the fields of blocks that their Markdown does not show, by reading the Markdown back. */
import type { Block, BlockFields } from '../../markdown/block.ts'
import { readMarkdown } from '../../markdown/read-markdown.ts'
import { writeMarkdown } from '../../markdown/write-markdown.ts'

/** Fields that Markdown shows by where the lines of a block begin, which one block alone does not tell. */
const SHOWN_BY_PLACE: ReadonlySet<string> = new Set(['type', 'text', 'indentationLevel'])

/** Texts that are read back as one block of the type. The text itself is always shown. */
const SAMPLES: Partial<Record<BlockFields['type'], string>> = { text: 'a', table: '| a |\n| --- |\n| b |', code: 'a' }

export type FieldValues = Readonly<Record<string, unknown>>

/** Remembers its results, since most blocks have the same few fields. */
export class UnwrittenFields {
  readonly #known = new Map<string, ReadonlySet<string>>()

  /** Returns all fields except type and text, with the parts of `taskInfo` as fields of their own. */
  static all({ type: _, text: __, taskInfo, ...fields }: BlockFields): FieldValues {
    return { ...fields, ...taskInfo }
  }

  /** Returns those fields that the Markdown of the block does not show. */
  of(fields: BlockFields): FieldValues {
    const { text: _, ...others } = fields
    const all = UnwrittenFields.all(fields)
    if (Object.keys(all).length === 0) return all
    const key = JSON.stringify(others)
    const names = this.#known.get(key) ?? unwritten(fields)
    this.#known.set(key, names)
    return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)))
  }
}

function unwritten(fields: BlockFields): ReadonlySet<string> {
  const read = readBack({ ...fields, text: SAMPLES[fields.type] ?? '' })
  const shown = read === undefined ? {} : UnwrittenFields.all(read)
  const names = Object.entries(UnwrittenFields.all(fields)).flatMap(([name, value]) =>
    JSON.stringify(shown[name]) === JSON.stringify(value) ? [] : name,
  )
  return new Set(names.filter((name) => !SHOWN_BY_PLACE.has(name)))
}

/** Returns undefined for tags that are only written, such as those of collections. */
function readBack(block: Block): Block | undefined {
  try {
    const read = readMarkdown(writeMarkdown([block]))
    return read.length === 1 && read[0]?.type === block.type ? read[0] : undefined
  } catch {
    return undefined
  }
}
