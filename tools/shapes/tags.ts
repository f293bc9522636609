/** The tags by which lists and searches are filtered. */
import { z } from 'zod'
import { TAG_LENGTH, TAGS_PER_FILTER } from '../../src/base/limits.ts'
import { isTagName, tagKey } from '../../src/markdown/tags.ts'

const tag = z
  .string()
  .max(TAG_LENGTH + 1)
  .transform((given) => given.trim().replace(/^#/, ''))
  .refine(isTagName, {
    error: ({ input }) =>
      `Expected a tag with at least one letter, such as project/alpha, found ${JSON.stringify(input)}; search for other words with include.`,
  })
  .transform(tagKey)

/** Accepted in every list and search of documents and tasks. The instructions mention it. */
export const tags = z.array(tag).min(1).max(TAGS_PER_FILTER).optional().meta({ commas: true, hidden: true })
