/** What callers write is counted, in every table and column that takes texts of theirs. */
import { getTableColumns, getTableName } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { TABLE_NAMES } from '../../storage/history-tables.ts'
import {
  CHANGE_SIZE,
  DOCUMENT_SIZES,
  IMPORTED_SIZE,
  LOG_SIZE,
  PROPOSAL_SIZE,
  RESPONSE_SIZE,
  type RowSize,
  SOURCE_TEXT_SIZE,
} from '../../storage/row-sizes.ts'
import { TABLES } from '../../storage/tables.ts'

const COUNTED: Readonly<Record<string, RowSize>> = {
  ...DOCUMENT_SIZES,
  imported: IMPORTED_SIZE,
  source_text: SOURCE_TEXT_SIZE,
  change: CHANGE_SIZE,
  write_log: LOG_SIZE,
  kept_answer: RESPONSE_SIZE,
  proposal: PROPOSAL_SIZE,
  file: { row: 0, texts: [] },
}

/** Tables that are not counted, and why. */
const NOT_COUNTED: Readonly<Record<string, string>> = {
  space: 'has one row',
  change_counter: 'has one row',
  call_start: 'has one row',
  webhook_lease: 'has one row',
  lease_clock: 'has one row',
  lease: 'a row per held item or task, until its lease ends',
  location_count: 'has a row per location',
  address_key: 'a row per restore of a space that an earlier version restored',
  byte_count: 'counts',
  written_range: 'counts; a row for each call at most and table',
  written_row: 'counts; a row for each row that is counted at most',
  call_document: 'numbers, which its call and its changes count',
  block_link: 'numbers that are found in texts',
  block_tag: 'tags that are found in texts',
  document_lock: 'one row for each document that a person has locked',
  subscribed_calendar: 'people add at most 20 each, of limited size',
  unindexed_block: 'numbers of blocks',
  former_id: 'only spaces from before IDs were numbers have rows',
  retired_id: 'eight bytes of each row that is gone',
  promised_id: 'numbers that its proposal counts',
  proposal_file: 'its proposal counts the bytes',
  event: 'numbers, and words of the program',
  upload: 'expires within minutes; its call is in the log',
  import_source: 'its entries are counted',
  import_job: 'the last ten, with reports of limited length',
  participant: 'only the operator adds rows',
  member: 'a row per participant, link and group, which only the operator adds',
  group_member: 'only the operator adds rows',
  group_link: 'only the operator adds rows',
  read_mark: 'at most one for each thing that waits for a member; others are deleted',
  password: 'only the operator adds rows',
  identity: 'only the operator adds rows',
  sign_in: 'a row per identity and program',
  link: 'only the operator and people who sign in add rows',
  link_document: 'only the operator and people who sign in add rows',
  webhook: 'the operator adds rows, and links at most 1,000',
  ended_session: 'a row per session of a person until it expires',
}

/** Columns of counted tables whose texts are short, so that the size of a row covers them. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  block: ['type', 'list_style', 'created_by', 'modified_by'],
  document: ['location', 'daily_note_date'],
  property: ['type'],
  option: ['color'],
  view: ['type'],
  comment: ['resolved_by'],
  change: ['tbl', 'kind', 'rest'],
  write_log: [
    'link',
    'connection',
    'approved_by',
    'erased',
    'hash',
    'content_hash',
    'content_salt',
    'names_hash',
    'names_salt',
  ],
  kept_answer: ['link'],
  proposal: ['link', 'author', 'client', 'tool', 'state', 'decided_by', 'changes'],
  file: ['hash', 'mime_type', 'name'],
  imported: ['hash', 'content', 'sketch', 'former'],
}

test('every table is counted, or said why not', () => {
  expect([...TABLES.keys()].sort()).toEqual([...Object.keys(COUNTED), ...Object.keys(NOT_COUNTED)].sort())
  expect(Object.keys(DOCUMENT_SIZES).sort()).toEqual([...TABLE_NAMES].sort())
})

test.each(Object.entries(COUNTED))('every text of %s is counted, or short', (name, { texts }) => {
  const table = TABLES.get(name)
  if (table === undefined) throw new Error(`Expected a table ${name}.`)
  const columns = Object.values(getTableColumns(table)).filter((column) => column.getSQLType() === 'text')
  const found = columns.map((column) => column.name)
  expect(getTableName(table)).toBe(name)
  expect(found.sort()).toEqual([...texts, ...(SHORT[name] ?? [])].sort())
})
