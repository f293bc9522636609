/** The types of a connection's tools as a resource, for hosts in which models write code against them. */
import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { ProgramResources } from './mcp-resources.ts'

const URI = 'scriptorium://tools.d.ts'

export interface TypeResourceOptions {
  /** True if the connection of a request has typed answers. Others have no types. */
  isTyped(context: unknown): boolean
  /** The declarations of the tools that it has. */
  declarations(context: unknown): Promise<string>
}

export const typeResource = ({ isTyped, declarations }: TypeResourceOptions): ProgramResources => ({
  isAddress: (uri) => uri === URI,
  list: async (context) =>
    isTyped(context)
      ? [
          {
            uri: URI,
            name: 'tools.d.ts',
            title: 'Types of the tools',
            description: 'The inputs and answers of all tools as declarations of TypeScript',
            mimeType: MIME_TYPE,
          },
        ]
      : [],
  async read(uri, context) {
    if (isTyped(context)) return { mimeType: MIME_TYPE, text: await declarations(context) }
    throw new ResourceNotFoundError(uri, 'Expected a connection with typed answers, found another; add answers=typed.')
  },
})

const MIME_TYPE = 'application/typescript'
