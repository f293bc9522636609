/** Decides which connections count as the same caller. */
import type { AccessLink } from './space.ts'

/**
 * A key for the caller: the ID of its link. Connections without a link, over standard input and output, are the same
 * caller if their reach is the same. Only the same caller gets the stored responses and sees the proposals of a
 * connection.
 */
export const callerKey = ({ id, kind, documents }: Pick<AccessLink, 'id' | 'kind' | 'documents'>): string =>
  id ?? (kind === 'full' ? '' : [kind, ...[...documents].sort((one, other) => one - other)].join(' '))
