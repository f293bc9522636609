/** A property may be people, agents and groups. */
import { rebuildTable } from './rebuild.ts'

export const sql = rebuildTable({
  table: 'property',
  autoincrement: true,
  columns: [
    ...['n', 'collection', 'key', 'name', 'type', 'position', 'config', 'target', 'other_side'],
    'is_back_reference',
  ],
  definition: `
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  collection INTEGER NOT NULL REFERENCES collection (n) ON DELETE CASCADE,
  key TEXT NOT NULL CHECK (key <> ''),
  name TEXT NOT NULL CHECK (name <> ''),
  type TEXT NOT NULL CHECK (type IN ('text', 'number', 'boolean', 'date', 'url', 'email', 'phone', 'blockLink',
    'singleSelect', 'multiSelect', 'relation', 'rating', 'person')),
  position INTEGER NOT NULL,
  config TEXT CHECK (config IS NULL OR json_valid(config)),
  target INTEGER REFERENCES collection (n) ON DELETE CASCADE,
  other_side INTEGER REFERENCES property (n) ON DELETE CASCADE CHECK (other_side <> n),
  is_back_reference INTEGER NOT NULL CHECK (is_back_reference IN (0, 1)),
  UNIQUE (collection, key),
  CHECK ((type = 'relation') = (target IS NOT NULL)),
  CHECK (type = 'relation' OR (other_side IS NULL AND is_back_reference = 0))
`,
  indexes: `CREATE INDEX property_target ON property (target) WHERE target IS NOT NULL;
CREATE INDEX property_other_side ON property (other_side) WHERE other_side IS NOT NULL;
`,
})
