/** A space of folders, documents and blocks. */
import { oneOf } from './check-constraint.ts'

const TYPES = 'text page collectionItem image video file drawing whiteboard table collection code richUrl line'.split(
  ' ',
)

export const sql = `
CREATE TABLE space (
  n INTEGER PRIMARY KEY CHECK (n = 1),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  timezone TEXT NOT NULL,
  secret TEXT NOT NULL CHECK (length(secret) = 64),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE folder (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  parent INTEGER REFERENCES folder (n) CHECK (parent <> n),
  name TEXT NOT NULL CHECK (name <> ''),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX folder_parent ON folder (parent);

CREATE TABLE block (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  document INTEGER NOT NULL REFERENCES block (n),
  parent INTEGER REFERENCES block (n) CHECK (parent <> n),
  position INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (${oneOf('type', ...TYPES)}),
  text TEXT NOT NULL,
  indentation INTEGER NOT NULL CHECK (indentation BETWEEN 0 AND 5),
  list_style TEXT CHECK (${oneOf('list_style', 'bullet', 'task', 'numbered', 'toggle')}),
  attributes TEXT CHECK (attributes IS NULL OR json_valid(attributes)),
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  modified_at INTEGER,
  modified_by TEXT,
  CHECK ((parent IS NULL) = (document = n)),
  CHECK ((modified_at IS NULL) = (modified_by IS NULL))
) STRICT;
-- Reads a document in the order of its tree without sorting, and finds the children of a block in order.
CREATE INDEX block_place ON block (document, parent, position);
-- What the foreign key looks up when a block goes.
CREATE INDEX block_parent ON block (parent);

CREATE TABLE document (
  n INTEGER PRIMARY KEY REFERENCES block (n),
  location TEXT NOT NULL CHECK (location IN ('folder', 'unsorted', 'templates', 'trash', 'daily_notes')),
  folder INTEGER REFERENCES folder (n),
  daily_note_date TEXT CHECK (daily_note_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  CHECK ((location = 'folder') = (folder IS NOT NULL)),
  CHECK (location <> 'daily_notes' OR daily_note_date IS NOT NULL)
) STRICT;
CREATE INDEX document_location ON document (location);
CREATE INDEX document_folder ON document (folder) WHERE folder IS NOT NULL;
CREATE INDEX document_daily_note ON document (daily_note_date) WHERE daily_note_date IS NOT NULL;
`
