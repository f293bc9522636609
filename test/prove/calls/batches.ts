/** Batches: several calls as one, of which later ones are often about what earlier ones make. */
import type { Call } from '../model/model.ts'
import { nextCall } from './calls.ts'
import type { Chooser } from './chooser.ts'
import type { Pools } from './pools.ts'

/** A call as a step of a batch. */
export interface BatchStep extends Call {
  /** The name by which later steps refer to what this one makes. */
  as: string
}

/** One of so many calls is a batch, and of so many steps at most. */
const BATCHES = 10
const STEPS = 4
/** Calls that are looked through for one that is about what earlier steps make. */
const TRIES = 20

export const nextCallOrBatch = (chooser: Chooser, pools: Pools): Call =>
  chooser.once(BATCHES) ? nextBatch(chooser, pools) : nextCall(chooser, pools)

export function nextBatch(chooser: Chooser, pools: Pools): Call {
  const made = madeNothing()
  const steps = Array.from({ length: 1 + chooser.number(STEPS) }, (_, index): BatchStep => {
    const as = `s${index}`
    const call = chooser.once(3) ? nextStep(chooser, pools) : referringStep(chooser, among(pools, made))
    note(made, call, as)
    return { ...call, as }
  })
  // A name that no step has.
  if (chooser.once(30)) steps.push({ tool: 'blocks_delete', as: 'last', args: { blockIds: ['$none'] } })
  return { tool: 'batch', args: { steps } }
}

/** Pages are not edited by their text: what they say when it is their turn is not known before. */
function nextStep(chooser: Chooser, pools: Pools): Call {
  for (;;) {
    const call = nextCall(chooser, pools)
    if (!('pageId' in call.args)) return call
  }
}

function referringStep(chooser: Chooser, pools: Pools): Call {
  for (let tries = 1; ; tries++) {
    const call = nextStep(chooser, pools)
    if (tries === TRIES || JSON.stringify(call.args).includes('"$s')) return call
  }
}

/** References to what steps have made, by what it is. */
type Made = Pick<
  Pools,
  | 'documents'
  | 'folders'
  | 'holders'
  | 'texts'
  | 'pages'
  | 'codes'
  | 'blocks'
  | 'tasks'
  | 'collections'
  | 'reminders'
  | 'comments'
  | 'boards'
>

const madeNothing = (): Made => ({
  ...{ documents: [], folders: [], holders: [], texts: [], pages: [], codes: [], blocks: [], tasks: [] },
  ...{ collections: [], reminders: [], comments: [], boards: [] },
})

/** What there is, but of the kinds of which something was made that alone. */
function among(pools: Pools, made: Made): Pools {
  const kinds = Object.entries(made).filter(([, list]) => list.length > 0)
  // A text that something is put into is a page by then.
  return { ...pools, ...Object.fromEntries(kinds), isAlone: false }
}

interface Asked {
  documents?: unknown[]
  folders?: unknown[]
  blocks?: { type?: string }[]
  markdown?: string
  tasks?: unknown[]
  reminders?: unknown[]
  comments?: unknown[]
  items?: unknown[]
  collectionId?: string
}

/** What a step makes if it is not refused, in the order in which the batch numbers it. */
function note(made: Made, { tool, args }: Call, as: string): void {
  const asked = args as Asked
  const references = (list: unknown[] | undefined) => (list ?? []).map((_, index) => referenceTo(as, index))
  switch (tool) {
    case 'documents_add':
      for (const list of [made.documents, made.holders, made.pages]) list.push(...references(asked.documents))
      break
    case 'folders_add':
      made.folders.push(...references(asked.folders))
      break
    case 'blocks_add':
      for (const [index, id] of references(asked.blocks).entries()) noteBlock(made, asked.blocks?.[index]?.type, id)
      if (asked.markdown !== undefined) made.blocks.push(referenceTo(as, 0))
      break
    case 'tasks_add':
      for (const list of [made.tasks, made.blocks]) list.push(...references(asked.tasks))
      break
    case 'reminders_add':
      made.reminders.push(...references(asked.reminders))
      break
    case 'comments_add':
      made.comments.push(...references(asked.comments))
      break
    case 'collections_add':
      made.collections.push({ id: referenceTo(as, 0), properties: [], items: [], views: [] })
      break
    case 'items_add':
      made.holders.push(...references(asked.items))
      made.collections.find(({ id }) => id === asked.collectionId)?.items.push(...references(asked.items))
      break
    case 'views_add':
      made.collections.find(({ id }) => id === asked.collectionId)?.views.push(referenceTo(as, 0))
      break
    case 'whiteboards_add':
      made.boards.push({ id: referenceTo(as, 0), elements: [] })
      break
    case 'files_add':
      made.blocks.push(referenceTo(as, 0))
  }
}

function noteBlock(made: Made, type: string | undefined, id: string): void {
  made.blocks.push(id)
  if (type === 'page' || type === 'text') made.holders.push(id)
  if (type === 'page') made.pages.push(id)
  if (type === 'text') made.texts.push(id)
  if (type === 'code') made.codes.push(id)
  if (type === 'whiteboard') made.boards.push({ id, elements: [] })
}

/** `$s1` is the first thing that the step s1 makes, `$s1.1` the second. */
const referenceTo = (as: string, index: number): string => (index === 0 ? `$${as}` : `$${as}.${index}`)
