/** Collections: their properties, the options of selects, the values of items, and views. */
export const sql = `
CREATE TABLE collection (
  n INTEGER PRIMARY KEY REFERENCES block (n) ON DELETE CASCADE,
  title_key TEXT NOT NULL CHECK (title_key <> ''),
  title_name TEXT NOT NULL CHECK (title_name <> ''),
  active_view INTEGER REFERENCES view (n) ON DELETE SET NULL
) STRICT;
CREATE INDEX collection_active_view ON collection (active_view) WHERE active_view IS NOT NULL;

CREATE TABLE property (
  -- AUTOINCREMENT: no number comes again, so that what a view says of one that is gone is never said of another.
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  collection INTEGER NOT NULL REFERENCES collection (n) ON DELETE CASCADE,
  key TEXT NOT NULL CHECK (key <> ''),
  name TEXT NOT NULL CHECK (name <> ''),
  type TEXT NOT NULL CHECK (type IN ('text', 'number', 'boolean', 'date', 'url', 'email', 'phone', 'blockLink',
    'singleSelect', 'multiSelect', 'relation')),
  position INTEGER NOT NULL,
  config TEXT CHECK (config IS NULL OR json_valid(config)),
  target INTEGER REFERENCES collection (n) ON DELETE CASCADE,
  other_side INTEGER REFERENCES property (n) ON DELETE CASCADE CHECK (other_side <> n),
  is_back_reference INTEGER NOT NULL CHECK (is_back_reference IN (0, 1)),
  UNIQUE (collection, key),
  CHECK ((type = 'relation') = (target IS NOT NULL)),
  CHECK (type = 'relation' OR (other_side IS NULL AND is_back_reference = 0))
) STRICT;
CREATE INDEX property_target ON property (target) WHERE target IS NOT NULL;
CREATE INDEX property_other_side ON property (other_side) WHERE other_side IS NOT NULL;

CREATE TABLE option (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  property INTEGER NOT NULL REFERENCES property (n) ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (name <> ''),
  color TEXT NOT NULL CHECK (color IN ('yellow', 'lime', 'mint-green', 'aqua-blue', 'sky-blue', 'lavender', 'pink',
    'red', 'gray')),
  position INTEGER NOT NULL
) STRICT;
CREATE INDEX option_property ON option (property, position);

CREATE TABLE value (
  item INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  property INTEGER NOT NULL REFERENCES property (n) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
  text TEXT,
  number REAL,
  option INTEGER REFERENCES option (n) ON DELETE CASCADE,
  target INTEGER REFERENCES block (n) ON DELETE CASCADE,
  -- What filters and sorts look up: of a text its beginning, whatever the case of its letters.
  sortable ANY AS (coalesce(number, lower(substr(text, 1, 100)))) VIRTUAL,
  PRIMARY KEY (item, property, ordinal),
  CHECK ((text IS NOT NULL) + (number IS NOT NULL) + (option IS NOT NULL) + (target IS NOT NULL) = 1)
) STRICT, WITHOUT ROWID;
-- Also what the foreign key looks up when a property goes.
CREATE INDEX value_sortable ON value (property, sortable);
CREATE INDEX value_option ON value (option) WHERE option IS NOT NULL;
CREATE INDEX value_target ON value (target, property) WHERE target IS NOT NULL;

CREATE TABLE view (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  collection INTEGER NOT NULL REFERENCES collection (n) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL CHECK (name <> ''),
  type TEXT NOT NULL CHECK (type IN ('table', 'gallery', 'kanban')),
  settings TEXT NOT NULL CHECK (json_valid(settings))
) STRICT;
CREATE INDEX view_collection ON view (collection, position);
`
