/** The plain texts of a block: all that people write beside its Markdown, wherever its fields hold it. */
import type { BlockFields, CalloutLevel } from './block.ts'
import { calloutLevels } from './callout-levels.ts'

/** Fields with plain text. */
const TEXT_FIELDS = ['altText', 'fileName', 'title', 'description', 'separatorStyle'] as const
const CALLOUT_TEXTS = ['title', 'icon'] as const

/** Matches the JSON of fields with a plain text. */
export const PLAIN_TEXT_KEYS = new RegExp(`"(?:${[...TEXT_FIELDS, ...CALLOUT_TEXTS].join('|')})":`)

type Texts = Pick<BlockFields, (typeof TEXT_FIELDS)[number] | 'decorations'>

/** All plain texts of a block, except those that are empty. */
export function plainTextsOf(fields: Partial<Texts>): string[] {
  const levels = calloutLevels(fields)
  const beside = levels.length === 0 ? [] : levels.flatMap((level) => CALLOUT_TEXTS.map((key) => level[key]))
  const all = [...TEXT_FIELDS.map((key) => fields[key]), ...beside]
  return all.filter((text): text is string => text !== undefined && text !== '')
}

/** The fields with other plain texts. @param map  also gets the text at the same place of `other`, if that has one */
export function mapPlainTexts<Fields extends Partial<Texts>>(
  fields: Fields,
  map: (text: string, other: string | undefined) => string,
  other: Partial<Texts> = {},
): Fields {
  const result = { ...fields }
  for (const key of TEXT_FIELDS) {
    const text = fields[key]
    if (text !== undefined) result[key] = map(text, other[key])
  }
  const levels = calloutLevels(fields)
  if (levels.length === 0) return result
  const others = calloutLevels(other)
  result.decorations = {
    ...fields.decorations,
    callout: levels.map((level, index): CalloutLevel => {
      const mapped = { ...level }
      for (const key of CALLOUT_TEXTS) {
        const text = level[key]
        if (text !== undefined) mapped[key] = map(text, others[index]?.[key])
      }
      return mapped
    }),
  }
  return result
}
