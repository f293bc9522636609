import { z } from 'zod'
import { byKind, endpoint } from '../src/endpoint.ts'
import { addWhiteboard } from '../src/space/whiteboards/add.ts'
import { position } from './shapes.ts'

/** What blocks_add says of positions need not be said again. */
const published = { type: 'object', description: 'As in blocks_add' }

const add = endpoint({
  name: 'whiteboards_add',
  title: 'Add whiteboard',
  description: 'Make an empty whiteboard, for elements_add.',
  route: 'POST /whiteboards',
  effect: 'add',
  input: byKind((kind) => z.strictObject({ position: position[kind].meta({ published }) })),
  output: z.strictObject({
    whiteboardBlockId: z.string(),
    documentId: z.string().optional(),
    dailyNoteDate: z.string().optional(),
  }),
  blocks: { write: () => 1 },
  handle: ({ space }, { position }) => addWhiteboard(space, position),
})

export const whiteboards = [add]
