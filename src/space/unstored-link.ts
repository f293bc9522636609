/** A link that no row stores: that of a connection over stdio, or of a program that uses the library. */
import { documentById } from '../../storage/documents.ts'
import { lastCall } from '../../storage/history.ts'
import { activeParticipants } from '../../storage/participants.ts'
import { invalid } from '../base/errors.ts'
import { type AccessLink, type ConnectionKind, isSystemDocument, type Space } from './model/space.ts'
import { OWNER_NAME } from './space-identity.ts'

/** What the link is for; see `createAccessLink` in open-space.ts. */
interface Wanted {
  kind: ConnectionKind
  documents: readonly string[]
  author: string | undefined
  access: AccessLink['access']
}

/** @throws VALIDATION_ERROR if a document does not exist, if `selected` has no documents, or if another kind has some */
export async function unstoredLink(space: Space, { kind, documents, author, access }: Wanted): Promise<AccessLink> {
  if (kind !== 'selected' && documents.length > 0) {
    throw invalid(`Expected documents on a selected connection alone, found them on a ${kind} one; leave them out.`)
  }
  if (kind === 'selected' && documents.length === 0) {
    throw invalid('Expected the IDs of the documents that the selected connection exposes, found none.')
  }
  const found = new Set<number>()
  const ids = await space.readIds(documents)
  for (const id of documents) {
    const document = await documentById(space.tx, ids.get(id) ?? 0)
    if (document === undefined || isSystemDocument(document))
      throw invalid(`Expected IDs of documents in this space, found ${id}, which is none.`)
    found.add(document.n)
  }
  const [first] = author === undefined ? await activeParticipants(space.tx) : []
  const link = { kind, access, documents: found, author: author ?? first?.name ?? OWNER_NAME }
  // It is unknown since when the documents are exposed, so the link sees no history from before now.
  return kind === 'selected' ? { ...link, historyFrom: (await lastCall(space.tx)) + 1 } : link
}
