/**
 * What long IDs and addresses of files are made with. So far, both were derived from the secret, which a restore
 * replaces, so that all of them ended with it.
 */
import { createHmac } from 'node:crypto'
import type { Database } from 'better-sqlite3'

export const sql = `
CREATE TABLE address_key (
  -- The first 23 characters of long IDs.
  id_prefix TEXT NOT NULL PRIMARY KEY CHECK (length(id_prefix) = 23),
  -- Signs addresses of files. 32 bytes in hex.
  file_key TEXT NOT NULL CHECK (length(file_key) = 64),
  -- 1 for the row that new addresses are made with; those of the other rows are still accepted.
  is_current INTEGER NOT NULL CHECK (is_current IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX address_key_current ON address_key (is_current) WHERE is_current = 1;
`

export interface AddressKey {
  idPrefix: string
  fileKey: string
  isCurrent: number
}

/** What a space without the table makes addresses with. */
export function derivedAddressKey(secret: string): AddressKey {
  const hex = createHmac('sha256', Buffer.from(secret, 'hex')).update('prefix of IDs').digest('hex')
  const variant = '89ab'[Number.parseInt(hex[15] ?? '0', 16) % 4]
  const idPrefix = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(12, 15)}-${variant}${hex.slice(16, 19)}`
  return { idPrefix, fileKey: secret, isCurrent: 1 }
}

/** Stores what was derived so far, so that every address goes on leading where it led. */
export function storeAddressKey(sqlite: Database): void {
  const secret = sqlite.prepare<[], string>('SELECT secret FROM space').pluck().get()
  // A file that has tables and no space yet gets its key together with the space.
  if (secret === undefined) return
  sqlite
    .prepare<AddressKey>('INSERT INTO address_key VALUES ($idPrefix, $fileKey, $isCurrent)')
    .run(derivedAddressKey(secret))
}
