/** Consents of participants, stored as links of the space: they are listed and revoked like all others. */

import { accessLinkByConsent, setExposedDocuments, updateAccessLink } from '../../../storage/access-links.ts'
import { blocksByNumbers } from '../../../storage/blocks.ts'
import { cleanName } from '../../base/control-characters.ts'
import { CLIENT_NAME_LENGTH } from '../../base/limits.ts'
import { type AccessLevel, type ConnectionKind, OPERATOR_LINK, type Space } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import type { Account } from '../../space/participants/participants.ts'
import { addAccessLink, getActiveLink, resolveDocuments, revokeAccessLink } from '../access-links/access-links.ts'
import type { ConsentStore } from './oidc-adapter.ts'

/** The choices made on the consent page. */
export interface ConsentChoice {
  kind: ConnectionKind
  access: AccessLevel
  /** For a selected connection. */
  documents: readonly string[]
}

/**
 * The link of a grant: created at the first consent, updated by later ones.
 *
 * @param program  its name, as it reports itself
 * @throws VALIDATION_ERROR for a selected connection without documents; NOT_FOUND_ERROR
 */
export async function saveConsent(
  space: Space,
  grantId: string,
  { account, program, choice }: { account: Account; program: string; choice: ConsentChoice },
): Promise<void> {
  const name = `${clientDisplayName(program)}, signed in`
  const { kind, access, documents } = choice
  const row = await accessLinkByConsent(space.tx, grantId)
  if (row === undefined) {
    await addAccessLink(space, {
      kind,
      access,
      documents,
      name,
      isBearer: true,
      participant: account.id,
      consent: grantId,
    })
    return
  }
  const numbers = await resolveDocuments(space, kind, documents)
  await updateAccessLink(space.tx, row.n, { name, kind, access })
  await setExposedDocuments(space.tx, row.n, numbers)
}

/** The name of a program for lists and pages: short, and on one line. */
export const clientDisplayName = (program: string): string => cleanName(program, CLIENT_NAME_LENGTH) || 'a program'

/** The ID of a grant's link, while it is active. */
export async function getGrantLinkId(space: Space, grantId: string): Promise<string | undefined> {
  const row = await accessLinkByConsent(space.tx, grantId)
  return row && (await getActiveLink(space, row.id))?.id
}

/** True if the link that a token names is active. */
export async function isLinkActive(space: OpenSpace, id: string | undefined): Promise<boolean> {
  return id !== undefined && (await space.read(OPERATOR_LINK, (view) => getActiveLink(view, id))) !== undefined
}

/** The choices of an earlier consent; undefined if it was revoked. */
export async function getConsentChoice(space: Space, grantId: string): Promise<ConsentChoice | undefined> {
  const id = await getGrantLinkId(space, grantId)
  const link = id === undefined ? undefined : await getActiveLink(space, id)
  if (link === undefined) return undefined
  const rows = await blocksByNumbers(space.tx, [...link.documents])
  return { kind: link.kind, access: link.access, documents: rows.map((row) => String(row.id)) }
}

export function createConsentStore(space: OpenSpace): ConsentStore {
  return {
    isActive: async (grantId) =>
      (await space.read(OPERATOR_LINK, (view) => getGrantLinkId(view, grantId))) !== undefined,
    revoke: (grantId) =>
      space.write(OPERATOR_LINK, async (view) => {
        const row = await accessLinkByConsent(view.tx, grantId)
        if (row !== undefined) await revokeAccessLink(view, row.id)
      }),
  }
}
