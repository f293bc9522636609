/** Calls for which a token lacks scopes: the protocol's answer is one of HTTP, from which clients sign in anew. */
import type { Endpoint } from '../../endpoint.ts'
import type { ScriptoriumError } from '../../errors.ts'
import type { Caller } from '../run.ts'
import { mayDo } from '../table.ts'

/** @param message  of the Model Context Protocol, as it came */
export function scopeLacking(
  message: unknown,
  { link, lacks }: Caller,
  endpoints: readonly Endpoint[],
): ScriptoriumError | undefined {
  if (lacks === undefined) return undefined
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } }
  if (method !== 'tools/call') return undefined
  const called = endpoints.find(({ name }) => name === params?.name)
  return called === undefined || mayDo(called.effect, link.access) ? undefined : lacks(called.effect)
}
