/** A property may be people, agents and groups, as in schema 37 of SQLite. */
import { oneOf } from './column-types.ts'

const TYPES = [
  ...['text', 'number', 'boolean', 'date', 'url', 'email', 'phone', 'blockLink', 'singleSelect', 'multiSelect'],
  ...['relation', 'rating', 'person'],
]

export const sql = `
ALTER TABLE property DROP CONSTRAINT property_type_check;
ALTER TABLE property ADD CONSTRAINT property_type_check ${oneOf('type', TYPES)};
`
