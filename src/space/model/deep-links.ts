/** Links that open a place of the space in the program or in a browser. Source: the interface, "Deep links". */
import type { Space } from './space.ts'

const APP = 'scriptorium://'

type Place = Pick<Space, 'info' | 'link'>

/**
 * The address of the web pages of the space: on the server that received the call, or for a local program where
 * `scriptorium open` serves them at present. Returns undefined if people use an editor of their own.
 */
export function pageAddress({ info, link }: Place): string | undefined {
  if (info.editorUrl !== undefined) return undefined
  return link.files?.origin ?? (info.pages?.isServed ? info.pages.url : undefined)
}

export interface DeepLinks {
  /** `scriptorium://open?spaceId=…&documentId=…`, with `&blockId=…` for a block. */
  clickableLink: string
  /** The same place on the web: present if people have web pages or an editor. */
  webLink?: string
}

/** The links of a document, or of a block in it. IDs are spelled as the connection spells them. */
export function deepLinks(place: Place, { documentId, blockId }: { documentId: string; blockId?: string }): DeepLinks {
  const { id: spaceId } = place.info
  const block = blockId === undefined || blockId === documentId ? undefined : blockId
  const clickableLink = `${APP}open?spaceId=${spaceId}&documentId=${documentId}${block === undefined ? '' : `&blockId=${block}`}`
  const root = webRoot(place)
  if (root === undefined) return { clickableLink }
  // The pages find a block by its ID; of an editor, only the template for documents is known.
  const target = place.info.editorUrl === undefined ? (block ?? documentId) : documentId
  return { clickableLink, webLink: `${root}/d/${spaceId}/${target}` }
}

const webRoot = (place: Place): string | undefined => place.info.editorUrl?.replace(/\/+$/, '') ?? pageAddress(place)

export interface UrlTemplates {
  app: string
  /** Present if people have web pages or an editor in which to open documents. */
  web?: string
  /** What must be running for these links to work. */
  note?: string
}

export function urlTemplates(place: Place): UrlTemplates {
  const { info, link } = place
  const app = `${APP}open?spaceId=${info.id}&blockId={blockId}`
  const root = webRoot(place)
  const { command } = (info.editorUrl === undefined && link.files === undefined && info.pages) || {}
  if (root === undefined) {
    return { app, ...(command && { note: `There are web addresses while \`${command}\` runs on this machine.` }) }
  }
  return {
    app,
    web: `${root}/d/${info.id}/{documentId}`,
    ...(command && { note: `These links open while \`${command}\` runs on this machine.` }),
  }
}
