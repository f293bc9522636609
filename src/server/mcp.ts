/** The Model Context Protocol over {@link run}: the same tools for 2025 and 2026 clients, on every transport. */
import { Server } from '@modelcontextprotocol/server'
import type { Announcement, Endpoint } from '../endpoint.ts'
import type { OpenSpace } from '../space/open.ts'
import type { Kind, Link } from '../space/space.ts'
import { INSTRUCTIONS } from './instructions.ts'
import { News } from './news.ts'
import { type Answer, errorBody, run } from './run.ts'
import { ToolTable } from './table.ts'

/** Milliseconds for which clients may keep a list: tools change with the program alone. */
const LIST_TTL = 3_600_000

export interface McpOptions {
  endpoints: readonly Endpoint[]
  announcements: readonly Announcement[]
  version: string
  space: OpenSpace
  /** What the connection reaches; its author is the client's name, where the client tells it. */
  link: Link
  log: (line: string) => void
}

/** Makes servers, one for each connection or HTTP request; the tools and their validators are made once. */
export function mcpFactory({ endpoints, announcements, version, space, link, log }: McpOptions): () => Server {
  const table = tableOf(endpoints, link.kind)
  const news = new News(announcements)
  return () => {
    const server = new Server(
      { name: 'scriptorium', title: 'Scriptorium', version },
      {
        capabilities: { tools: {} },
        instructions: INSTRUCTIONS[link.kind],
        cacheHints: { 'tools/list': { ttlMs: LIST_TTL, cacheScope: 'private' } },
      },
    )
    server.setRequestHandler('tools/list', async () => {
      const unavailable = await space.read(link, (view) => table.unavailable(view))
      return { tools: table.listing.filter(({ name }) => !unavailable.has(name)) } as never
    })
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      try {
        const envelope = context.mcpReq.envelope as Record<string, { name?: string } | undefined> | undefined
        const client = envelope?.['io.modelcontextprotocol/clientInfo']?.name ?? server.getClientVersion()?.name
        const caller = { space, link: { ...link, author: client ?? link.author }, news }
        return toolResult(await run(table.get(params.name), params.arguments, caller))
      } catch (error) {
        const body = errorBody(error, log)
        const content = [{ type: 'text' as const, text: body.error }]
        if (body.details !== undefined) content.push({ type: 'text', text: JSON.stringify(body) })
        return { content, isError: true }
      }
    })
    return server
  }
}

const tables = new Map<readonly Endpoint[], Map<Kind, ToolTable>>()

/** The tools of one kind of connection, made at the first use and kept. */
export function tableOf(endpoints: readonly Endpoint[], kind: Kind): ToolTable {
  const byKind = tables.get(endpoints) ?? new Map<Kind, ToolTable>()
  tables.set(endpoints, byKind)
  const table = byKind.get(kind) ?? new ToolTable(endpoints, kind)
  byKind.set(kind, table)
  return table
}

function toolResult(answer: Answer) {
  const besides = answer.besides && { _meta: answer.besides }
  if ('object' in answer) {
    const text = JSON.stringify(answer.object)
    const structuredContent = answer.object as Record<string, unknown>
    return { content: [{ type: 'text' as const, text }], structuredContent, ...besides }
  }
  const { body, note } = answer.text
  const content = [{ type: 'text' as const, text: body }]
  if (note !== undefined) content.push({ type: 'text', text: note })
  return { content, ...besides }
}
