import { mcpDefaultsOf } from '../src/endpoint.ts'
import { endpoints } from '../tools/index.ts'

/** The argument that requests the full response of a tool over MCP, as over REST. */
export function askForAll(name: string): Record<string, unknown> {
  const endpoint = endpoints.find((one) => one.name === name)
  const defaults = endpoint === undefined ? {} : mcpDefaultsOf(endpoint)
  return {
    ...('answer' in defaults && { answer: 'full' }),
    ...('format' in defaults && { format: 'json' }),
  }
}
