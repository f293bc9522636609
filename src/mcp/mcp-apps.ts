/**
 * MCP Apps (`io.modelcontextprotocol/ui`): beside the text that an agent reads, a host may show people what a tool
 * answered. One resource is the frame of all of them; what stands in it comes with each answer, as HTML in `_meta`, which
 * no model reads. Source: modelcontextprotocol/ext-apps, specification/2026-01-26/apps.mdx
 */
import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { AppViews } from '../call/catalog/app-views.ts'
import type { ToolListing } from '../call/catalog/tool-list.ts'
import type { ProgramResources } from './mcp-resources.ts'

export const APPS_EXTENSION = 'io.modelcontextprotocol/ui'

/** The one type of views that there is. */
const VIEW_TYPE = 'text/html;profile=mcp-app'
const SCHEME = 'ui://'
const VIEW_URI = 'ui://scriptorium/view'
/** Key of an answer's HTML. */
const VIEW_KEY = 'scriptorium/view'

/** Capabilities of a client as far as they are needed: whether it shows views. */
export function viewCapabilities(capabilities: unknown): object {
  return showsViews(capabilities) ? { extensions: { [APPS_EXTENSION]: { mimeTypes: [VIEW_TYPE] } } } : {}
}

/** @param capabilities  of a client, as it sent them */
export function showsViews(capabilities: unknown): boolean {
  const { extensions } = Object(capabilities) as { extensions?: Record<string, unknown> }
  const { mimeTypes } = Object(Object(extensions)[APPS_EXTENSION]) as { mimeTypes?: unknown }
  return Array.isArray(mimeTypes) && mimeTypes.includes(VIEW_TYPE)
}

/** A tool as it is listed for clients that show views. */
export const withView = (listing: ToolListing): ToolListing & { _meta: object } => ({
  ...listing,
  _meta: { ui: { resourceUri: VIEW_URI } },
})

export const viewMeta = (html: string): object => ({ [VIEW_KEY]: html })

/** The frame. It is listed nowhere: a host reads it because a tool names it. */
export const viewResources = (load: () => Promise<AppViews>): ProgramResources => ({
  isAddress: (uri) => uri.startsWith(SCHEME),
  list: async () => [],
  async read(uri) {
    if (uri !== VIEW_URI) throw new ResourceNotFoundError(uri, `Expected ${VIEW_URI}, found ${uri.slice(0, 200)}.`)
    const views = await load()
    return { mimeType: VIEW_TYPE, text: views.frame(), _meta: { ui: { prefersBorder: true } } }
  },
})

/** Several as one. */
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
