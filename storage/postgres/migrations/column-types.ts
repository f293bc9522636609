/** Types of columns that many tables have. */
import { TEXT } from './define-table.ts'

export const INTEGER = 'bigint NOT NULL'
export const OPTIONAL = 'bigint'
export const WORD = `${TEXT} NOT NULL`
export const NAME = `${TEXT} NOT NULL CHECK (name <> '')`
export const FLAG = 'bigint NOT NULL DEFAULT 0'
export const ID = 'bigint NOT NULL CHECK (id BETWEEN 100000000000 AND 999999999999)'
export const HASH = (column: string) => `${TEXT} NOT NULL CHECK (length(${column}) = 64)`
export const oneOf = (column: string, values: readonly string[]): string =>
  `CHECK (${column} IN (${values.map((value) => `'${value}'`).join(', ')}))`
