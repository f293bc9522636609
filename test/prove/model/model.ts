/** Maps the names of the tools to the functions of the model. */
import { entryOf, type ToolTable } from '../tool-table.ts'
import { runBatch } from './batches.ts'
import { addBlocks, deleteBlocks, moveBlocks, updateBlocks } from './blocks.ts'
import { addElements, addFile, addWhiteboard, deleteElements, updateElements } from './boards.ts'
import { addCollection, updateSchema } from './collections.ts'
import {
  addDocuments,
  addFolders,
  deleteDocuments,
  deleteFolders,
  moveDocuments,
  moveFolders,
  renameFolders,
} from './documents.ts'
import { editPage, isPageEdit } from './editing.ts'
import { addItems, deleteItems, updateItems } from './items.ts'
import { addComments, addReminders, deleteReminders, updateComments, updateReminders } from './reminders.ts'
import { addTasks, deleteTasks, updateTasks } from './tasks.ts'
import { activateView, addView, deleteView, updateView } from './views.ts'
import { invalid, Refused, type World } from './world.ts'

export interface Call {
  tool: string
  args: object
  /** Set if the call comes from a connection that may only propose. */
  isProposed?: true
}

/** The time and the author of a call. */
export interface When {
  now: number
  author: string
}

/** The expected response, with the product's IDs left open, or the expected error code. */
export type Expected = { answer: object } | { refused: string; or: string | undefined }

/** Undoes the last calls that are not undone yet. */
export interface UndoArgs {
  count: number
}

function undoLast(world: World, { count }: UndoArgs): object {
  world.undo(count)
  return {}
}

/** The effect of a decision depends on the pending proposals: see proposals.ts. */
function decide(): object {
  throw new Error('Expected a decision to be made by those who know what waits.')
}

type Rule = (world: World, args: never) => object

const changeBlocks: Rule = (world, args) => (isPageEdit(args) ? editPage(world, args) : updateBlocks(world, args))

/** The readings call it and compare its responses with the model. */
const READING = { exempt: 'It writes nothing: readings.ts holds its answers against the model.' }

