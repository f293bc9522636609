/** The model behind the names of the tools. */
import { addBlocks, deleteBlocks, moveBlocks, updateBlocks } from './blocks.ts'
import { addElements, addFile, addWhiteboard, deleteElements, updateElements } from './boards.ts'
import { addCollection, updateSchema } from './collections.ts'
import { addDocuments, addFolders, deleteDocuments, deleteFolders, moveDocuments, moveFolders } from './documents.ts'
import { editPage, isPageEdit } from './editing.ts'
import { addItems, deleteItems, updateItems } from './items.ts'
import { addComments, addReminders, deleteReminders, updateReminders } from './reminders.ts'
import { addTasks, deleteTasks, updateTasks } from './tasks.ts'
import { activateView, addView, deleteView, updateView } from './views.ts'
import { invalid, Refused, type World } from './world.ts'

export interface Call {
  tool: string
  args: object
}

/** What a call is to answer, IDs that the product chooses left open, or the code with which it is to be refused. */
export type Expected = { answer: object } | { refused: string }

type Rule = (world: World, args: never) => object

const changeBlocks: Rule = (world, args) => (isPageEdit(args) ? editPage(world, args) : updateBlocks(world, args))

/** Each tool with its rule, and the arguments that it takes. */
const RULES: Record<string, readonly [rule: Rule, ...args: string[]]> = {
  documents_add: [addDocuments, 'documents', 'destination'],
  documents_move: [moveDocuments, 'documentIds', 'destination'],
  documents_delete: [deleteDocuments, 'documentIds'],
  folders_add: [addFolders, 'folders'],
  folders_move: [moveFolders, 'folderIds', 'destination'],
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
  whiteboards_add: [addWhiteboard, 'position'],
  elements_add: [addElements, 'whiteboardBlockId', 'elements', 'assets', 'appState', 'answer'],
  elements_update: [updateElements, 'whiteboardBlockId', 'elements', 'answer'],
  elements_delete: [deleteElements, 'whiteboardBlockId', 'elementIds'],
  files_add: [addFile, 'position', 'text', 'fileName'],
}

export const TOOLS: readonly string[] = Object.keys(RULES)

/** @param when  the moment of the call, and who makes it */
export function expect(world: World, { tool, args }: Call, when: { now: number; author: string }): Expected {
  const found = RULES[tool]
  if (found === undefined) throw new Error(`Expected a tool of the model, found ${tool}.`)
  const [rule, ...known] = found
  world.now = when.now
  world.author = when.author
  world.touched = new Set()
  try {
    return {
      answer: world.apply(() => {
        if (Object.keys(args).some((key) => !known.includes(key))) throw invalid()
        return rule(world, args as never)
      }),
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    world.touched = new Set()
    return { refused: error.code }
  }
}
