/**
 * MCP Apps (`io.modelcontextprotocol/ui`): in addition to the text for agents, hosts can show tool results to people.
 * All views share one resource as their frame. The content comes with each result as HTML in `_meta`, which models do
 * not see. Source: modelcontextprotocol/ext-apps, specification/2026-01-26/apps.mdx
 */
import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { AppViews } from '../call/catalog/app-views.ts'
import type { ToolListing } from '../call/catalog/tool-list.ts'
import type { ProgramResources } from './mcp-resources.ts'

export const APPS_EXTENSION = 'io.modelcontextprotocol/ui'

/** The only type of views. */
const VIEW_TYPE = 'text/html;profile=mcp-app'
const SCHEME = 'ui://'
const VIEW_URI = 'ui://scriptorium/view'
/** The `_meta` key of a response's HTML. */
const VIEW_KEY = 'scriptorium/view'

/** The relevant capabilities of a client: whether it shows views. */
export function viewCapabilities(capabilities: unknown): object {
  return showsViews(capabilities) ? { extensions: { [APPS_EXTENSION]: { mimeTypes: [VIEW_TYPE] } } } : {}
}

/** @param capabilities  as sent by the client */
export function showsViews(capabilities: unknown): boolean {
  const { extensions } = Object(capabilities) as { extensions?: Record<string, unknown> }
  const { mimeTypes } = Object(Object(extensions)[APPS_EXTENSION]) as { mimeTypes?: unknown }
  return Array.isArray(mimeTypes) && mimeTypes.includes(VIEW_TYPE)
}

/** A tool listing for clients that show views. Models may call the tool, and views as well. */
export const withView = (listing: ToolListing): ToolListing & { _meta: object } => ({
  ...listing,
  _meta: { ui: { resourceUri: VIEW_URI } },
})

/** The listing of what views may call, and models may not: hosts show it to no model. */
export const forViewsOnly = (listing: ToolListing): ToolListing & { _meta: object } => ({
  ...listing,
  _meta: { ui: { visibility: ['app'] } },
})

export const viewMeta = (html: string): object => ({ [VIEW_KEY]: html })

/** The frame as a resource. It is not listed: hosts read it because a tool refers to it. */
export const viewResources = (load: () => Promise<AppViews>): ProgramResources => ({
  isAddress: (uri) => uri.startsWith(SCHEME),
  list: async () => [],
  async read(uri) {
    if (uri !== VIEW_URI) throw new ResourceNotFoundError(uri, `Expected ${VIEW_URI}, found ${uri.slice(0, 200)}.`)
    const views = await load()
    return { mimeType: VIEW_TYPE, text: views.frame(), _meta: { ui: { prefersBorder: true } } }
  },
})

/** Combines several sources of resources. */
export const joinResources = (...all: readonly ProgramResources[]): ProgramResources => {
  const find = (uri: string) => all.find((one) => one.isAddress(uri))
  return {
    isAddress: (uri) => find(uri) !== undefined,
    list: async (context) => (await Promise.all(all.map((one) => one.list(context)))).flat(),
    async read(uri, context) {
      const found = find(uri)
      if (found === undefined) throw new ResourceNotFoundError(uri, 'Expected the address of a resource.')
      return found.read(uri, context)
    },
  }
}