/** The rule and the accepted arguments of each tool that writes. */
export const RULES: ToolTable<readonly [rule: Rule, ...args: string[]]> = {
  history_list: READING,
  changes_list: { exempt: 'It writes nothing, and the proofs of kills and of several processes follow it.' },
  events_list: { exempt: 'It writes nothing, and is derived from the feed of changes.' },
  // The space looks up which calls are the last ones: see spaces.ts.
  history_undo: [undoLast, 'count'],
  documents_add: [addDocuments, 'documents', 'destination'],
  documents_move: [moveDocuments, 'documentIds', 'destination'],
  documents_delete: [deleteDocuments, 'documentIds'],
  folders_add: [addFolders, 'folders'],
  folders_move: [moveFolders, 'folderIds', 'destination'],
  folders_update: [renameFolders, 'folders'],
  folders_delete: [deleteFolders, 'folderIds'],
  blocks_add: [addBlocks, 'markdown', 'blocks', 'position', 'answer'],
  blocks_update: [changeBlocks, 'blocks', 'pageId', 'at', 'remove', 'insert', 'isStale'],
  blocks_move: [moveBlocks, 'blockIds', 'position'],
  blocks_delete: [deleteBlocks, 'blockIds'],
  tasks_add: [addTasks, 'tasks'],
  tasks_update: [updateTasks, 'tasksToUpdate'],
  tasks_delete: [deleteTasks, 'idsToDelete'],
  collections_add: [addCollection, 'schema', 'position'],
  schema_update: [updateSchema, 'collectionId', 'schema'],
  items_add: [addItems, 'collectionId', 'items', 'allowNewSelectOptions', 'answer'],
  items_update: [updateItems, 'collectionId', 'itemsToUpdate', 'allowNewSelectOptions'],
  items_delete: [deleteItems, 'collectionId', 'idsToDelete'],
  views_add: [addView, 'collectionId', 'view'],
  views_update: [updateView, 'collectionId', 'viewId', 'view'],
  views_delete: [deleteView, 'collectionId', 'viewId'],
  views_activate: [activateView, 'collectionId', 'viewId'],
  reminders_add: [addReminders, 'reminders'],
  reminders_update: [updateReminders, 'remindersToUpdate'],
  reminders_delete: [deleteReminders, 'idsToDelete'],
  comments_add: [addComments, 'comments'],
  comments_update: [updateComments, 'comments'],
  whiteboards_add: [addWhiteboard, 'position'],
  elements_add: [addElements, 'whiteboardBlockId', 'elements', 'assets', 'appState', 'answer'],
  elements_update: [updateElements, 'whiteboardBlockId', 'elements', 'answer'],
  elements_delete: [deleteElements, 'whiteboardBlockId', 'elementIds'],
  files_add: [addFile, 'position', 'text', 'fileName'],
  batch: [(world, args) => runBatch(world, args, (call) => apply(world, call)), 'steps'],
  proposals_list: READING,
  proposals_parts: READING,
  proposals_approve: [decide],
  proposals_reject: [decide],
  blocks_get: READING,
  documents_list: READING,
  folders_list: READING,
  collections_list: READING,
  items_claim: { exempt: 'It takes rows for a time, which the model has not; the proof of claims checks it.' },
  items_list: READING,
  views_list: READING,
  tasks_list: READING,
  reminders_list: READING,
  elements_list: READING,
  schema_get: { exempt: 'It writes nothing, and collections_list, which the readings ask, shows the same schema.' },
  comments_list: { exempt: 'It writes nothing, and blocks_get, which the readings ask, shows the same comments.' },
  for_me_list: { exempt: 'It writes nothing, and is derived from tasks, comments and texts.' },
  for_me_update: { exempt: 'It changes nothing that another tool answers.' },
  connection_get: { exempt: 'It writes nothing, and tells of the space alone, which no call of the proof changes.' },
  blocks_search: { exempt: 'It writes nothing: what it finds is held against oracles by the tests of search.' },
  documents_search: { exempt: 'It writes nothing: what it finds is held against oracles by the tests of search.' },
  daily_notes_search: { exempt: 'It is a tool of connections to daily notes, and the proof has a full one.' },
}

/** Rules for random calls without a shared history. Only sequences of a single caller also undo and decide. */
export const CHOSEN: typeof RULES = {
  ...RULES,
  history_undo: { exempt: 'It is asked for where the last calls are known, by sequences of one caller.' },
  proposals_approve: { exempt: 'It is asked for where it is known what waits, by sequences of one caller.' },
  proposals_reject: { exempt: 'It is asked for where it is known what waits, by sequences of one caller.' },
}

/** Runs a call on the model. */
export function expect(world: World, call: Call, when: When): Expected {
  // An undo reverts other calls and cannot be undone itself.
  if (call.tool === 'history_undo') return { answer: undoLast(world, call.args as UndoArgs) }
  const expected = world.apply(() => expectIn(world, call, when))
  // A proposal keeps what its caller had seen when it was made. Here that is nothing.
  if ('answer' in expected) {
    world.seen.keep()
    world.completions.keep(when)
  }
  return expected
}

/** Runs a call as part of a larger change that may be reverted. */
export function expectIn(world: World, call: Call, when: When): Expected {
  world.now = when.now
  world.author = when.author
  world.touched = new Set()
  world.seen.begin(when.author)
  world.completions.begin()
  try {
    return { answer: world.journal.attempt(() => apply(world, call)) }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    world.touched = new Set()
    return { refused: error.code, or: error.or }
  }
}

function apply(world: World, { tool, args }: Call): object {
  const found = entryOf(RULES, tool)
  if (found === undefined) throw new Error(`Expected a tool of the model, found ${tool}.`)
  const [rule, ...known] = found
  if (Object.keys(args).some((key) => !known.includes(key))) throw invalid()
  return rule(world, args as never)
}
