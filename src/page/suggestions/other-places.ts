/** Where parts of proposals would put something that is not on the page where they are decided on. */
import { shownTitle } from '../../markdown/shown-title.ts'
import { blockTitles } from '../../space/documents/block-titles.ts'
import type { PageCall } from '../page-call.ts'
import { text } from '../texts/text.ts'
import type { ProposedPart } from './proposed-part.ts'

/**
 * The ID of the page, row or collection to which a part would move or add something.
 *
 * @param pageId  the page that is shown, which is no other place
 */
export const otherPlace = ({ kind, place }: ProposedPart, pageId?: string): string | undefined =>
  (kind === 'moved' || kind === 'added') && place !== undefined && place.parentId !== pageId
    ? place.parentId
    : undefined

/** The titles of these places by ID, as far as the link reaches them. */
export async function readPlaces(
  { request: { caller } }: PageCall,
  parts: readonly ProposedPart[],
  pageId?: string,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(parts.flatMap((part) => otherPlace(part, pageId) ?? []))
  if (ids.size === 0) return new Map()
  return caller.space.read(caller.link, (view) => blockTitles(view, [...ids]))
}

/** A place as sentences name it. @param title  undefined if it is not known */
export const namedPlace = (title: string | undefined): string =>
  title === undefined ? text('another page') : text('“{name}”', { name: shownTitle(title) })
