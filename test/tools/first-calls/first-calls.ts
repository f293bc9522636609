/**
 * First calls: how models call our tools that have seen their names and descriptions, and know the interfaces of Notion,
 * Todoist, Linear, Obsidian and Google Docs. The tables were written from those interfaces, not from our parser.
 */
import type { Ids } from '../../support/populated-space.ts'
import { ADD_BLOCK_CALLS } from './add-block-calls.ts'
import { ADVICE_CALLS } from './advice-calls.ts'
import { BLOCK_CALLS } from './block-calls.ts'
import { COLLECTION_CALLS } from './collection-calls.ts'
import { DOCUMENT_CALLS } from './document-calls.ts'
import { ITEM_CALLS } from './item-calls.ts'
import { PEER_DOCUMENT_CALLS } from './peer-document-calls.ts'
import { PEER_TASK_CALLS } from './peer-task-calls.ts'
import { RULE_CALLS } from './rule-calls.ts'
import { TASK_CALLS } from './task-calls.ts'

/** Calls of one tool that mean the same. `$document` stands for the ID of that name. */
export interface FirstCalls {
  intent: string
  /** The call as our interface has it. Its effect is the intended one. */
  right: readonly [tool: string, args: object]
  /** What a refusal must name, so that the next call is right. */
  mends: RegExp
  /** Arguments that all calls have. */
  with?: object
  /** True for calls whose intent cannot be kept: each must be refused. */
  refusedOnly?: boolean
  calls: readonly object[]
}

export const FIRST_CALLS: readonly FirstCalls[] = [
  ...[...ADD_BLOCK_CALLS, ...BLOCK_CALLS, ...DOCUMENT_CALLS, ...TASK_CALLS, ...ITEM_CALLS, ...COLLECTION_CALLS],
  ...[...RULE_CALLS, ...ADVICE_CALLS, ...PEER_DOCUMENT_CALLS, ...PEER_TASK_CALLS],
]

/** Puts IDs in place of their names. */
export const withIds = (args: object, ids: Ids): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(args).replace(
      /\$(\w+)/g,
      (all, name: string) => (ids as unknown as Record<string, string>)[name] ?? all,
    ),
  )
