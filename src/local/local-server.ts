/** An open space for local clients, as used by the command `stdio` and by the package's function. */
import program from '../../package.json' with { type: 'json' }
import { instructionsFor } from '../../tools/instructions.ts'
import type { ToolEntry } from '../call/catalog/tool-list.ts'
import { newConnectionName } from '../call/connection-names.ts'
import { PendingNotices } from '../call/pending-notices.ts'
import type { Caller } from '../call/run.ts'
import type { ServedSpace } from '../call/space-registry.ts'
import { readPrebuiltTools } from '../mcp/prebuilt-tools.ts'
import type { StdioOptions } from '../mcp/stdio.ts'
import type { ServerCatalog } from '../server-catalog.ts'
import type { AccessLevel, AccessLink, ConnectionKind } from '../space/model/space.ts'

/** A link that the client acts with, instead of a reach of its own. */
export interface ActingLink {
  readonly link: AccessLink
  current(): Promise<AccessLink | undefined>
  refresh(): Promise<void>
}

export interface LocalConnection {
  kind: ConnectionKind
  access: AccessLevel
  /** IDs of the documents that a `selected` connection exposes. */
  documents: readonly string[]
  /** In place of the kind, the access and the documents. */
  actsWith?: ActingLink
  /** Names or nouns of tools, separated by commas; absent for all. */
  tools?: string
  /** `typed` for answers in JSON alone, with a type for each tool. */
  answers?: 'typed'
  /** Folders from which files may be added. */
  files: readonly string[]
  /** Maximum size of a file in bytes. */
  fileLimit: number
  log(line: string): void
}

/**
 * Builds the options for one client. Called once per client, since each gets its own notices.
 *
 * @throws VALIDATION_ERROR for unknown documents, tools or folders
 */
export async function localMcpOptions(
  { space, rateLimiter }: ServedSpace,
  { kind: given, access, documents, actsWith, tools, answers, files, fileLimit, log }: LocalConnection,
): Promise<() => StdioOptions> {
  const own = actsWith?.link ?? (await space.createAccessLink(given, documents, undefined, access))
  const { kind } = own
  const folders = await resolveFolders(files)
  // Cached, since a dynamic import takes a sixth of the time of a small call even if the module is loaded.
  let loading: Promise<typeof import('../../tools/index.ts')> | undefined
  const load = () => (loading ??= import('../../tools/index.ts'))
  const prebuiltTools = readPrebuiltTools(kind)
  const selection = tools === undefined ? {} : await loadToolSelection(tools, kind, prebuiltTools, load)
  return () => {
    const notices = new PendingNotices(async () => (await load()).noticeSources)
    const session = { connection: newConnectionName(), hasSession: true as const }
    const caller: Caller = {
      space,
      rateLimiter,
      // A person may pause it, or change what it reaches.
      get link() {
        return { ...(actsWith?.link ?? own), ...session }
      },
      ...(actsWith && { currentLink: actsWith.current }),
      ...selection,
      ...(answers && { answers }),
      notices,
      folders,
      fileLimit,
    }
    const options = { load, prebuiltTools, instructions: instructionsFor, version: program.version, caller, log }
    return { ...options, ...(actsWith && { beforeMessage: actsWith.refresh }) }
  }
}

/** @throws VALIDATION_ERROR for tools that the kind of connection does not have */
export async function assertToolsExist(tools: string, kind: ConnectionKind): Promise<void> {
  await loadToolSelection(tools, kind, readPrebuiltTools(kind), () => import('../../tools/index.ts'))
}

/** If the tool names are prebuilt, the endpoints need not be loaded. */
async function loadToolSelection(
  tools: string,
  kind: ConnectionKind,
  prebuiltTools: readonly ToolEntry[] | undefined,
  load: () => Promise<ServerCatalog>,
) {
  const { selectTools } = await import('../call/catalog/tool-selection.ts')
  const entries =
    prebuiltTools?.map(({ listing, essential }) => ({ name: listing.name, isEssential: essential })) ??
    (await load()).endpoints.filter(({ input }) => input[kind] !== undefined)
  const essential = entries.filter(({ isEssential }) => isEssential)
  return selectTools(
    entries.map(({ name }) => name),
    [tools],
    essential.map(({ name }) => name),
  )
}

/** The folders from which files may be added, resolved when the server starts. */
async function resolveFolders(files: readonly string[]): Promise<readonly string[]> {
  if (files.length === 0) return files
  const { realFolderPaths } = await import('../../storage/bytes/local-files.ts')
  return realFolderPaths(files)
}
