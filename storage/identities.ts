/** External identities (issuer and subject), and the access links of their sign-ins. */
import { sql } from 'drizzle-orm'
import type { identity } from './schema.ts'
import { integer, param, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

export type IdentityRecord = Omit<typeof identity.$inferSelect, 'createdAt'>

/** A user of an external issuer. */
export type Identity = Pick<IdentityRecord, 'issuer' | 'subject'>

const FIND = statement<IdentityRecord>(
  () => sql`SELECT identity.n, issuer, subject, participant FROM identity
    INNER JOIN participant AS person ON person.n = identity.participant
    WHERE issuer = ${param('issuer')} AND subject = ${param('subject')} AND person.removed_at IS NULL`,
)

/** The identity of an issuer's subject, if its participant is still active. */
export function findIdentity(tx: Transaction, identity: Identity): Promise<IdentityRecord | undefined> {
  return tx.get(FIND, identity)
}

const OF_PARTICIPANT = statement<IdentityRecord>(
  () =>
    sql`SELECT n, issuer, subject, participant FROM identity WHERE participant = ${integer('participant')} ORDER BY n`,
)

/** The identities of a participant, oldest first. */
export function identitiesOfParticipant(tx: Transaction, participant: number): Promise<IdentityRecord[]> {
  return tx.all(OF_PARTICIPANT, { participant })
}

const INSERT = statement(
  () => sql`INSERT INTO identity (issuer, subject, participant, created_at)
    VALUES (${param('issuer')}, ${param('subject')}, ${param('participant')}, ${param('now')})`,
)

export async function insertIdentity(tx: Transaction, row: Omit<IdentityRecord, 'n'>, now: number): Promise<void> {
  await tx.run(INSERT, { ...row, now })
}

const REVOKE_LINKS = statement(
  () => sql`UPDATE link SET revoked_at = ${param('now')}
    WHERE revoked_at IS NULL AND n IN (SELECT link FROM sign_in WHERE identity = ${integer('n')})`,
)
const DELETE = statement(() => sql`DELETE FROM identity WHERE n = ${integer('n')}`)

/** Deletes an identity and revokes the access links of its sign-ins. */
export async function deleteIdentity(tx: Transaction, n: number, now: number): Promise<void> {
  await tx.run(REVOKE_LINKS, { n, now })
  await tx.run(DELETE, { n })
}

const LINK_OF_SIGN_IN = statement<{ id: string }>(
  () => sql`SELECT link.id FROM sign_in INNER JOIN link ON link.n = sign_in.link
    WHERE sign_in.identity = ${integer('identity')} AND sign_in.client = ${param('client')}`,
)

/** The ID of the access link for the sign-in of an identity with a client program. */
export async function accessLinkOfSignIn(
  tx: Transaction,
  identity: number,
  client: string,
): Promise<string | undefined> {
  return (await tx.get(LINK_OF_SIGN_IN, { identity, client }))?.id
}

const INSERT_SIGN_IN = statement(
  () => sql`INSERT INTO sign_in (identity, client, link)
    SELECT ${integer('identity')}, CAST(${sql.placeholder('client')} AS text), n FROM link WHERE id = ${param('linkId')}`,
)

export async function insertSignIn(tx: Transaction, identity: number, client: string, linkId: string): Promise<void> {
  await tx.run(INSERT_SIGN_IN, { identity, client, linkId })
}
