/** Tasks by when they are due, the kept documents of those that stand in no other, reminders, comments, participants. */
import { oneOf } from './check-constraint.ts'

const LOCATIONS = ['unsorted', 'folder', 'daily_notes', 'templates', 'trash', 'inbox', 'logbook']

export const sql = `
CREATE TABLE document_new (
  n INTEGER PRIMARY KEY REFERENCES block (n),
  location TEXT NOT NULL CHECK (${oneOf('location', ...LOCATIONS)}),
  folder INTEGER REFERENCES folder (n),
  daily_note_date TEXT CHECK (daily_note_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  CHECK ((location = 'folder') = (folder IS NOT NULL)),
  CHECK (location <> 'daily_notes' OR daily_note_date IS NOT NULL)
) STRICT;
INSERT INTO document_new SELECT * FROM document;
DROP TABLE document;
ALTER TABLE document_new RENAME TO document;
CREATE INDEX document_location ON document (location);
CREATE INDEX document_folder ON document (folder) WHERE folder IS NOT NULL;
CREATE INDEX document_daily_note ON document (daily_note_date) WHERE daily_note_date IS NOT NULL;
-- A space has one inbox and one logbook.
CREATE UNIQUE INDEX document_kept ON document (location) WHERE location IN ('inbox', 'logbook');

-- Of a task: whether it is still to be done, and when it is due ('~', after all days, without a date) or was closed.
ALTER TABLE block ADD COLUMN task_open INTEGER AS (
  CASE WHEN list_style = 'task' THEN coalesce(attributes ->> '$.taskInfo.state', 'todo') = 'todo' END
) VIRTUAL;
ALTER TABLE block ADD COLUMN task_moment TEXT AS (
  CASE WHEN list_style <> 'task' OR list_style IS NULL THEN NULL
    WHEN coalesce(attributes ->> '$.taskInfo.state', 'todo') = 'todo'
    THEN coalesce(attributes ->> '$.taskInfo.scheduleDate', attributes ->> '$.taskInfo.deadlineDate', '~')
    ELSE coalesce(attributes ->> '$.taskInfo.completedAt', attributes ->> '$.taskInfo.canceledAt', '')
  END
) VIRTUAL;
-- The first finds the tasks of the whole space in the order of a scope, the second those of some documents. Both hold
-- all that a scope asks, so that no block is read which it does not answer with.
CREATE INDEX block_task ON block (task_open, task_moment, n, document) WHERE task_open IS NOT NULL;
CREATE INDEX block_document_task ON block (document, task_open, task_moment, n) WHERE task_open IS NOT NULL;

CREATE TABLE participant (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL CHECK (name <> ''),
  created_at INTEGER NOT NULL,
  -- When the participant left; absent while active.
  removed_at INTEGER
) STRICT;
CREATE UNIQUE INDEX participant_name ON participant (name) WHERE removed_at IS NULL;
-- Whoever made the space takes part in it.
INSERT INTO participant (id, name, created_at) SELECT id, 'Owner', created_at FROM space;

CREATE TABLE reminder (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  block INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  participant INTEGER NOT NULL REFERENCES participant (n),
  -- Absent when saved for later.
  remind_at INTEGER,
  completed_at INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (block, participant)
) STRICT;
CREATE INDEX reminder_order ON reminder (participant, created_at, id);
CREATE INDEX reminder_due ON reminder (participant, remind_at) WHERE completed_at IS NULL AND remind_at IS NOT NULL;

CREATE TABLE comment (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  block INTEGER NOT NULL REFERENCES block (n) ON DELETE CASCADE,
  author TEXT NOT NULL,
  content TEXT NOT NULL CHECK (content <> ''),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX comment_block ON comment (block, n);
`
