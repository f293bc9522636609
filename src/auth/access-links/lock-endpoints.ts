/** The endpoint with which people lock documents on the pages. It is not a tool, since agents may not unlock. */
import { z } from 'zod'
import { byKind, endpoint } from '../../endpoint.ts'
import { setDocumentLock } from '../../space/documents/lock-documents.ts'
import { GivenId } from '../../space/model/ids.ts'

const documentId = z
  .string()
  .min(1)
  .max(100)
  .transform((text) => new GivenId(text))

const lock = endpoint({
  name: 'documents_lock',
  title: 'Lock a document',
  description: 'Lock a document against changes by agents, or unlock it.',
  route: 'PUT /documents/lock',
  effect: 'change',
  isRestOnly: true,
  isNoStep: true,
  input: byKind(() => z.strictObject({ documentId, isLocked: z.boolean() }), ['full', 'selected']),
  output: z.strictObject({ id: z.string(), title: z.string(), lockedBy: z.string().optional() }),
  writtenIds: ({ id }) => [id],
  administers: ({ isLocked }) => ({ isLocked }),
  handle: ({ space }, { documentId, isLocked }) => setDocumentLock(space, documentId, isLocked),
})

export const lockEndpoints = [lock]
