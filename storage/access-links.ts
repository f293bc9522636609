/** Access links: the addresses of a space, and the documents that selected links expose. */

import { asc, eq, sql } from 'drizzle-orm'
import { type AccessLinkRow, link } from './schema.ts'
import { query, type Transaction } from './sqlite/connection.ts'

const param = sql.placeholder

const linkByIdQuery = query((orm) =>
  orm
    .select()
    .from(link)
    .where(eq(link.id, param('id')))
    .prepare(),
)
const linkByHashQuery = query((orm) =>
  orm
    .select()
    .from(link)
    .where(eq(link.secretHash, param('hash')))
    .prepare(),
)

const linkByConsentQuery = query((orm) =>
  orm
    .select()
    .from(link)
    .where(eq(link.consent, param('consent')))
    .prepare(),
)

export async function accessLinkById(tx: Transaction, id: string): Promise<AccessLinkRow | undefined> {
  return linkByIdQuery(tx).get({ id })
}

/** @param hash  SHA-256 of the secret, in hex */
export async function accessLinkByHash(tx: Transaction, hash: string): Promise<AccessLinkRow | undefined> {
  return linkByHashQuery(tx).get({ hash })
}

/** @param consent  the issuer's ID of the grant */
export async function accessLinkByConsent(tx: Transaction, consent: string): Promise<AccessLinkRow | undefined> {
  return linkByConsentQuery(tx).get({ consent })
}

/** Name of the participant who signed in, for a link created by a sign-in. Undefined for all other links. */
export async function signedInName(tx: Transaction, n: number): Promise<string | undefined> {
  return tx
    .sql<string>(
      `SELECT p.name FROM link l JOIN participant p ON p.n = l.participant
       WHERE l.n = ? AND (l.consent IS NOT NULL OR EXISTS (SELECT 1 FROM sign_in WHERE link = l.n))`,
    )
    .pluck()
    .get(n) as string | undefined
}

/** All links, oldest first. */
export async function listAccessLinkRows(tx: Transaction): Promise<AccessLinkRow[]> {
  return tx.orm.select().from(link).orderBy(asc(link.n)).all()
}

export async function insertAccessLink(
  tx: Transaction,
  row: Omit<AccessLinkRow, 'n' | 'revokedAt'>,
): Promise<AccessLinkRow> {
  return tx.orm.insert(link).values(row).returning().get()
}

/** Updates a link after its consent has changed. */
export async function updateAccessLink(
  tx: Transaction,
  n: number,
  changes: Partial<Pick<AccessLinkRow, 'name' | 'kind' | 'access'>>,
): Promise<void> {
  tx.orm.update(link).set(changes).where(eq(link.n, n)).run()
}

/** Revokes the links that a participant consented to. */
export async function revokeConsents(tx: Transaction, participant: number, now: number): Promise<void> {
  tx.sql('UPDATE link SET revoked_at = ? WHERE participant = ? AND consent IS NOT NULL AND revoked_at IS NULL').run(
    now,
    participant,
  )
}

export async function setAccessLinkRevoked(tx: Transaction, n: number, now: number): Promise<void> {
  tx.orm.update(link).set({ revokedAt: now }).where(eq(link.n, n)).run()
}

/** The numbers of the documents that a link exposes. */
export async function exposedDocuments(tx: Transaction, n: number): Promise<number[]> {
  const find = tx.sql<{ document: number }>('SELECT document FROM link_document WHERE link = ? ORDER BY document')
  return find.all(n).map(({ document }) => document)
}

/** Replaces the documents that a link exposes. */
export async function setExposedDocuments(tx: Transaction, n: number, documents: readonly number[]): Promise<void> {
  tx.sql('DELETE FROM link_document WHERE link = ?').run(n)
  const insert = tx.sql('INSERT INTO link_document (link, document) VALUES (?, ?)')
  for (const document of new Set(documents)) insert.run(n, document)
}
