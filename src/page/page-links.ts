/** Where links of texts lead on the pages: blocks, days and files of the space, and addresses elsewhere. */
import { DATE_SCHEME, isUnsafeAddress, parseAddress } from '../markdown/addresses.ts'

/** A link that can be followed; `isOwn` for one that leads to a page of this space. */
export interface PageLink {
  href: string
  isOwn: boolean
}

/** Schemes that a browser may be sent to from a page. */
const WEB = /^(?:https?|mailto|tel):/i
const FILE = /^scriptorium:\/\/files\/([\w-]{1,40})$/i
const DAY = /^\d{4}-\d{2}-\d{2}$/

export class PageLinks {
  /** The address of the pages of the space, such as `/view/0123456789`. */
  readonly base: string
  readonly #spaceId: string

  constructor(base: string, spaceId: string) {
    this.base = base
    this.#spaceId = spaceId.toLowerCase()
  }

  block(id: string): string {
    return `${this.base}/d/${encodeURIComponent(id)}`
  }

  day(date: string): string {
    return `${this.base}/days/${date}`
  }

  /** Where a file of the space is read; nothing for a file elsewhere. */
  file(url: string, name = ''): string | undefined {
    const id = FILE.exec(url)?.[1]
    if (id === undefined) return undefined
    return `${this.base}/files/${id}${name === '' ? '' : `/${encodeURIComponent(name)}`}`
  }

  /** Nothing for what leads nowhere: out of reach, unsafe, or of a scheme that no browser follows. */
  of(url: string): PageLink | undefined {
    const file = this.file(url)
    if (file !== undefined) return { href: file, isOwn: true }
    if (url.startsWith(DATE_SCHEME)) {
      const date = url.slice(DATE_SCHEME.length)
      return DAY.test(date) ? { href: this.day(date), isOwn: true } : undefined
    }
    const target = parseAddress(url)
    const id = target?.ids[0]
    const isHere = target?.space === undefined || target.space === this.#spaceId
    if (id !== undefined && id !== '' && isHere) return { href: this.block(id), isOwn: true }
    return WEB.test(url) && !isUnsafeAddress(url) ? { href: url, isOwn: false } : undefined
  }
}
