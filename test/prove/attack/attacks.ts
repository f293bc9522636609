/** All attacks, grouped by who can try them. */
import type { Attack } from './attack.ts'
import * as connections from './before-sign-in/connections.ts'
import * as keptNames from './before-sign-in/kept-names.ts'
import * as passwords from './before-sign-in/passwords.ts'
import * as registration from './before-sign-in/registration.ts'
import * as requests from './before-sign-in/requests.ts'
import * as tokens from './before-sign-in/tokens.ts'
import * as faults from './machine/faults.ts'
import * as http from './machine/http.ts'
import * as importedSpaces from './machine/imported-spaces.ts'
import * as localFiles from './machine/local-files.ts'
import * as mistakes from './machine/mistakes.ts'
import * as otherUsers from './machine/other-users.ts'
import * as sharedBrowser from './machine/shared-browser.ts'
import * as approvals from './narrow-link/approvals.ts'
import * as authors from './narrow-link/authors.ts'
import * as bytes from './narrow-link/bytes.ts'
import * as differences from './narrow-link/differences.ts'
import * as hidden from './narrow-link/hidden.ts'
import * as imported from './narrow-link/imported.ts'
import * as noDelete from './narrow-link/no-delete.ts'
import * as pictures from './narrow-link/pictures.ts'
import * as relations from './narrow-link/relations.ts'
import * as rendered from './narrow-link/rendered.ts'
import * as repeated from './narrow-link/repeated.ts'
import * as sessions from './narrow-link/sessions.ts'
import * as undo from './narrow-link/undo.ts'

/** Only root can give a file to another user, which this attack needs. */
const ofRoot = process.geteuid?.() === 0 ? [localFiles.hardLinks] : []

const [guess, ...otherGuesses] = passwords.guesses

/** Attacks on what is stored. They are tried on each engine. */
export const ON_STORED: readonly Attack[] = [
  ...bytes.filled,
  ...[relations.dropped, relations.counted],
  ...noDelete.destroyed,
  ...[...undo.deleted, undo.changed, undo.counted],
  ...[approvals.unwritten, approvals.changed],
  ...[repeated.repeated, ...repeated.files],
  ...[...hidden.received, ...hidden.seen],
  pictures.writes,
]

/** Attacks on spaces in a database, whose connections are few. */
export const ON_DATABASE: readonly Attack[] = [...ON_STORED, pictures.reads]

/**
 * The slowest attacks come first, so that none of them is left for the end. The other password guesses come later,
 * after the first of them has tried all passwords.
 */
export const ATTACKS: readonly Attack[] = [
  ...(guess === undefined ? [] : [guess]),
  ...[requests.bodies, requests.form, requests.normalized],
  ...[connections.silent],
  ...tokens.tokens,
  tokens.webhooks,
  ...[registration.isBuilt, registration.redirects, registration.policy],
  ...[keptNames.longNames, keptNames.endedRows],
  ...[imported.slow, imported.large, rendered.formulas, rendered.outlines, pictures.formulas],
  ...[sessions.subscriptions, sessions.names, sessions.uncounted, sessions.uncountedOverStdio, sessions.unhandled],
  ...[differences.history, differences.views, differences.locked, differences.summaries],
  ...[approvals.structure, approvals.unseen, approvals.unshown, approvals.cutOff, approvals.unread],
  ...[authors.claimed, authors.printed],
  ...ON_STORED,
  ...[otherUsers.compiled, otherUsers.readable, otherUsers.stillReadable],
  ...[localFiles.swapped, localFiles.spaces, localFiles.root, ...ofRoot],
  ...[passwords.queue, ...otherGuesses],
  ...[faults.exported, faults.imported, faults.unhandled],
  ...[mistakes.library, mistakes.empty, mistakes.databases, mistakes.identities, mistakes.addresses],
  ...[http.metrics, http.sniffed, http.running, http.refreshed],
  ...[importedSpaces.exportedSecrets, importedSpaces.importedExport, importedSpaces.importedSpace],
  ...[sharedBrowser.sentAsAnother, sharedBrowser.replacedSession, sharedBrowser.copiedCookie],
]
