/** Formats the values of items for people. */

import { toneOf } from '../blocks/tones.ts'
import { linkHtml } from '../blocks/words-html.ts'
import { type Html, html, NOTHING } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { PropertyEntry } from '../page-tools.ts'

/** A block that a value refers to. */
export interface ValueTarget {
  blockId: string
  title?: string
}

/** Titles of blocks that values refer to, by ID. */
export type TargetTitles = ReadonlyMap<string, string>

/** Maps stored colors of options to the tones of the pages. */
const OPTION_TONES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ yellow: 'yellow', lime: 'green', 'mint-green': 'green', 'aqua-blue': 'cyan', 'sky-blue': 'blue' },
    ...{ lavender: 'purple', pink: 'pink', red: 'red', gray: 'gray' },
  }),
)

const MAX_TEXT = 400

/** @param titles  of the blocks that the value refers to */
export function valueHtml(
  call: Pick<PageCall, 'formats' | 'links'>,
  property: PropertyEntry,
  value: unknown,
  titles: TargetTitles,
): Html {
  if (value === undefined || value === null) return NOTHING
  const { formats, links } = call
  switch (property.type) {
    case 'number':
      return typeof value === 'number' ? html`${numberWords(call, property, value)}` : NOTHING
    case 'boolean':
      return value === true ? html`yes` : html`no`
    case 'singleSelect':
      return typeof value === 'string' ? tagHtml(property, value) : NOTHING
    case 'multiSelect':
      return Array.isArray(value)
        ? html`${value.map((one, index) => html`${index > 0 && ' '}${tagHtml(property, String(one))}`)}`
        : NOTHING
    case 'date':
      return dateHtml(formats, value)
    case 'url':
      return linkHtml(String(value), html`${shortUrl(String(value))}`, links)
    case 'email':
      return linkHtml(`mailto:${String(value)}`, html`${String(value)}`, links)
    case 'phone':
      return linkHtml(`tel:${String(value).replace(/[^\d+]/g, '')}`, html`${String(value)}`, links)
    case 'relation':
    case 'blockLink':
      return html`${targetsOf(value).map(
        ({ blockId }, index) =>
          html`${index > 0 && ', '}<a href="${links.block(blockId)}">${titles.get(blockId) || 'Untitled'}</a>`,
      )}`
    default: {
      const text = String(value)
      return html`${text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text}`
    }
  }
}

/** A day or a range of days. */
function dateHtml(formats: PageCall['formats'], date: unknown): Html {
  if (typeof date === 'string') return formats.dayHtml(date)
  const { start, end } = date as { start?: string; end?: string }
  return html`${start !== undefined && formats.dayHtml(start)} – ${end !== undefined && formats.dayHtml(end)}`
}

export function numberWords({ formats }: Pick<PageCall, 'formats'>, { config }: PropertyEntry, value: number): string {
  if (config?.format === 'currency') return formats.currency(value, config.currency ?? 'USD')
  return config?.format === 'percentage' ? formats.percent(value) : formats.number(value)
}

function tagHtml({ options = [] }: PropertyEntry, name: string): Html {
  const color = options.find((option) => option.name === name)?.color ?? 'gray'
  const tone = color.startsWith('#') ? toneOf(color) : (OPTION_TONES.get(color) ?? 'gray')
  return html`<span class="tag tone-${tone}">${name}</span>`
}

/** The blocks that a relation or block link refers to. */
export function targetsOf(value: unknown): ValueTarget[] {
  const { relations, blockId } = (value ?? {}) as { relations?: ValueTarget[]; blockId?: string }
  if (relations !== undefined) return relations
  return blockId === undefined ? [] : [{ blockId }]
}

/** Removes the parts that every URL has. */
const shortUrl = (url: string): string => {
  const short = url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')
  return short.length > 60 ? `${short.slice(0, 60)}…` : short
}
