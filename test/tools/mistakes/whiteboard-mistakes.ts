/** Likely mistakes in calls on whiteboards. */
import { end, type Mistake } from './mistake.ts'

export const WHITEBOARD_MISTAKES: readonly Mistake[] = [
  [
    'a page of a whiteboard',
    'whiteboards_add',
    ({ document }) => ({ documentId: document, position: 'end' }),
    ({ document }) => ({ position: end(document) }),
  ],
  ['boardId', 'elements_list', ({ board }) => ({ boardId: board }), ({ board }) => ({ whiteboardBlockId: board })],
  ['id of a board', 'elements_list', ({ board }) => ({ id: board }), ({ board }) => ({ whiteboardBlockId: board })],
  [
    'one element for a list',
    'elements_add',
    ({ board }) => ({ whiteboardId: board, elements: { id: 'f', type: 'ellipse' } }),
    ({ board }) => ({ whiteboardBlockId: board, elements: [{ id: 'f', type: 'ellipse' }] }),
  ],
  [
    'ids of elements to delete',
    'elements_delete',
    ({ board }) => ({ whiteboardBlockId: board, ids: ['e'] }),
    ({ board }) => ({ whiteboardBlockId: board, elementIds: ['e'] }),
  ],
]
