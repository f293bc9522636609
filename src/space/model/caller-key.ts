/** Which connections are one caller. */
import type { AccessLink } from './space.ts'

/**
 * The ID of the link. Connections without one, over standard input and output, are one caller if their reach is the
 * same: no other sees the answers that are kept for it, nor what it proposed.
 */
export const callerKey = ({ id, kind, documents }: Pick<AccessLink, 'id' | 'kind' | 'documents'>): string =>
  id ?? (kind === 'full' ? '' : [kind, ...[...documents].sort((one, other) => one - other)].join(' '))
