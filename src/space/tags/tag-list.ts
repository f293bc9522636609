/** The tags that a connection reaches, with how often each is used. */
import { listTagCounts, type TagCount } from '../../../storage/tags.ts'
import { TAGS_PER_PAGE } from '../../base/limits.ts'
import { reachOf, type Space } from '../model/space.ts'

export interface TagList {
  /** In order. A tag counts with those within it: `a` with `a/b`. */
  tags: TagCount[]
  /** The last tag of this part, if there are more: the next part begins after it. */
  next?: string
}

/** @param after  the tag that the part begins after; the start if empty */
export async function listTags(space: Space, after = ''): Promise<TagList> {
  const found = await listTagCounts(space.tx, reachOf(space.link), after, TAGS_PER_PAGE + 1)
  const tags = found.slice(0, TAGS_PER_PAGE)
  const last = tags.at(-1)
  return found.length > tags.length && last !== undefined ? { tags, next: last.tag } : { tags }
}
