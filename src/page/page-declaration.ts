/** What a page is: one declaration per address, as for tools. */

import type { Management } from '../auth/access-links/link-managers.ts'
import type { Effect } from '../endpoint.ts'
import type { AssetName } from './assets.ts'
import type { Html } from './html.ts'
import type { PageCall } from './page-call.ts'
import type { PageTool } from './page-tools.ts'
import type { ScriptName } from './scripts.ts'

/** A complete page, to be shown within the layout. */
export interface ShownPage {
  title: string
  main: Html | AsyncIterable<Html>
  /** The path of its entry in the navigation. */
  current?: string
  /** The folder whose documents the navigation lists. */
  folderId?: string | undefined
  /** The document of the page. */
  documentId?: string
  /** The page within it that is shown, if it is not all of the document. */
  nestedId?: string
  status?: number
  /** For a form that was refused: the reason, which scripts get in a header. */
  fault?: string
  /** Content of the right column. On a phone it opens as a sheet, by a link of this name. */
  side?: { name: string; content: Html }
  /** True if it shows the latest calls itself, so that the right column does not. */
  showsCalls?: true
  /** True if it shows pending proposals itself. */
  showsWaiting?: true
  /** Scripts beyond those of every page. Those that make changes are only there if the link may make them. */
  scripts?: readonly ScriptName[]
  /** Styles beyond those of every page. */
  styles?: readonly AssetName[]
  /** A `Set-Cookie` header. */
  setCookie?: string
  /** True if its scripts show images from data URLs, as in drawings. */
  showsDataImages?: true
  /** True if it is wider than text, as tables and boards are. */
  isWide?: true
}

/** A part of a page, which a script inserts. */
export interface PageFragment {
  fragment: Html
}

/** A redirect to another page, as a path below the base address. Scripts that submitted a form receive the address. */
export interface PageRedirect {
  redirect: string
  /** A `Set-Cookie` header. */
  setCookie?: string
}

export type PageAnswer = ShownPage | PageFragment | PageRedirect | Response

export interface Page {
  /** Method and path: `GET /d/:id/history`. */
  route: `${'GET' | 'POST'} /${string}`
  /** Tools that the page needs. A connection without one of them does not have the page. */
  needs?: readonly PageTool[]
  /** The effect that a link must allow to see the page of a form. Submissions are checked by the tool itself. */
  effect?: Effect
  /** Only for the person who runs the program. */
  isOperatorOnly?: true
  /** Only for people who manage links, as far as they do. Never for a link. */
  isFor?: readonly Management[]
  /** Only for links that reach the whole space and may do everything in it, as importing over REST is. */
  isFullOnly?: true
  handle(call: PageCall): Promise<PageAnswer>
}

/** The page of a request, and its path parameters by name. */
export interface MatchedPage {
  page: Page
  params: Record<string, string>
}

/** Builds a lookup table of pages. */
export function routePages(pages: readonly Page[]): (method: string, path: string) => MatchedPage | undefined {
  const routes = pages.map((page) => {
    const [method = '', pattern = ''] = page.route.split(' ')
    return { page, method, segments: pattern.split('/') }
  })
  return (method, path) => {
    const asked = path.replace(/\/+$/, '').split('/')
    for (const { page, method: own, segments } of routes) {
      if (own !== method && !(own === 'GET' && method === 'HEAD')) continue
      const params = matchSegments(segments, asked)
      if (params !== undefined) return { page, params }
    }
    return undefined
  }
}

function matchSegments(segments: readonly string[], asked: readonly string[]): Record<string, string> | undefined {
  const own = segments.length === 2 && segments[1] === '' ? [''] : segments
  if (own.length !== asked.length) return undefined
  const params: Record<string, string> = Object.create(null)
  for (const [index, segment] of own.entries()) {
    const part = asked[index] ?? ''
    if (!segment.startsWith(':')) {
      if (segment !== part) return undefined
      continue
    }
    const value = decodeSegment(part)
    if (value === undefined || value === '') return undefined
    params[segment.slice(1)] = value
  }
  return params
}

function decodeSegment(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
