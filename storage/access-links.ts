/** Access links: the addresses of a space, and the documents that selected links expose. */

import { sql } from 'drizzle-orm'
import { lastCall } from './history.ts'
import { type AccessLinkRow, link, linkDocument } from './schema.ts'
import { columnsOf, insertInto, integer, jsonList, listOf, param, selectFrom, statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** A link, with the access of the participants who own it and who made it: it allows no more than they may do. */
export type HeldLinkRow = AccessLinkRow & {
  ownerAccess: AccessLinkRow['access']
  makerAccess: AccessLinkRow['access'] | null
}

const HELD = sql`SELECT ${columnsOf(link)}, owner.access AS "ownerAccess", maker.access AS "makerAccess" FROM link
  INNER JOIN participant AS owner ON owner.n = link.participant
  LEFT JOIN participant AS maker ON maker.n = link.made_by`
const BY_ID = statement<HeldLinkRow>(() => sql`${HELD} WHERE link.id = ${param('id')}`)
const BY_HASH = statement<HeldLinkRow>(() => sql`${HELD} WHERE link.secret_hash = ${param('hash')}`)
const BY_CONSENT = statement<AccessLinkRow>(() => sql`${selectFrom(link)} WHERE consent = ${param('consent')}`)

export function accessLinkById(tx: Transaction, id: string): Promise<HeldLinkRow | undefined> {
  return tx.get(BY_ID, { id })
}

const BY_NUMBER = statement<AccessLinkRow>(() => sql`${selectFrom(link)} WHERE n = ${integer('n')}`)

export function accessLinkByNumber(tx: Transaction, n: number): Promise<AccessLinkRow | undefined> {
  return tx.get(BY_NUMBER, { n })
}

const BY_IDS = statement<AccessLinkRow>(
  (dialect) => sql`${selectFrom(link)} WHERE id IN ${listOf(dialect, 'ids', 'text')} ORDER BY n`,
)

export function accessLinksByIds(tx: Transaction, ids: readonly string[]): Promise<AccessLinkRow[]> {
  return tx.all(BY_IDS, { ids: jsonList(ids) })
}

const BY_NUMBERS = statement<AccessLinkRow>(
  (dialect) => sql`${selectFrom(link)} WHERE n IN ${listOf(dialect, 'ns', 'integer')} ORDER BY n`,
)

export function accessLinksByNumbers(tx: Transaction, ns: readonly number[]): Promise<AccessLinkRow[]> {
  return tx.all(BY_NUMBERS, { ns: jsonList(ns) })
}

/** @param hash  SHA-256 of the secret, in hex */
export function accessLinkByHash(tx: Transaction, hash: string): Promise<HeldLinkRow | undefined> {
  return tx.get(BY_HASH, { hash })
}

/** @param consent  the issuer's ID of the grant */
export function accessLinkByConsent(tx: Transaction, consent: string): Promise<AccessLinkRow | undefined> {
  return tx.get(BY_CONSENT, { consent })
}

const SIGNED_IN_NAME = statement<{ name: string }>(
  () => sql`SELECT person.name FROM link INNER JOIN participant AS person ON person.n = link.participant
    WHERE link.n = ${integer('n')}
      AND (link.consent IS NOT NULL OR EXISTS (SELECT 1 FROM sign_in WHERE sign_in.link = link.n))`,
)

/** Name of the participant who signed in, for a link created by a sign-in. Undefined for all other links. */
export async function signedInName(tx: Transaction, n: number): Promise<string | undefined> {
  return (await tx.get(SIGNED_IN_NAME, { n }))?.name
}

const ALL = statement<HeldLinkRow>(() => sql`${HELD} ORDER BY link.n`)

/** All links, oldest first. */
export function listAccessLinkRows(tx: Transaction): Promise<HeldLinkRow[]> {
  return tx.all(ALL)
}

const INSERTED = ['id', 'name', 'kind', 'access', 'secretHash', 'isBearer', 'participant', 'createdAt', 'expiresAt']
const INSERT = insertInto(
  link,
  [...INSERTED, 'consent', 'noEvents', 'isCalendar', 'madeBy'],
  () => sql`RETURNING ${columnsOf(link)}`,
)

export async function insertAccessLink(
  tx: Transaction,
  row: Omit<AccessLinkRow, 'n' | 'revokedAt' | 'reachChanges' | 'pausedAt'>,
): Promise<AccessLinkRow> {
  return (await tx.get(INSERT, row)) as AccessLinkRow
}

const UPDATE = statement(
  () => sql`UPDATE link SET name = coalesce(${param('name')}, name), kind = coalesce(${param('kind')}, kind),
    access = coalesce(${param('access')}, access) WHERE n = ${integer('n')}`,
)

/** Updates a link after its consent has changed. */
export async function updateAccessLink(
  tx: Transaction,
  n: number,
  changes: Partial<Pick<AccessLinkRow, 'name' | 'kind' | 'access'>>,
): Promise<void> {
  await tx.run(UPDATE, { ...changes, n })
}

const REVOKE_CONSENTS = statement(
  () => sql`UPDATE link SET revoked_at = ${param('now')}
    WHERE participant = ${integer('participant')} AND consent IS NOT NULL AND revoked_at IS NULL`,
)

const REVOKE_MADE_BY = statement(
  () => sql`UPDATE link SET revoked_at = ${param('now')}
    WHERE made_by = ${integer('participant')} AND revoked_at IS NULL`,
)

/** Revokes the links that a participant made. */
export async function revokeLinksMadeBy(tx: Transaction, participant: number, now: number): Promise<void> {
  await tx.run(REVOKE_MADE_BY, { participant, now })
}

/** Revokes the links that a participant consented to. */
export async function revokeConsents(tx: Transaction, participant: number, now: number): Promise<void> {
  await tx.run(REVOKE_CONSENTS, { participant, now })
}

const SET_NO_EVENTS = statement(() => sql`UPDATE link SET no_events = ${integer('noEvents')} WHERE n = ${integer('n')}`)

/** @param noEvents  1 to forbid subscriptions, 0 to allow them */
export async function setLinkNoEvents(tx: Transaction, n: number, noEvents: 0 | 1): Promise<void> {
  await tx.run(SET_NO_EVENTS, { n, noEvents })
}

const SET_PAUSED = statement(() => sql`UPDATE link SET paused_at = ${param('pausedAt')} WHERE n = ${integer('n')}`)

/** @param pausedAt  milliseconds since 1970; null to resume it */
export async function setLinkPaused(tx: Transaction, n: number, pausedAt: number | null): Promise<void> {
  await tx.run(SET_PAUSED, { n, pausedAt })
}

const REVOKE = statement(
  () => sql`UPDATE link SET revoked_at = ${param('now')} WHERE revoked_at IS NULL
    AND (n = ${integer('n')} OR n IN (SELECT link FROM group_link WHERE given_with = ${integer('n')}))`,
)

/** Revokes a link, and if it is given to a group, those of its people. */
export async function setAccessLinkRevoked(tx: Transaction, n: number, now: number): Promise<void> {
  await tx.run(REVOKE, { n, now })
}

/** A document that a link exposes, and the number of the first call after it was exposed. */
export interface ExposedDocument {
  document: number
  since: number
}

const EXPOSED = statement<ExposedDocument>(
  () => sql`SELECT document, since FROM link_document WHERE link = ${integer('n')} ORDER BY document`,
)

/** The documents that a link exposes, by number. */
export function exposedDocuments(tx: Transaction, n: number): Promise<ExposedDocument[]> {
  return tx.all(EXPOSED, { n })
}

const UNEXPOSE = statement(
  (dialect) => sql`DELETE FROM link_document WHERE link = ${integer('n')}
    AND document NOT IN ${listOf(dialect, 'documents', 'integer')}`,
)
const EXPOSE = insertInto(linkDocument)

/**
 * Replaces the documents that a link exposes. Documents that were already exposed keep their rows: the link continues
 * to see their history, and if the list is the same, its reach counts as unchanged.
 */
export async function setExposedDocuments(tx: Transaction, n: number, documents: readonly number[]): Promise<void> {
  const before = new Set((await exposedDocuments(tx, n)).map(({ document }) => document))
  const since = (await lastCall(tx)) + 1
  await tx.run(UNEXPOSE, { n, documents: jsonList(documents) })
  const added = [...new Set(documents)].filter((document) => !before.has(document))
  await tx.batch(
    EXPOSE,
    added.map((document) => ({ link: n, document, since })),
  )
}
