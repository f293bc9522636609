import { z } from 'zod'

/** A difference of documents, with what it does not show. */
export const difference = z.strictObject({
  diff: z.string().describe('A unified diff of the Markdown of the documents'),
  isDiffComplete: z.boolean().describe('False if more of it follows, or if changes are left out'),
  isDiffCoarse: z.literal(true).optional().describe('True if too much changed to compare it line by line'),
})
