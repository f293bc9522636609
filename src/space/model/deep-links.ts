/** Links that open a place of the space in a browser. Source: the interface, "Deep links". */
import type { Space } from './space.ts'

const APP = 'scriptorium://'

type Place = Pick<Space, 'info' | 'link'>

/**
 * The address of the web pages of the space: on the server that received the call, or for a local program where
 * `scriptorium open` serves them. Returns undefined if people use an editor of their own.
 */
function pageAddress({ info, link }: Place): string | undefined {
  return info.editorUrl === undefined ? (link.files?.origin ?? info.pages?.url) : undefined
}

/** `http://127.0.0.1:4811/open?spaceId=…&documentId=…`, or `scriptorium://open?…` where there are no pages. */
export function deepLink(place: Place, target: { documentId: string } | { blockId: string }): string {
  const page = pageAddress(place)
  return linkAt(page === undefined ? APP : `${page}/`, place, target)
}

function linkAt(root: string, { info }: Place, target: object): string {
  const [[name, value] = []] = Object.entries(target)
  return `${root}open?spaceId=${info.id}&${name}=${value}`
}

export interface UrlTemplates {
  app: string
  /** Present if people have web pages or an editor in which to open documents. */
  web?: string
  /** What must be running for these links to work. */
  note?: string
}

export function urlTemplates(place: Place): UrlTemplates {
  const { info, link } = place
  const app = linkAt(APP, place, { blockId: '{blockId}' })
  const root = info.editorUrl?.replace(/\/+$/, '') ?? pageAddress(place)
  if (root === undefined) return { app }
  const isElsewhere = info.editorUrl === undefined && link.files === undefined
  return {
    app,
    web: `${root}/d/${info.id}/{documentId}`,
    ...(isElsewhere && { note: `These links open while \`${info.pages?.command}\` runs on this machine.` }),
  }
}
