/** Access links that may only propose: each of their writes waits until a person decides on it. */
import { addAccessLink } from '../../../src/auth/access-links/access-links.ts'
import { type AccessLink, type ConnectionKind, OPERATOR_LINK } from '../../../src/space/model/space.ts'
import type { OpenSpace } from '../../../src/space/open-space.ts'

export interface Proposing {
  kind: ConnectionKind
  /** IDs of the documents that are exposed to a selected connection. */
  documents: readonly string[]
  /** True if the connection has an access link of its own. Programs over stdio have none. */
  hasLink: boolean
  author?: string
}

export async function proposingLink(
  space: OpenSpace,
  { kind, documents, hasLink, author = 'robot' }: Proposing,
): Promise<AccessLink> {
  const link = await space.createAccessLink(kind, documents, author, 'propose')
  if (!hasLink) return link
  const added = { kind, access: 'propose', documents, isBearer: true } as const
  const { info } = await space.write(OPERATOR_LINK, (view) => addAccessLink(view, added))
  return { ...link, id: info.id }
}
