/**
 * Requests that count themselves, together with the blocks that they read or write. Everything else is counted before
 * it is handled, and so is a request that the SDK would refuse: its handler never runs.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  isJSONRPCRequest,
  isSpecType,
  type JSONRPCRequest,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server'

type Check = (value: unknown) => boolean

/** By method: the parameters that its handler takes, and the SDK's check of the whole request. */
const METHODS = new Map(
  Object.entries({
    'tools/call': { params: ['name', 'arguments'], isValid: isSpecType.CallToolRequest as Check },
    'resources/list': { params: ['cursor'], isValid: isSpecType.ListResourcesRequest as Check },
    'resources/read': { params: ['uri'], isValid: isSpecType.ReadResourceRequest as Check },
  }),
)

/** Prefix of the keys of `_meta` that the protocol defines. */
const PROTOCOL_PREFIX = 'io.modelcontextprotocol/'
/** Those that requests of stateless clients have, which the SDK checks. */
const ENVELOPE: ReadonlyMap<string, Check> = new Map<string, Check>([
  [PROTOCOL_VERSION_META_KEY, (value) => value === '2026-07-28'],
  [CLIENT_INFO_META_KEY, isSpecType.Implementation],
  [CLIENT_CAPABILITIES_META_KEY, isSpecType.ClientCapabilities],
  [LOG_LEVEL_META_KEY, isSpecType.LoggingLevel],
])

/** True only if the request is certain to reach its handler, as far as its text shows. */
export function countsItself(request: JSONRPCRequest): boolean {
  const method = METHODS.get(request.method)
  if (method === undefined || !isJSONRPCRequest(request) || !method.isValid(request)) return false
  const { _meta = {}, ...params } = request.params ?? {}
  return Object.keys(params).every((key) => method.params.includes(key)) && Object.entries(_meta).every(isPlainMeta)
}

const isPlainMeta = ([key, value]: [string, unknown]): boolean =>
  ENVELOPE.get(key)?.(value) ?? !key.startsWith(PROTOCOL_PREFIX)
