/** Tables of members: who can be given work, named and asked. */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const MEMBER_KINDS = ['person', 'agent', 'group'] as const

/**
 * A participant, a link of a program, or a group. Exactly one of `participant`, `link` and `name` is set: the name of a
 * member that is no group is that of its participant or link, which also say when it was removed. Rows are never deleted,
 * since texts and values of the past name them.
 */
export const member = sqliteTable('member', {
  n: integer().primaryKey(),
  id: integer().notNull(),
  kind: text({ enum: MEMBER_KINDS }).notNull(),
  participant: integer(),
  link: integer(),
  /** Of a group. */
  name: text(),
  /** Without the `@`, in lower case. No two members have the same: it is taken from removed ones when another gets it. */
  handle: text(),
  /** An emoji or a few letters. */
  picture: text(),
  /** Of a group. */
  removedAt: integer('removed_at'),
  /** The date of its last daily line, and '' before the first one; absent if it wants none. */
  dailyLine: text('daily_line'),
})

/** Who is in which group. A group is not in another. */
export const groupMember = sqliteTable(
  'group_member',
  { memberGroup: integer('member_group').notNull(), member: integer().notNull() },
  (table) => [primaryKey({ columns: [table.memberGroup, table.member] })],
)

/**
 * A link that is given to a group, which no one opens, and one link of each person in it, which ends when they leave. The
 * latter have the kind, the access, the documents and the end of the former, and the name of the person.
 */
export const groupLink = sqliteTable('group_link', {
  link: integer().primaryKey(),
  memberGroup: integer('member_group').notNull(),
  /** The link that was given to the group, of which this is one person's; null for that link itself. */
  givenWith: integer('given_with'),
})

export type GroupLinkRow = typeof groupLink.$inferSelect
/** When a member last read what waits for it. Marks of what no longer waits are deleted when others are set. */
export const readMark = sqliteTable(
  'read_mark',
  {
    member: integer().notNull(),
    /** The ID of a task, a block, a comment or a proposal. */
    subject: integer().notNull(),
    readAt: integer('read_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.member, table.subject] })],
)

export type MemberKind = (typeof MEMBER_KINDS)[number]
