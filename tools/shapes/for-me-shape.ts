import { z } from 'zod'
import { FOR_ME_KINDS } from '../../src/space/for-me/for-me.ts'

/** One thing that waits for the member that the connection is. */
const forMeItem = z
  .strictObject({
    kind: z.enum(FOR_ME_KINDS),
    id: z.string(),
    blockId: z.string().optional(),
    documentId: z.string().optional(),
    title: z.string().optional(),
    text: z.string(),
    author: z.string().optional(),
    at: z.string(),
    isRead: z.literal(true).optional(),
  })
  .meta({ component: 'ForMeItem' })

/** @param most  items in one answer */
export const forMeList = (most: number) =>
  z.strictObject({ items: z.array(forMeItem).max(most), unread: z.int(), more: z.int().optional() })
