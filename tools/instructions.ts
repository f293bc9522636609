/** Instructions for agents, sent when they connect: how a space is structured, and the calls that most jobs need. */
import { canWrite, mustPropose } from '../src/space/model/access.ts'
import type { AccessLevel, ConnectionKind } from '../src/space/model/space.ts'

/** One or more sentences, and the connections that they apply to. */
interface Part {
  text: string
  /** All kinds if absent. */
  kinds?: readonly ConnectionKind[]
  /** The tools that it mentions. A connection that lacks one of them gets a different text. */
  tools?: readonly string[]
  /** True if it only applies to connections that may write. */
  writes?: true
  /** True if it only applies to connections whose writes wait for approval. */
  proposes?: true
}

const STRUCTURE: readonly Part[] = [
  {
    text: 'Scriptorium holds documents shared with people. A document is a page of blocks: paragraphs, headings, list items, tasks, code, tables, images, lines, pages. Its ID is that of its root block. Nested list items are neighbours with indentationLevel 0 to 5; only a page holds blocks.',
  },
]

const MARKDOWN: readonly Part[] = [
  { text: 'Reads return Markdown (lists: "ID title"), or JSON with format json.' },
  {
    text: 'Blocks are as in Markdown: "# " to "#### ", "- ", "1. ", "+ " (toggle), "- [ ] " / "- [x] " / "- [-] " (task todo, done, canceled), "> ". An empty line separates paragraphs, a new line list items. Further: <page><pageTitle>…</pageTitle><content>…</content></page>, <callout>, <caption>, <highlight color="yellow">, ==yellow==, $formula$, [text](block://ID), [text](date://YYYY-MM-DD).',
  },
]

const START: readonly Part[] = [
  {
    kinds: ['full'],
    tools: ['documents_search', 'documents_list'],
    text: 'Find documents with documents_search or documents_list, also by tags: ["a"] (#a in texts).',
  },
  {
    kinds: ['selected'],
    text: 'This connection reaches the documents that were selected for it, and no others.',
  },
  {
    kinds: ['selected'],
    tools: ['documents_search', 'documents_list'],
    text: 'Find them with documents_search or documents_list, also by tags: ["a"] (#a in texts).',
  },
  {
    kinds: ['full', 'selected'],
    tools: ['blocks_get'],
    text: 'blocks_get reads one by its id; ids: true adds the ID of each block.',
  },
  { kinds: ['daily'], text: 'This connection reaches daily notes, the task inbox and the logbook.' },
  { kinds: ['daily'], tools: ['blocks_get'], text: "blocks_get reads today's note, with date another day's." },
  { kinds: ['daily'], tools: ['daily_notes_search'], text: 'daily_notes_search finds, also by tags.' },
  { kinds: ['full'], writes: true, tools: ['documents_add'], text: 'documents_add with markdown makes a document.' },
  {
    kinds: ['full', 'selected'],
    writes: true,
    tools: ['blocks_add'],
    text: 'blocks_add with markdown writes into one.',
  },
  {
    kinds: ['daily'],
    writes: true,
    tools: ['blocks_add'],
    text: 'blocks_add writes, and makes the note when there is none.',
  },
  {
    writes: true,
    text: 'A position is { position: "start" | "end", pageId } or { position: "before" | "after", siblingId }.',
  },
  {
    kinds: ['full'],
    writes: true,
    text: '{ position, date } is in a daily note, made when needed.',
  },
  { kinds: ['daily'], writes: true, text: '{ position, date } is in the note of a day, today by default.' },
  {
    kinds: ['full', 'daily'],
    text: "Dates are YYYY-MM-DD or words (tomorrow, next friday), in the space's time zone.",
  },
]

const COLLECTIONS: readonly Part[] = [
  {
    tools: ['collections_list'],
    text: 'A collection is a table: its items are pages with typed properties. collections_list finds it and its keys.',
  },
  { tools: ['items_list'], text: 'items_list filters, sorts, counts and sums items.' },
]

const TASKS: readonly Part[] = [
  { kinds: ['full', 'daily'], tools: ['tasks_list'], text: 'Tasks are blocks: tasks_list finds them by scope, tags.' },
  {
    kinds: ['full'],
    writes: true,
    tools: ['tasks_add'],
    text: 'tasks_add puts them into the inbox, a day or a document.',
  },
  { kinds: ['daily'], writes: true, tools: ['tasks_add'], text: 'tasks_add puts them into the inbox or a day.' },
]

const EDITING: readonly Part[] = [
  { text: 'Long answers have a cursor.' },
  {
    writes: true,
    tools: ['blocks_update'],
    text: "To change words: blocks_update with pageId and replace: [{ old, new }], or a block's id, markdown and base (as read: merges); to rework a page, pageId, its edited markdown, revision.",
  },
  { writes: true, text: 'Writes return IDs, or all with answer: "full".' },
  {
    writes: true,
    text: 'expected: { field: value } refuses an update if it differs.',
  },
  { writes: true, text: 'A write with answers: COMMENT_ID resolves its thread.' },
  { writes: true, tools: ['comments_add'], text: 'comments_add with commentId answers a comment.' },
  { writes: true, tools: ['batch'], text: 'batch runs several calls as one.' },
  {
    proposes: true,
    tools: ['proposals_list'],
    text: 'Nothing that you write is done at once: it waits as a proposal until a person approves it. Go on as if it were done; proposals_list shows its state.',
  },
  {
    kinds: ['selected', 'daily'],
    text: 'A link out of reach reads [text](invalid:out_of_scope); write it back as it is.',
  },
]

const PARAGRAPHS = [STRUCTURE, MARKDOWN, START, COLLECTIONS, TASKS, EDITING]

/** What determines the tools of a connection. */
export interface ToolAccess {
  kind: ConnectionKind
  access: AccessLevel
  /** The selected tools; all if absent. */
  tools?: ReadonlySet<string> | undefined
}

/** The instructions for a connection, without mentioning tools that it lacks. */
export function instructionsFor({ kind, access, tools: selected }: ToolAccess): string {
  const isFor = ({ kinds, tools = [], writes, proposes }: Part): boolean =>
    kinds?.includes(kind) !== false &&
    (writes !== true || canWrite({ access })) &&
    (proposes !== true || mustPropose({ access })) &&
    tools.every((name) => selected?.has(name) !== false)
  const texts = PARAGRAPHS.map((parts) => parts.filter(isFor).map(({ text }) => text))
  return texts
    .filter((paragraph) => paragraph.length > 0)
    .map((paragraph) => paragraph.join(' '))
    .join('\n\n')
}
