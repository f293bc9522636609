/** Instructions for agents, sent when they connect: how a space is structured, and the calls that most jobs need. */
import type { ConnectionKind } from '../src/space/model/space.ts'

const INTRODUCTION = `Scriptorium is a workspace of documents shared with people. A document is a page of blocks: paragraphs, headings, list items, tasks, code, tables, images, lines, and pages in the page. A document's ID is the ID of its root block. Nested list items are neighbours with indentationLevel 0 to 5; only a page holds other blocks, and a text that receives some becomes one.

Markdown is the short way in and out: blocks_get, lists, searches give it (format markdown), blocks_add takes it. Each block stands as in Markdown: "# " to "#### ", "- ", "1. ", "+ " (toggle), "- [ ] " / "- [x] " / "- [-] " (task todo, done, canceled), "> ". Separate paragraphs by an empty line, list items by a new line. Further: <page><pageTitle>…</pageTitle><content>…</content></page>, <callout>, <caption>, <highlight color="yellow">, ==yellow==, $formula$, [text](block://ID), [text](date://YYYY-MM-DD).`

const COLLECTIONS =
  'A collection is a table: its items are pages with typed properties. collections_list finds it, schema_get tells its keys, items_list reads, filters, sorts, counts and sums.'

const TASKS =
  'Tasks are blocks: tasks_list finds them by scope, tasks_add puts them into the inbox, a day or a document.'

const POSITIONS = `A position takes one of three forms: { position: "start" | "end", pageId }, { position: "before" | "after", siblingId }`

const DATES =
  'Dates are YYYY-MM-DD, today, tomorrow or yesterday, in the time zone of the space (connection_get says which).'

const EDITING = `Long answers come in parts: call again with their cursor. To change words, blocks_update with the block's id and its new markdown; to rework a page, blocks_update with pageId, its edited markdown and the revision that blocks_get gave. Writes answer IDs, or all with answer: "full".`

export const INSTRUCTIONS: Record<ConnectionKind, string> = {
  full: `${INTRODUCTION}

Usual start: documents_search, documents_list or folders_list, then blocks_get by id. New text: documents_add with markdown, or blocks_add into a document or a day. ${POSITIONS}, or { position, date } for a daily note, which is made when needed. ${DATES}

${COLLECTIONS}

${TASKS}

${EDITING} Deleted documents go to the trash; documents_move brings them back.`,
  selected: `${INTRODUCTION}

This connection reaches the documents that were selected for it, and no others. Usual start: documents_search or documents_list, then blocks_get by id. ${POSITIONS}.

${COLLECTIONS}

${EDITING} A link out of reach reads [text](invalid:out_of_scope); write it back as it is.`,
  daily: `${INTRODUCTION}

This connection reaches daily notes, the task inbox and the logbook. blocks_get reads today's note, with date another day's, daily_notes_search finds; blocks_add writes, and makes the note when there is none. ${POSITIONS}, or { position, date } (today when left out). ${DATES}

${COLLECTIONS}

${TASKS.replace(', a day or a document', ' or a day')}

${EDITING} A link out of reach reads [text](invalid:out_of_scope); write it back as it is.`,
}
