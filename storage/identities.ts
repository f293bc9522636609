/** External identities (issuer and subject), and the access links of their sign-ins. */
import type { Transaction } from './sqlite/connection.ts'

/** A user of an external issuer. */
export interface Identity {
  issuer: string
  subject: string
}

export interface IdentityRecord extends Identity {
  n: number
  participant: number
}

/** The identity of an issuer's subject, if its participant is still active. */
export async function findIdentity(
  tx: Transaction,
  { issuer, subject }: Identity,
): Promise<IdentityRecord | undefined> {
  return tx
    .sql<IdentityRecord>(
      `SELECT i.n, i.issuer, i.subject, i.participant FROM identity i JOIN participant p ON p.n = i.participant
       WHERE i.issuer = ? AND i.subject = ? AND p.removed_at IS NULL`,
    )
    .get(issuer, subject)
}

/** The identities of a participant, oldest first. */
export async function identitiesOfParticipant(tx: Transaction, participant: number): Promise<IdentityRecord[]> {
  return tx
    .sql<IdentityRecord>('SELECT n, issuer, subject, participant FROM identity WHERE participant = ? ORDER BY n')
    .all(participant)
}

export async function insertIdentity(
  tx: Transaction,
  { issuer, subject, participant }: Omit<IdentityRecord, 'n'>,
  now: number,
): Promise<void> {
  tx.sql('INSERT INTO identity (issuer, subject, participant, created_at) VALUES (?, ?, ?, ?)').run(
    issuer,
    subject,
    participant,
    now,
  )
}

/** Deletes an identity and revokes the access links of its sign-ins. */
export async function deleteIdentity(tx: Transaction, n: number, now: number): Promise<void> {
  tx.sql(
    'UPDATE link SET revoked_at = ? WHERE revoked_at IS NULL AND n IN (SELECT link FROM sign_in WHERE identity = ?)',
  ).run(now, n)
  tx.sql('DELETE FROM identity WHERE n = ?').run(n)
}

/** The ID of the access link for the sign-in of an identity with a client program. */
export async function accessLinkOfSignIn(
  tx: Transaction,
  identity: number,
  client: string,
): Promise<string | undefined> {
  return tx
    .sql<string>('SELECT l.id FROM sign_in s JOIN link l ON l.n = s.link WHERE s.identity = ? AND s.client = ?')
    .pluck()
    .get(identity, client) as string | undefined
}

export async function insertSignIn(tx: Transaction, identity: number, client: string, linkId: string): Promise<void> {
  tx.sql('INSERT INTO sign_in (identity, client, link) SELECT ?, ?, n FROM link WHERE id = ?').run(
    identity,
    client,
    linkId,
  )
}
