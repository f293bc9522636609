/** One call, whatever brought it: arguments read, input checked, made ready, handled in one transaction, answer checked. */
import { randomUUID } from 'node:crypto'
import type { Endpoint, Rendered } from '../endpoint.ts'
import { type ErrorBody, ScriptoriumError } from '../errors.ts'
import type { OpenSpace } from '../space/open.ts'
import type { Link } from '../space/space.ts'
import { readArguments } from './arguments.ts'
import { invalidInput } from './faults.ts'
import type { News } from './news.ts'
import type { Tool } from './table.ts'

/** Where calls run: an open space, and what the caller may reach in it. */
export interface Caller {
  space: OpenSpace
  link: Link
  /** What every answer to this caller says besides. */
  news?: News
}

/** What a call answers: an object, or text; and what the caller is told besides, by its key. */
export type Answer = ({ object: object } | { text: Rendered }) & { besides?: Record<string, object[]> }

/** @throws ScriptoriumError for all that the caller can mend; anything else is a fault of ours */
export async function run(tool: Tool, given: unknown, { space, link, news }: Caller): Promise<Answer> {
  const { endpoint, input, schema } = tool
  const asked = input.safeParse(readArguments(given, schema), { reportInput: true })
  if (!asked.success) throw invalidInput(asked.error, schema)
  const ready = await endpoint.prepare(asked.data)
  const transact = endpoint.effect === 'read' ? space.read.bind(space) : space.write.bind(space)
  return transact(link, async (view) => {
    await endpoint.available?.(view)
    const answer = answerOf(endpoint, await endpoint.handle({ space: view }, ready))
    const besides = await news?.read(view)
    return besides === undefined ? answer : { ...answer, besides }
  })
}

/** Checked inside the transaction: what cannot be answered is not written either. */
function answerOf({ output }: Endpoint, answer: unknown): Answer {
  return output === undefined ? { text: answer as Rendered } : { object: output.parse(answer) as object }
}

/**
 * What a failed call answers. The cause of a fault of ours goes to the log under an ID that the answer names, and
 * nowhere else.
 */
export function errorBody(error: unknown, log: (line: string) => void): ErrorBody {
  if (error instanceof ScriptoriumError) return error.body
  const id = randomUUID()
  log(`${id} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return {
    error: `Expected to answer, found a fault of this server; its log has it under ${id}. Nothing was written.`,
    code: 'INTERNAL_ERROR',
  }
}
