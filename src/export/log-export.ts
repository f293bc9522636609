/** What leaves a space as files is in its log. */
import { tryAndLog } from '../base/background.ts'
import { logOccurrence } from '../space/model/audit-log.ts'
import type { AccessLink } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'

export interface ExportedThing {
  format: string
  /** IDs of documents; empty for all. */
  documents?: readonly string[]
  folder?: string | undefined
  /** True if the secrets of the space are in it. */
  hasSecrets?: boolean
}

/** Logs an export before it begins. One from a full disk is made all the same: it may be the last way out. */
export const logExport = (
  space: OpenSpace,
  link: AccessLink,
  { format, documents = [], folder, hasSecrets = false }: ExportedThing,
): Promise<void> =>
  tryAndLog('log an export', () =>
    space.write(link, (view) =>
      logOccurrence(view, 'export', {
        ids: documents.slice(0, LISTED),
        about: {
          format,
          ...(documents.length > 0 ? { documents: documents.length } : {}),
          folder,
          ...(hasSecrets && { hasSecrets }),
        },
      }),
    ),
  )

/** How many documents an entry lists. */
const LISTED = 100
