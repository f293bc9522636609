/** MCP messages that are odd in other ways than the arguments of a tool. */
import type { Chance, Pools } from '../test-client/generated-calls.ts'
import { unusualValues } from './unusual-values.ts'

export interface Sent {
  method: string
  params: Record<string, unknown>
}

/** Turns a valid message into an odd one. */
export function oddMessage(chance: Chance, { method, params }: Sent, { ids }: Pools): Sent {
  const odd = chance.one(unusualValues(chance))
  const id = ids.length > 0 ? chance.one(ids) : 'x'
  const uri = () => {
    const kind = chance.one(['documents', 'files', 'whiteboards', 'x', ''])
    return `scriptorium://${kind}/${chance.is(0.6) ? id : (JSON.stringify(odd()) ?? '')}`
  }
  return chance.one<() => Sent>([
    () => ({ method, params: { ...params, arguments: odd() } }),
    () => ({ method, params: { ...params, name: odd() } }),
    () => ({ method, params: { ...params, _meta: { 'scriptorium/idempotencyKey': odd() } } }),
    () => ({ method, params: { ...params, _meta: { 'scriptorium/idempotencyKey': 'same' } } }),
    // Tokens other than texts and integers are excluded: the SDK does not treat such a message as a request.
    () => ({ method, params: { ...params, _meta: { progressToken: chance.one(['', 'x'.repeat(500), 0, -1]) } } }),
    () => ({ method: 'resources/read', params: { uri: uri() } }),
    () => ({ method: 'resources/subscribe', params: { uri: uri() } }),
    () => ({ method: 'resources/unsubscribe', params: { uri: uri() } }),
    () => ({ method: 'resources/list', params: { cursor: odd() } }),
    () => ({ method: 'tools/list', params: { cursor: odd() } }),
    () => ({ method: 'skills/list', params: { cursor: odd() } }),
    () => ({ method: 'skills/get', params: { uri: odd() } }),
    () => ({ method: 'resources/read', params: { uri: `skill://${JSON.stringify(odd()) ?? ''}` } }),
    () => ({ method: 'resources/templates/list', params: {} }),
    () => ({
      method: chance.one(['prompts/list', 'ping', 'completion/complete', 'logging/setLevel', '', 'x/y']),
      params,
    }),
  ])()
}
