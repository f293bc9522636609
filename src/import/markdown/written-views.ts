/** Views of a collection as exports write them: they refer to properties by key, and to blocks by wiki link. */

import { z } from 'zod'
import { isObject } from '../../base/is-object.ts'
import { TITLE_LENGTH } from '../../base/limits.ts'
import {
  CALCULATIONS,
  CARD_SIZES,
  FILTER_TYPES,
  KANBAN_WIDTHS,
  PREVIEW_TYPES,
  VIEW_TYPES,
} from '../../space/collections/views/view.ts'
import type { ImportView } from '../../space/import/imported-content.ts'

/**
 * Replaces the references to blocks in a view: in filters, and in the groups of a kanban view.
 *
 * @param relations  the keys of properties whose values are blocks
 * @param toOther  returns the new reference, or undefined to leave the block out
 */
export function withBlocks(
  view: ImportView,
  relations: ReadonlySet<string>,
  toOther: (word: string) => string | undefined,
): ImportView {
  const other = (word: unknown) => (typeof word === 'string' ? (toOther(word) ?? []) : [])
  const filters = view.filters?.flatMap((filter) => {
    const { property, filterValue } = filter
    if (!relations.has(property) || !isObject(filterValue)) return filter
    const isList = Array.isArray(filterValue.relations)
    const named = isList ? filterValue.relations : [filterValue]
    const blocks = (named as unknown[]).flatMap((one) => other(isObject(one) ? one.blockId : undefined))
    const links = blocks.map((blockId) => ({ blockId }))
    return isList || links[0] === undefined
      ? { ...filter, filterValue: { relations: links } }
      : { ...filter, filterValue: links[0] }
  })
  const { kanban, groupBy: [group] = [] } = view
  const changed = { ...view, ...(filters && { filters }) }
  if (kanban === undefined || group === undefined || !relations.has(group.property)) return changed
  const { hiddenGroupValues, columnOrder } = kanban
  changed.kanban = {
    ...kanban,
    ...(hiddenGroupValues && { hiddenGroupValues: hiddenGroupValues.flatMap(other) }),
    ...(columnOrder && { columnOrder: columnOrder.flatMap(other) }),
  }
  return changed
}

const text = z.string().min(1).max(TITLE_LENGTH)
const keys = z.array(text).optional()
const groups = z.array(z.string().max(TITLE_LENGTH)).optional()
const flag = z.boolean().optional()
const rules = z.array(z.strictObject({ property: text, ascending: flag })).optional()
const cards = {
  cardSize: z.enum(CARD_SIZES).optional(),
  previewType: z.enum(PREVIEW_TYPES).optional(),
  limitsVisibleFields: flag,
  showsAllFields: flag,
  visibleFields: keys,
}
const filter = z.strictObject({
  property: text,
  filterType: z.enum(FILTER_TYPES),
  filterValue: z.unknown().optional(),
})

const writtenView = z.strictObject({
  name: text,
  type: z.enum(VIEW_TYPES),
  isActive: flag,
  filters: z.array(filter).optional(),
  sortBy: rules,
  groupBy: rules,
  order: keys,
  hidden: keys,
  widths: z.record(z.string(), z.string().min(1).max(100)).optional(),
  calculations: z.record(z.string(), z.enum(CALCULATIONS)).optional(),
  isCalculationsRowVisible: flag,
  gallery: z.strictObject({ ...cards, previewRatio: z.number().positive().optional() }).optional(),
  kanban: z
    .strictObject({
      ...cards,
      hiddenGroupValues: groups,
      columnOrder: groups,
      kanbanColumnWidth: z.enum(KANBAN_WIDTHS).optional(),
      showsColumnColors: flag,
    })
    .optional(),
})

/** True if the value has the shape that calls accept. Its content is checked later, by the rules of the space. */
export const isView = (value: unknown): value is ImportView => writtenView.safeParse(value).success
