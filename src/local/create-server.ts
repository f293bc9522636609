/** The package as a library: serves a space to MCP clients in the same process, or over transports of the caller. */
import type { Transport } from '@modelcontextprotocol/server'
import { logToStandardError } from '../base/background.ts'
import { BLOCKS_PER_WINDOW, FILE_BYTES, REQUESTS_PER_WINDOW } from '../base/limits.ts'
import { RateLimiter } from '../call/rate-limiter.ts'
import { serveTransport } from '../mcp/stdio.ts'
import { openSpace } from '../space/open-space.ts'
import { localMcpOptions } from './local-server.ts'
import { assertServerOptions, assertTransport, OPTION_RULES } from './server-options.ts'

/** The served space, and what its clients may reach and do. The command `stdio` has the same options as flags. */
export interface ServerOptions {
  /**
   * Path of the space's file, which is created if it does not exist; `:memory:` for a space that ends with the server.
   */
  space: string
  /** What clients reach: the full space (default), selected documents, or daily notes and tasks. */
  kind?: 'full' | 'selected' | 'daily'
  /** IDs of the documents that a `selected` connection exposes. */
  documents?: readonly string[]
  /** What clients may do: everything (default), everything except delete, or only read. */
  access?: 'full' | 'no-delete' | 'propose' | 'comment' | 'read'
  /** Names or nouns of tools separated by commas, such as `documents,blocks_get`, or `essential`; all by default. */
  tools?: string
  /** `typed` for answers in JSON alone, with a type for each tool; short answers by default, in Markdown where it is shorter. */
  answers?: 'typed'
  /** Local folders from which clients may add files; none by default. */
  files?: readonly string[]
  /** Name of a new space. */
  name?: string
  /** Time zone of a new space, as an IANA name; the system's by default. */
  timezone?: string
  /** Receives internal errors and warnings, one line each. By default they are written to standard error. */
  log?: (line: string) => void
}

/** A transport of the Model Context Protocol's SDK, such as `InMemoryTransport` of `@modelcontextprotocol/client`. */
export interface ServerTransport {
  start(): Promise<void>
  send(message: object): Promise<void>
  close(): Promise<void>
  onmessage?: ((message: never, extra?: never) => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onclose?: (() => void) | undefined
}

export interface SpaceServer {
  /**
   * Serves one client until its transport closes or the returned function is called. Can be called for several clients.
   */
  connect(transport: ServerTransport): () => Promise<void>
  /** Closes all connections, then the space's file. */
  close(): Promise<void>
}

/**
 * Opens a space for MCP clients. Several servers, processes and commands can open the same space.
 *
 * @throws Error with `code` VALIDATION_ERROR for unknown or invalid options and files that are not spaces, STORAGE_FULL or
 *   STORAGE_UNAVAILABLE for disk faults
 */
export async function createServer(options: ServerOptions): Promise<SpaceServer> {
  assertServerOptions(options, OPTION_RULES satisfies Record<keyof ServerOptions, unknown>)
  const { kind = 'full', documents = [], access = 'full', tools, answers, files = [], name, timezone } = options
  const { log = logToStandardError } = options
  const space = await openSpace(options.space, {
    report: log,
    ...(name !== undefined && { name }),
    ...(timezone !== undefined && { timezone }),
  })
  const usage = space.openUsage(log)
  const limits = { requests: REQUESTS_PER_WINDOW, blocks: BLOCKS_PER_WINDOW }
  const connections = new Set<() => Promise<void>>()
  const close = async () => {
    await Promise.all([...connections].map((end) => end()))
    usage.close()
    await space.close()
  }
  const served = { space, rateLimiter: new RateLimiter(usage, limits, Date.now), close }
  const connection = {
    kind,
    documents,
    access,
    files,
    fileLimit: FILE_BYTES,
    log,
    ...(tools !== undefined && { tools }),
    ...(answers !== undefined && { answers }),
  }
  try {
    const mcpOptions = await localMcpOptions(served, connection)
    return {
      connect(transport) {
        assertTransport(transport)
        const host = serveTransport(mcpOptions(), transport as Transport)
        const end = async () => {
          connections.delete(end)
          await host.close()
        }
        connections.add(end)
        return end
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
