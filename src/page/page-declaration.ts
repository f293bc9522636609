/** What a page is: one declaration for each address, as for tools. */
import type { Effect } from '../endpoint.ts'
import type { Html } from './html.ts'
import type { PageCall } from './page-call.ts'
import type { ScriptName } from './scripts.ts'

/** A whole page, inside the frame that all pages have. */
export interface ShownPage {
  title: string
  main: Html | AsyncIterable<Html>
  /** The entry of the navigation that it belongs to: its path. */
  current?: string
  /** The folder whose documents the navigation lists. */
  folderId?: string | undefined
  /** The document that it is about. */
  documentId?: string
  status?: number
  /** What stands in the right column above what happens. */
  side?: Html
  /** Whether it shows the latest calls itself, so that the right column does not. */
  showsCalls?: true
  /** Whether it shows what waits itself. */
  showsWaiting?: true
  /** Scripts that it has besides those of every page; only where the link may change what they change. */
  scripts?: readonly ScriptName[]
  /** Whether scripts show pictures in it whose bytes stand in their addresses: those of drawings. */
  showsDataImages?: true
  /** Whether it is wider than a text: tables, boards. */
  isWide?: true
}

/** A part of a page, for a script that puts it where it belongs. */
export interface PageFragment {
  fragment: Html
}

/** Another page, which the browser goes to; a script that sent a form gets its address. A path below the address of the pages. */
export interface PageRedirect {
  redirect: string
}

export type PageAnswer = ShownPage | PageFragment | PageRedirect | Response

export interface Page {
  /** Method and path: `GET /d/:id/history`. */
  route: `${'GET' | 'POST'} /${string}`
  /** The tools without which there is no such page on a connection. */
  needs?: readonly string[]
  /** What a link may not do for which there is no such page: the page of a form. What is sent is refused by the tool. */
  effect?: Effect
  /** Only for the person who runs the program. */
  isOperatorOnly?: true
  handle(call: PageCall): Promise<PageAnswer>
}

/** The page of a request, and the parts of its path by name. */
export interface MatchedPage {
  page: Page
  params: Record<string, string>
}

/** Makes a table of pages that requests are looked up in. */
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
  const params: Record<string, string> = {}
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
