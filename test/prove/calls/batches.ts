/** Batches: several calls in one, in which later steps often refer to things that earlier steps create. */
import type { Call } from '../model/model.ts'
import { nextCall } from './calls.ts'
import type { Chooser } from './chooser.ts'
import type { Pools } from './pools.ts'

/** A call that is a step of a batch. */
export interface BatchStep extends Call {
  /** The name by which later steps refer to the step's results. */
  as: string
}

/** One of this many calls is a batch, and the maximum number of its steps. */
const BATCHES = 10
const STEPS = 4
/** The number of random calls that are tried to find one that refers to an earlier step. */
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
  // A reference to a step that does not exist.
  if (chooser.once(30)) steps.push({ tool: 'blocks_delete', as: 'last', args: { blockIds: ['$none'] } })
  return { tool: 'batch', args: { steps } }
}

/** A page's text is not edited in a batch, since it is unknown what the text will be when the step runs. */
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

/** References to what steps have created, by kind. */
type CreatedPools = Pick<
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

const madeNothing = (): CreatedPools => ({
  ...{ documents: [], folders: [], holders: [], texts: [], pages: [], codes: [], blocks: [], tasks: [] },
  ...{ collections: [], reminders: [], comments: [], boards: [] },
})

/** Replaces the pools by the references to new things, for each kind of which there are some. */
function among(pools: Pools, made: CreatedPools): Pools {
  const kinds = Object.entries(made).filter(([, list]) => list.length > 0)
  // Not alone: an earlier step may have added something to a text, which made it a page.
  return { ...pools, ...Object.fromEntries(kinds), isAlone: false }
}

interface StepArguments {
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

/** Records what a step creates if it is not refused, in the order in which the batch numbers it. */
function note(made: CreatedPools, { tool, args }: Call, as: string): void {
  const input = args as StepArguments
  const references = (list: unknown[] | undefined) => (list ?? []).map((_, index) => referenceTo(as, index))
  switch (tool) {
    case 'documents_add':
      for (const list of [made.documents, made.holders, made.pages]) list.push(...references(input.documents))
      break
    case 'folders_add':
      made.folders.push(...references(input.folders))
      break
    case 'blocks_add':
      for (const [index, id] of references(input.blocks).entries()) noteBlock(made, input.blocks?.[index]?.type, id)
      if (input.markdown !== undefined) made.blocks.push(referenceTo(as, 0))
      break
    case 'tasks_add':
      for (const list of [made.tasks, made.blocks]) list.push(...references(input.tasks))
      break
    case 'reminders_add':
      made.reminders.push(...references(input.reminders))
      break
    case 'comments_add':
      made.comments.push(...references(input.comments))
      break
    case 'collections_add':
      made.collections.push({ id: referenceTo(as, 0), properties: [], items: [], views: [] })
      break
    case 'items_add':
      made.holders.push(...references(input.items))
      made.collections.find(({ id }) => id === input.collectionId)?.items.push(...references(input.items))
      break
    case 'views_add':
      made.collections.find(({ id }) => id === input.collectionId)?.views.push(referenceTo(as, 0))
      break
    case 'whiteboards_add':
      made.boards.push({ id: referenceTo(as, 0), elements: [] })
      break
    case 'files_add':
      made.blocks.push(referenceTo(as, 0))
  }
}

function noteBlock(made: CreatedPools, type: string | undefined, id: string): void {
  made.blocks.push(id)
  if (type === 'page' || type === 'text') made.holders.push(id)
  if (type === 'page') made.pages.push(id)
  if (type === 'text') made.texts.push(id)
  if (type === 'code') made.codes.push(id)
  if (type === 'whiteboard') made.boards.push({ id, elements: [] })
}

/** `$s1` refers to the first thing created by step s1, and `$s1.1` to the second. */
const referenceTo = (as: string, index: number): string => (index === 0 ? `$${as}` : `$${as}.${index}`)
