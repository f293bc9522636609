/** A space after a week of people and agents: each kind of block, folders, tasks, a table, a drawing. */

import { toolCatalogFor } from '../../src/call/catalog/tool-catalog.ts'
import { type Caller, type CallOptions, runCall } from '../../src/call/run.ts'
import type { AccessLink } from '../../src/space/model/space.ts'
import type { OpenSpace } from '../../src/space/open-space.ts'
import { endpoints, type ToolName } from '../../tools/index.ts'
import type { Answer } from '../connect.ts'

/** Calls tools like one program. Returns an object, or text if it is not JSON. */
export type Program = (tool: ToolName, args?: object) => Promise<Answer>

/** A program with this name, and its own connection. */
export function program(space: OpenSpace, client: string, link: Partial<AccessLink> = {}): Program {
  const full: AccessLink = {
    kind: 'full',
    access: 'full',
    documents: new Set(),
    author: 'Anna',
    client,
    connection: client,
    ...link,
  }
  const caller: Caller = { space, link: full }
  return async (tool, args = {}) => callTool(tool, args, caller)
}

async function callTool(tool: ToolName, args: object, caller: Caller, options: CallOptions = {}): Promise<Answer> {
  const result = await runCall(toolCatalogFor(endpoints, caller.link.kind).get(tool), args, caller, options)
  if ('object' in result) return result.object
  const { body, mediaType } = result.text
  return mediaType === 'application/json' ? JSON.parse(body) : body
}

const PLAN = `The north quay closes for repairs in March. Until then both cranes stay in service, and [Crane inspection](block://{crane}) decides which one moves first.

<callout>Permits take ==six weeks==. Nothing is ordered before they are in.</callout>

## Next steps

- [x] Ask three suppliers for quotes
- [ ] Compare quotes with last year's prices
- [ ] Book the diver for the foundation survey

## Load

The crane rail carries $q = \\frac{F}{l}$ at most, with the safety factor

$$
\\gamma = \\frac{\\sum_{i=1}^{n} F_i}{A \\cdot \\sigma_{\\max}} \\le 1.5
$$

> Nobody lifts anything over the promenade. — *Harbour master, 2019*

1. Measure the rail
2. Weigh the counterweight
   1. with the hook
   2. without it
3. Sign the sheet

+ What the insurer wants
  - The report of the diver
  - A list of the **lifting gear**

\`\`\`python
def load(force: float, length: float) -> float:
    """Newtons per meter."""
    return force / length  # before the factor
\`\`\`

| Part | Checked | Weight |
| --- | :-: | --: |
| Hook | yes | 1,200 |
| Rope | no | 340 |

****

More is on [the port's own page](https://port.example.org/quay) and in https://port.example.org/rules.`

export interface SampleSpace {
  plan: string
  crane: string
  suppliers: string
  suppliersDocument: string
  projects: string
  meetings: string
  board: string
  boardDocument: string
  files: { picture: string }
}

/** 1 × 1 pixels, red. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
)

/**
 * @param later  advances the clock of the space by minutes, if it can be changed
 * @param picture  a PNG
 */
