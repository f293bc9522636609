/** The titles of blocks that the values of items refer to. JSON only has their IDs, Markdown has links to them. */

import { refersToBlocks } from '../../space/model/property-traits.ts'
import type { PageCall } from '../page-call.ts'
import type { PropertyEntry, ToolInput } from '../page-tools.ts'
import { type TargetTitles, targetsOf } from './collection-values.ts'

/** The titles of what the items of a table refer to. @param query  the input of `items_list` */
export async function readTargetTitles(
  call: PageCall,
  query: ToolInput<'items_list'>,
  columns: readonly PropertyEntry[],
): Promise<TargetTitles> {
  const keys = columns.filter(refersToBlocks).map(({ key }) => key)
  if (keys.length === 0) return new Map()
  return titlesIn(await call.readMarkdown('items_list', { ...query, properties: keys }))
}

/** The titles of what one item refers to. @param at  the point in time to read; now by default */
export async function readItemTargetTitles(
  call: PageCall,
  { id, properties = {} }: { id: string; properties?: Record<string, unknown> },
  columns: readonly PropertyEntry[],
  at?: string,
): Promise<TargetTitles> {
  const isFilled = (column: PropertyEntry) => refersToBlocks(column) && targetsOf(properties[column.key]).length > 0
  if (!columns.some(isFilled)) return new Map()
  const moment = at === undefined ? {} : { at }
  return titlesIn(await call.readMarkdown('blocks_get', { id, maxDepth: 0, ...moment }))
}

/** A link of a value. In its text there may be brackets, each with its partner. */
const LINK = /\[((?:[^[\]]|\[[^[\]]*\])*)\]\(block:\/\/(\d{12})\)/g

/** The titles of the links in Markdown. */
export function titlesIn(markdown: string): TargetTitles {
  const titles = new Map<string, string>()
  for (const [, title = '', id = ''] of markdown.matchAll(LINK)) {
    titles.set(
      id,
      title
        .replace(/\\([\\|])/g, '$1')
        .replaceAll('&lt;', '<')
        .replaceAll('&amp;', '&'),
    )
  }
  return titles
}
