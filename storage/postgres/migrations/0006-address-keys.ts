/** What long IDs and addresses of files are made with, as in schema 28 of SQLite. */
import { HASH, WORD } from './column-types.ts'
import { defineTables } from './define-table.ts'

const tables = defineTables([
  {
    name: 'address_key',
    columns: {
      id_prefix: `${WORD} CHECK (length(id_prefix) = 23)`,
      file_key: HASH('file_key'),
      is_current: 'bigint NOT NULL CHECK (is_current IN (0, 1))',
    },
    key: ['id_prefix'],
    uniqueIndexes: { address_key_current: 'is_current) WHERE is_current = 1' },
  },
])

/** The secret as the key of an HMAC: 64 bytes, each combined with the same byte. */
const padded = (byte: number): string => `(
  SELECT decode(string_agg(lpad(to_hex((CASE WHEN i < 32 THEN get_byte(decode(secret, 'hex'), i) ELSE 0 END) # ${byte}), 2, '0'), '' ORDER BY i), 'hex')
  FROM generate_series(0, 63) AS i)`

/** HMAC-SHA256, which PostgreSQL only has in an extension, in hex. */
const hmac = (text: string): string =>
  `encode(sha256(${padded(0x5c)} || sha256(${padded(0x36)} || convert_to('${text}', 'UTF8'))), 'hex')`

/** The variant of a UUID is one of 8, 9, a and b. */
const variant = `substr('89ab', get_byte(decode('0' || substr(mac, 16, 1), 'hex'), 0) % 4 + 1, 1)`
const prefix = `substr(mac, 1, 8) || '-' || substr(mac, 9, 4) || '-8' || substr(mac, 13, 3) || '-' || ${variant} || substr(mac, 17, 3)`

/**
 * Stores what was derived so far, for all spaces. Only without FORCE, the owner of the tables may read and write the
 * rows of more than one space.
 */
export const sql = `${tables}
ALTER TABLE space NO FORCE ROW LEVEL SECURITY;
ALTER TABLE address_key NO FORCE ROW LEVEL SECURITY;
INSERT INTO address_key (space, id_prefix, file_key, is_current)
  SELECT space, ${prefix}, secret, 1 FROM (SELECT space, secret, ${hmac('prefix of IDs')} AS mac FROM space) AS derived;
ALTER TABLE address_key FORCE ROW LEVEL SECURITY;
ALTER TABLE space FORCE ROW LEVEL SECURITY;
`
