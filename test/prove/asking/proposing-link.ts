/** Links of those who may only propose: what they write waits until somebody decides. */
import { addAccessLink } from '../../../src/auth/access-links/access-links.ts'
import { type AccessLink, type ConnectionKind, OPERATOR_LINK } from '../../../src/space/model/space.ts'
import type { OpenSpace } from '../../../src/space/open-space.ts'

export interface Proposing {
  kind: ConnectionKind
  /** IDs of the documents that a selected connection exposes. */
  documents: readonly string[]
  /** Whether it has a link of its own. Programs over standard input and output have none. */
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
