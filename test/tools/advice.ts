/**
 * Refusals of hostile and missing values, over all tools, kinds of connections and levels of access: none names what the
 * connection lacks, shows values of the program, or asks to leave out what is required. Ten thousand calls: `npm test`
 * makes a third of them, so that each value meets each tool, and CI all.
 */
import { expect } from 'vitest'
import { CONNECTION_KINDS, type ConnectionKind } from '../../src/space/model/space.ts'
import { endpoints } from '../../tools/index.ts'
import { type ConnectOptions, connect } from '../connect.ts'
import { populatedSpace } from '../support/populated-space.ts'

const ALL = new Set(endpoints.map(({ name }) => name))
const HOSTILE: readonly unknown[] = [
  ...[[], {}, '', 'Some title', -1, 5, true, [null], [5], ['Some title'], [{}], { nonsense: 1 }, [{ nonsense: 1 }]],
  JSON.parse('{ "toString": 1, "length": -1 }'),
]

/** The space stays as it is. */
const DRY_RUN = { 'scriptorium/dryRun': true }

interface ListedTool {
  name: string
  inputSchema: { properties?: Record<string, unknown>; required?: string[] }
}

/** What is wrong with a refusal. */
function faultsOf(text: string, listed: ReadonlySet<string>, required: string | undefined): string[] {
  const advice = text.includes('; ') ? text.slice(text.indexOf('; ')) : ''
  const missing = (advice.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []).filter((name) => ALL.has(name) && !listed.has(name))
  const isRequired =
    required !== undefined && text.startsWith(`At ${required}: `) && /\bleave (?:it|them) out\b/.test(text)
  return [
    ...missing.map((name) => `names ${name}`),
    ...(/\bundefined\b|\[object |\bNaN\b|=>/.test(text) ? ['shows a value of the program'] : []),
    ...(isRequired ? ['asks to leave out what is required'] : []),
  ]
}

export const CONNECTIONS: readonly (readonly [string, ConnectionKind, ConnectOptions])[] = [
  ...CONNECTION_KINDS.map((kind) => [kind, kind, {}] as const),
  ['full, read only', 'full', { access: 'read' }],
  ['full, few tools', 'full', { caller: { tools: new Set(['blocks_add', 'blocks_delete', 'items_add']) } }],
]

/** @param isMade  whether the call is made that gives a field this value, by their places */
export async function expectGoodAdvice(
  kind: ConnectionKind,
  options: ConnectOptions,
  isMade: (field: number, value: number) => boolean = () => true,
): Promise<void> {
  const { connected: full, ids } = await populatedSpace()
  const documents = kind === 'selected' ? [ids.document] : []
  const { client } = await connect(kind, { ...options, to: full, documents })
  const tools = (await client.listTools()).tools as unknown as ListedTool[]
  const listed = new Set(tools.map(({ name }) => name))
  const found: string[] = []
  let refusals = 0
  for (const { name, inputSchema } of tools) {
    const { properties = {}, required = [] } = inputSchema
    // Values that fit, so that one value alone is wrong.
    const fitting = { collectionId: ids.collection, whiteboardBlockId: ids.board, viewId: ids.view }
    const base = Object.fromEntries(Object.entries(fitting).filter(([key]) => Object.hasOwn(properties, key)))
    const values = [...HOSTILE, ids.document, [ids.document], [{ id: ids.document }], [ids.block]]
    const calls: [string | undefined, Record<string, unknown>][] = [[undefined, {}]]
    for (const [field, key] of Object.keys(properties).entries())
      for (const [place, value] of values.entries())
        if (isMade(field, place)) calls.push([key, { ...base, [key]: value }])
    for (const [key, args] of calls) {
      const { isError, content } = await client.callTool({ name, arguments: args, _meta: DRY_RUN })
      if (isError !== true) continue
      refusals += 1
      for (const { text } of content as { text: string }[]) {
        for (const line of text.split('\n')) {
          const faults = faultsOf(line, listed, key !== undefined && required.includes(key) ? key : undefined)
          for (const fault of faults) found.push(`${name} ${JSON.stringify(args)}: ${fault}: ${line}`)
        }
      }
    }
  }
  // A connection that lists nothing, or refuses nothing, shows nothing.
  expect(refusals).toBeGreaterThan(tools.length)
  expect(found).toEqual([])
}
