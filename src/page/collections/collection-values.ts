/** Formats the values of items for people. */

import { DEFAULT_RATING_MAX } from '../../base/ratings.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { linkHtml } from '../blocks/inline-content-html.ts'
import { toneOf } from '../blocks/tones.ts'
import { type Html, html, NOTHING } from '../html.ts'
import { pictureHtml } from '../member-picture.ts'
import type { PageCall } from '../page-call.ts'
import type { PropertyEntry, PropertyType } from '../page-tools.ts'

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

type ValueContext = Pick<PageCall, 'formats' | 'links' | 'pictures'>

/** Shows a value of one type. @param titles  of the blocks that the value refers to */
type ValueFormatter = (call: ValueContext, property: PropertyEntry, value: unknown, titles: TargetTitles) => Html

const FORMATTERS: Readonly<Record<PropertyType, ValueFormatter>> = {
  text: (_, _property, value) => textHtml(String(value)),
  number: (call, property, value) => (typeof value === 'number' ? html`${numberText(call, property, value)}` : NOTHING),
  boolean: (_, _property, value) => (value === true ? html`yes` : html`no`),
  date: ({ formats }, _property, value) => dateHtml(formats, value),
  url: ({ links }, _property, value) => linkHtml(String(value), html`${shortUrl(String(value))}`, links),
  email: ({ links }, _property, value) => linkHtml(`mailto:${String(value)}`, html`${String(value)}`, links),
  phone: ({ links }, _property, value) =>
    linkHtml(`tel:${String(value).replace(/[^\d+]/g, '')}`, html`${String(value)}`, links),
  singleSelect: (_, property, value) => (typeof value === 'string' ? tagHtml(property, value) : NOTHING),
  multiSelect: (_, property, value) =>
    Array.isArray(value)
      ? html`${value.map((one, index) => html`${index > 0 && ' '}${tagHtml(property, String(one))}`)}`
      : NOTHING,
  relation: ({ links }, _property, value, titles) => targetsHtml(links, value, titles),
  blockLink: ({ links }, _property, value, titles) => targetsHtml(links, value, titles),
  person: ({ pictures }, _property, value) =>
    html`${membersIn(value).map(({ name = '' }, index) => html`${index > 0 && ' '}<span class="mention">${pictureHtml(pictures.get(name))}${name}</span>`)}`,
  rating: (_, property, value) => (typeof value === 'number' ? starsHtml(property, value) : NOTHING),
}

export const valueHtml: ValueFormatter = (call, property, value, titles) =>
  value === undefined || value === null ? NOTHING : FORMATTERS[property.type](call, property, value, titles)

/** False for no value, and for a box that is not ticked. */
export const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== false

/** A member in a value. */
export interface ValueMember {
  memberId: string
  name?: string
}

export const membersIn = (value: unknown): readonly ValueMember[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null && 'memberId' in one) : []

const textHtml = (text: string): Html => html`${text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text}`

const targetsHtml = (links: PageCall['links'], value: unknown, titles: TargetTitles): Html =>
  html`${targetsOf(value).map(
    ({ blockId }, index) =>
      html`${index > 0 && ', '}<a href="${links.block(blockId)}">${shownTitle(titles.get(blockId))}</a>`,
  )}`

/** How many stars a rating can have at most. */
export const maxStars = ({ config }: RatedProperty): number =>
  typeof config?.max === 'number' ? config.max : DEFAULT_RATING_MAX

export interface RatedProperty {
  config?: { max?: unknown } | undefined
}

/** `★★★★☆` */
export function starsHtml(property: RatedProperty, count: number): Html {
  const max = maxStars(property)
  return html`<span role="img" aria-label="${count} of ${max} stars">${'★'.repeat(count)}${'☆'.repeat(Math.max(0, max - count))}</span>`
}

/** A day or a range of days. */
function dateHtml(formats: PageCall['formats'], date: unknown): Html {
  if (typeof date === 'string') return formats.dayHtml(date)
  const { start, end } = date as { start?: string; end?: string }
  return html`${start !== undefined && formats.dayHtml(start)} – ${end !== undefined && formats.dayHtml(end)}`
}

export function numberText({ formats }: Pick<PageCall, 'formats'>, { config }: PropertyEntry, value: number): string {
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