export async function fillSampleSpace(
  space: OpenSpace,
  later: (minutes: number) => void = () => {},
  picture: Buffer = PNG,
): Promise<SampleSpace> {
  const anna = program(space, 'editor')
  const agent = program(space, 'claude-desktop')
  const [projects, meetings] = (
    await anna('folders_add', { folders: [{ name: 'Projects' }, { name: 'Meetings' }] })
  ).items.map(({ id }: { id: string }) => id)
  const crane = (
    await anna('documents_add', {
      documents: [{ title: 'Crane inspection', markdown: 'Crane 1 is due first.\n\n- [ ] Order the inspector' }],
      destination: { folderId: projects },
    })
  ).items[0].id
  const plan = (
    await anna('documents_add', {
      documents: [{ title: 'Harbour plan', markdown: PLAN.replace('{crane}', crane) }],
      destination: { folderId: projects },
    })
  ).items[0].id
  later(3 * 24 * 60)
  const callout = (await anna('blocks_get', { id: plan })).content[1].id
  const tasks = (await anna('tasks_list', { scope: 'document', documentId: plan })).items
  await agent('tasks_update', {
    tasksToUpdate: [
      { id: tasks[1].id, taskInfo: { scheduleDate: '2026-11-25' } },
      {
        id: tasks[2].id,
        taskInfo: { scheduleDate: '2026-12-01' },
        repeat: { type: 'fixed', frequency: 'weekly', interval: 2, weekly: { days: ['tuesday'] } },
      },
    ],
  })
  later(60)
  const suppliersDocument = (
    await agent('documents_add', {
      documents: [{ title: 'Suppliers', markdown: 'Who sells and repairs cranes.' }],
      destination: { folderId: projects },
    })
  ).items[0].id
  const { collectionBlockId: suppliers } = await agent('collections_add', {
    schema: {
      name: 'Suppliers',
      properties: [
        { type: 'singleSelect', name: 'Status', options: [{ name: 'in', color: 'mint-green' }, { name: 'asked' }] },
        { type: 'number', name: 'Price', config: { format: 'currency', currency: 'EUR' } },
        { type: 'date', name: 'Answered' },
        { type: 'url', name: 'Site' },
        { type: 'boolean', name: 'Certified' },
      ],
    },
    position: { position: 'end', pageId: suppliersDocument },
  })
  await agent('items_add', {
    collectionId: suppliers,
    items: [
      {
        title: 'Nordkran',
        properties: {
          status: 'in',
          price: 48200,
          answered: '2026-11-17',
          site: 'https://nordkran.example',
          certified: true,
        },
      },
      {
        title: 'Hafenbau Lübeck',
        properties: { status: 'in', price: 51900, answered: '2026-11-18', certified: false },
      },
      { title: 'Maritime Lifting', properties: { status: 'asked' } },
    ],
  })
  await agent('views_add', {
    collectionId: suppliers,
    view: { name: 'By status', type: 'kanban', groupBy: [{ property: 'status' }] },
  })
  later(24 * 60)
  const meetingsList = Array.from({ length: 14 }, (_, index) => ({
    title: `Quay meeting ${index + 1}`,
    markdown: `Notes of meeting ${index + 1}.\n\n- Cranes\n- Permits`,
  }))
  await agent('documents_add', { documents: meetingsList, destination: { folderId: meetings } })
  later(9 * 60)
  await anna('blocks_add', {
    markdown: 'Called the port authority about the permits.\n\n- [ ] Call them again on Thursday',
    position: { position: 'end', date: 'today' },
  })
  await anna('tasks_add', {
    tasks: [
      { markdown: 'Pay the diver' },
      { markdown: 'Renew the insurance', taskInfo: { deadlineDate: '2026-11-19' } },
    ],
  })
  const boardDocument = (await anna('documents_add', { documents: [{ title: 'Site sketch' }] })).items[0].id
  const { whiteboardBlockId: board } = await anna('whiteboards_add', {
    position: { position: 'end', pageId: boardDocument },
  })
  await anna('elements_add', {
    whiteboardBlockId: board,
    elements: [
      { id: 'quay', type: 'rectangle', x: 0, y: 0, width: 220, height: 80, label: { text: 'North quay' } },
      { id: 'crane', type: 'ellipse', x: 340, y: 0, width: 160, height: 80, label: { text: 'Crane 1' } },
      { id: 'way', type: 'arrow', x: 220, y: 40, start: { id: 'quay' }, end: { id: 'crane' } },
    ],
  })
  await anna('files_add', {
    data: picture.toString('base64'),
    mimeType: 'image/png',
    fileName: 'quay.png',
    position: { position: 'end', pageId: plan },
  })
  await anna('comments_add', { comments: [{ blockId: tasks[2].id, content: 'The usual company?' }] })
  later(20)
  await agent('blocks_add', {
    markdown: '<page><pageTitle>Foundation survey</pageTitle><content>\nWhat the diver looks at.\n</content></page>',
    position: { position: 'end', pageId: plan },
  })
  later(35)
  const research = program(space, 'nightly-research', { access: 'propose', author: 'Robot' })
  await research('blocks_update', {
    blocks: [
      {
        id: callout,
        markdown:
          '<callout>Permits take ==nine weeks== since the new ordinance. Nothing is ordered before they are in.</callout>',
      },
    ],
  })
  await research('blocks_add', {
    markdown: 'Source: port authority, notice 12',
    position: { position: 'after', siblingId: callout },
  })
  later(11)
  await anna('documents_add', { documents: [{ title: 'Old rates' }] }).then(({ items }) =>
    anna('documents_delete', { documentIds: [items[0].id] }),
  )
  return { plan, crane, suppliers, suppliersDocument, projects, meetings, board, boardDocument, files: { picture: '' } }
}
