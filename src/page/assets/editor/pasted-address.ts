/** Addresses of pages of this space, which are pasted as links to what they show. */
import { titleFromPlain } from '../../../markdown/inline-title.ts'
import { BLOCK_LINK, DATE_LINK } from '../../../markdown/text-addresses.ts'
import { calls } from '../calls.ts'

export interface PageLink {
  /** Such as `block://12`. */
  url: string
  /** The inline Markdown of the title; undefined if it cannot be read. */
  title(): Promise<string | undefined>
}

/** @param base  the base address of the space's pages */
export function linkToPage(address: string, base: string): PageLink | undefined {
  const url = new URL(address)
  if (url.origin !== location.origin || !url.pathname.startsWith(`${base}/`)) return undefined
  const path = url.pathname.slice(base.length)
  const [, date] = /^\/days\/(\d{4}-\d\d-\d\d)$/.exec(path) ?? []
  if (date !== undefined) return { url: DATE_LINK + date, title: async () => date }
  const [, page] = /^\/(?:d|collections|whiteboards)\/([\w-]+)$/.exec(path) ?? []
  const [, block] = /^#b([\w-]+)$/.exec(url.hash) ?? []
  const id = block ?? page
  return id === undefined ? undefined : { url: BLOCK_LINK + id, title: () => titleOf(id) }
}

async function titleOf(id: string): Promise<string | undefined> {
  try {
    const { markdown, title } = await calls.read<{ markdown?: string; title?: string | { value: string } }>({
      tool: 'blocks_get',
      arguments: { id, maxDepth: 0 },
    })
    const plain = typeof title === 'object' ? title.value : (title ?? markdown ?? '')
    return plain.trim() === '' ? undefined : titleFromPlain(plain.trim())
  } catch {
    return undefined
  }
}
