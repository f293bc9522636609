import { z } from 'zod'
import { byKind, endpoint } from '../src/endpoint.ts'
import { addWhiteboard } from '../src/space/editing/add-whiteboard.ts'
import { positionAliases } from './shapes/input-aliases.ts'
import { positionBrief } from './shapes/positions.ts'

const add = endpoint({
  name: 'whiteboards_add',
  title: 'Add whiteboard',
  description: 'Make an empty whiteboard.',
  route: 'POST /whiteboards',
  effect: 'add',
  aliases: positionAliases,
  alsoKnownAs: ['whiteboards_create', 'boards_add', 'boards_create', 'canvas_add'],
  input: byKind((kind) => z.strictObject({ position: positionBrief[kind] })),
  output: z.strictObject({
    whiteboardBlockId: z.string(),
    documentId: z.string().optional(),
    dailyNoteDate: z.string().optional(),
  }),
  blocks: { write: () => 1 },
  handle: ({ space }, { position }) => addWhiteboard(space, position),
})

export const whiteboards = [add]
