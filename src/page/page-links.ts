/** Resolves links in texts to addresses on the pages: blocks, days and files of the space, and external addresses. */
import { DATE_SCHEME, isUnsafeAddress, parseAddress } from '../markdown/addresses.ts'

/** A link that can be followed; `isOwn` if it leads to a page of this space. */
export interface PageLink {
  href: string
  isOwn: boolean
}

/** Schemes that pages may link to. */
const WEB = /^(?:https?|mailto|tel):/i
const FILE = /^scriptorium:\/\/files\/([\w-]{1,40})$/i
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The query of the address of a PDF that is shown in the browser rather than saved. */
export const SHOW_PDF = 'show'

export class PageLinks {
  /** The base address of the space's pages, such as `/view/0123456789`. */
  readonly base: string
  /** The lists of tasks that are stored as documents, by their IDs. */
  taskLists: ReadonlyMap<string, 'inbox' | 'logbook'> = new Map()
  /** Their names by title, for what names documents by titles alone. See list-names.ts. */
  listNames: ReadonlyMap<string, string> = new Map()
  readonly #spaceId: string

  constructor(base: string, spaceId: string) {
    this.base = base
    this.#spaceId = spaceId.toLowerCase()
  }

  block(id: string): string {
    return `${this.base}/d/${encodeURIComponent(id)}`
  }

  /** A document that a call changed, or the list of tasks that it is. */
  document(id: string): string {
    const scope = this.taskLists.get(id)
    return scope === undefined ? this.block(id) : `${this.base}/tasks?scope=${scope}`
  }

  day(date: string): string {
    return `${this.base}/days/${date}`
  }

  /** The list of what has a tag. @param name  without the `#` */
  tag(name: string): string {
    return `${this.base}/tags?tag=${encodeURIComponent(name)}`
  }

  /** The address for reading a file of the space; undefined for a file elsewhere. */
  file(url: string, name = ''): string | undefined {
    const id = FILE.exec(url)?.[1]
    if (id === undefined) return undefined
    return `${this.base}/files/${id}${name === '' ? '' : `/${encodeURIComponent(name)}`}`
  }

  /**
   * Returns undefined if the link cannot be followed: its target is out of reach, or it is unsafe or has an unknown
   * scheme.
   */
  of(url: string): PageLink | undefined {
    const file = this.file(url)
    if (file !== undefined) return { href: file, isOwn: true }
    if (url.startsWith(DATE_SCHEME)) {
      const date = url.slice(DATE_SCHEME.length)
      return DAY.test(date) ? { href: this.day(date), isOwn: true } : undefined
    }
    const target = parseAddress(url)
    // Members have no page.
    const id = target?.isMember ? undefined : target?.ids[0]
    const isHere = target?.space === undefined || target.space === this.#spaceId
    if (id !== undefined && id !== '' && isHere) return { href: this.block(id), isOwn: true }
    return WEB.test(url) && !isUnsafeAddress(url) ? { href: url, isOwn: false } : undefined
  }
}
