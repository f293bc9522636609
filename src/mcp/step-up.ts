/** Calls for which a token lacks scopes. The protocol requires an HTTP response, after which clients sign in again. */

import type { ScriptoriumError } from '../base/errors.ts'
import { isEffectAllowed } from '../call/catalog/tool-list.ts'
import type { Caller } from '../call/run.ts'
import type { Endpoint } from '../endpoint.ts'

/** @param messages  MCP messages as received: one, or an array */
export function findScopeError(
  messages: unknown,
  { link, scopeError }: Caller,
  endpoints: readonly Endpoint[],
): ScriptoriumError | undefined {
  if (scopeError === undefined) return undefined
  const effects = [messages].flat().flatMap((message) => {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } | null }
    const endpoint = endpoints.find(
      ({ name, isRestOnly }) => method === 'tools/call' && !isRestOnly && name === params?.name,
    )
    return endpoint === undefined || isEffectAllowed(endpoint.effect, link.access) ? [] : [endpoint.effect]
  })
  const [first] = effects
  return first && scopeError(effects.includes('delete') ? 'delete' : first)
}

/**
 * Records missing scopes that are only found while a call runs.
 *
 * @returns the caller that records them, and the recorded error so far
 */
export function recordScopeErrors(caller: Caller): {
  recordingCaller: Caller
  recordedError(): ScriptoriumError | undefined
} {
  const { scopeError } = caller
  if (scopeError === undefined) return { recordingCaller: caller, recordedError: () => undefined }
  let recordedError: ScriptoriumError | undefined
  const recordingCaller: Caller = {
    ...caller,
    scopeError(effect, sentence) {
      recordedError = scopeError(effect, sentence)
      return recordedError
    },
  }
  return { recordingCaller, recordedError: () => recordedError }
}
