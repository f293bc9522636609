/** Random calls of every tool that writes, most of them valid and some of them invalid. */
import type { Call } from '../model/model.ts'
import type { Chooser } from './chooser.ts'
import { collections } from './collections.ts'
import { boards, comments, files, reminders } from './others.ts'
import type { Pools } from './pools.ts'
import { tasks } from './tasks.ts'
import { blocks, documents, folders } from './trees.ts'

/** The relative frequency of each kind of call. */
const WEIGHTS: [make: (chooser: Chooser, pools: Pools) => Call, weight: number][] = [
  [documents, 3],
  [folders, 2],
  [blocks, 12],
  [tasks, 6],
  [collections, 10],
  [reminders, 2],
  [comments, 2],
  [boards, 3],
  [files, 0.5],
]
const EVERY = WEIGHTS.flatMap(([make, weight]) => Array.from({ length: weight * 2 }, () => make))

export function nextCall(chooser: Chooser, pools: Pools): Call {
  return pools.documents.length === 0 ? documents(chooser, pools) : chooser.one(EVERY)(chooser, pools)
}
