/** A property may be a rating, as in schema 30 of SQLite. */
import { oneOf } from './column-types.ts'

const TYPES = [
  ...['text', 'number', 'boolean', 'date', 'url', 'email', 'phone', 'blockLink', 'singleSelect', 'multiSelect'],
  ...['relation', 'rating'],
]

export const sql = `
ALTER TABLE property DROP CONSTRAINT property_type_check;
ALTER TABLE property ADD CONSTRAINT property_type_check ${oneOf('type', TYPES)};
`
