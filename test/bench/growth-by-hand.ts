/**
 * Things that people organize by hand in a space of the growth bench. There are equally many in spaces of any size, and
 * they are created by the tools.
 */
import { blockOf, type Written } from './growth-space.ts'
import { openWorkbench } from './workbench.ts'

/** The IDs of the created things. */
export interface MadeByHand {
  /** Two views of each collection, in the order of the collections. */
  views: string[]
  /** Whiteboards, each with the elements `box` and `other`. */
  boards: string[]
  /** Reminders of the connection that makes the bench's calls. */
  reminders: string[]
  comments: string[]
}

const BOARDS = 20
const REMINDERS = 30
/** They are in the first documents, in which the bench writes nothing. */
const FEW = 7

export async function makeByHand(file: string, { documents, collections }: Written): Promise<MadeByHand> {
  const made: MadeByHand = { views: [], boards: [], reminders: [], comments: [] }
  const { call, close } = await openWorkbench(file)
  for (const collectionId of collections) {
    for (const name of ['Large', 'Small']) {
      const view = { name, type: 'table', sortBy: [{ property: 'size', ascending: name === 'Small' }] }
      made.views.push((await call<{ id: string }>('views_add', { collectionId, view })).id)
    }
  }
  for (let index = 0; index < BOARDS; index++) {
    const position = { position: 'end', pageId: documents[index % FEW] }
    const { whiteboardBlockId } = await call<{ whiteboardBlockId: string }>('whiteboards_add', { position })
    await call('elements_add', { whiteboardBlockId, elements: [box('box'), box('other')] })
    made.boards.push(whiteboardBlockId)
  }
  const reminders = Array.from({ length: REMINDERS }, (_, index) => {
    const document = documents[index % FEW] ?? ''
    return { blockId: blockOf(document, 1 + Math.floor(index / FEW)) }
  })
  const { items } = await call<{ items: { id: string }[] }>('reminders_add', { reminders })
  made.reminders.push(...items.map(({ id }) => id))
  const comments = reminders.map(({ blockId }) => ({ blockId, content: 'Done?' }))
  const added = await call<{ items: { commentId: string }[] }>('comments_add', { comments })
  made.comments.push(...added.items.map(({ commentId }) => commentId))
  await close()
  return made
}

/** An Excalidraw element. */
export const box = (id: string) => ({ id, type: 'rectangle', x: 0, y: 0, width: 100, height: 50 })
