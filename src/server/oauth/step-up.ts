/** Calls for which a token lacks scopes: the protocol's answer is one of HTTP, from which clients sign in anew. */
import type { Endpoint } from '../../endpoint.ts'
import type { ScriptoriumError } from '../../errors.ts'
import type { Caller } from '../run.ts'
import { mayDo } from '../tool-list.ts'

/** @param messages  of the Model Context Protocol, as they came: one, or several in an array */
export function scopeLacking(
  messages: unknown,
  { link, lacks }: Caller,
  endpoints: readonly Endpoint[],
): ScriptoriumError | undefined {
  if (lacks === undefined) return undefined
  const effects = [messages].flat().flatMap((message) => {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } | null }
    const called = endpoints.find(({ name }) => method === 'tools/call' && name === params?.name)
    return called === undefined || mayDo(called.effect, link.access) ? [] : [called.effect]
  })
  const [first] = effects
  return first && lacks(effects.includes('delete') ? 'delete' : first)
}

/**
 * Notes what a call turns out to lack in its midst.
 *
 * @returns the caller that notes it, and what was noted so far
 */
export function notingLacks(caller: Caller): { noting: Caller; noted(): ScriptoriumError | undefined } {
  const { lacks } = caller
  if (lacks === undefined) return { noting: caller, noted: () => undefined }
  let noted: ScriptoriumError | undefined
  const noting: Caller = {
    ...caller,
    lacks(effect, sentence) {
      noted = lacks(effect, sentence)
      return noted
    },
  }
  return { noting, noted: () => noted }
}
