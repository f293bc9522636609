import { mcpDefaultsOf } from '../src/endpoint.ts'
import { endpoints } from '../tools/index.ts'

/** What a call over MCP of this tool says to be answered as over REST. */
export function askForAll(name: string): Record<string, unknown> {
  const endpoint = endpoints.find((one) => one.name === name)
  const defaults = endpoint === undefined ? {} : mcpDefaultsOf(endpoint)
  return {
    ...('answer' in defaults && { answer: 'full' }),
    ...('format' in defaults && { format: 'json' }),
  }
}
