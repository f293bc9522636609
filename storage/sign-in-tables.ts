/** The tables of a space's sign-in issuer, as rows that can be moved from one engine to another. */
import type { DumpedRow } from './dump.ts'

/** The columns of each table, with their types. */
export const SIGN_IN_TABLES = {
  issued: {
    ...({ model: 'text', id: 'text', payload: 'text', grant_id: 'text', uid: 'text' } as const),
    ...({ expires_at: 'integer', consumed_at: 'integer', successor: 'text', pending_from: 'text' } as const),
  },
  secret: { name: 'text', value: 'text' },
  counted: { key: 'text', count: 'integer', ends_at: 'integer' },
  known_address: { account: 'text', address: 'text', seen_at: 'integer' },
} as const satisfies Record<string, Record<string, 'text' | 'integer'>>

export type SignInTable = keyof typeof SIGN_IN_TABLES
export const SIGN_IN_TABLE_NAMES = Object.keys(SIGN_IN_TABLES) as SignInTable[]

/** Some rows of a table. */
export interface SignInRows {
  table: SignInTable
  rows: readonly DumpedRow[]
}
