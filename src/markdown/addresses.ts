/**
 * What an address leads to: a block of a space, something that runs, or something else. Addresses are read as browsers
 * read them: letter case, control characters around them, and tabs and line ends in them do not matter.
 */

export const BLOCK_SCHEME = 'block://'
export const DATE_SCHEME = 'date://'
/** Shown in place of an address that leads to a block out of reach. */
export const OUT_OF_SCOPE_ADDRESS = 'invalid:out_of_scope'
/** Shown in place of an address that runs something, where one is kept from before such addresses were refused. */
export const INVALID_UNSAFE = 'invalid:unsafe_address'

/** The blocks that an address names. */
export interface AddressTarget {
  /** In the spelling in which they are looked up; possibly none that exists. */
  ids: string[]
  /** The ID of the space, where the address names one. */
  space?: string
}

/**
 * The blocks that an address leads to; undefined for an address that names none.
 *
 *     block://ID    scriptorium://open?spaceId=…&blockId=ID    scriptorium://documents/ID
 *     scriptorium://whiteboards/ID    https://editor.example/d/{space}/ID    http://…/open?spaceId=…&blockId=ID
 */
export function parseAddress(address: string): AddressTarget | undefined {
  const url = asRead(address)
  const block = /^block:\/*([^/?#]*)/i.exec(url)
  if (block !== null) return { ids: [canonical(block[1])] }
  const resource = /^scriptorium:\/\/(?:documents|whiteboards)\/([^/?#]*)/i.exec(url)
  if (resource !== null) return { ids: [canonical(resource[1])] }
  const opened = /^scriptorium:\/\/open\/*\?([^#]*)/i.exec(url)
  if (opened !== null) return openedBy(new URLSearchParams(opened[1]))
  const paged = /^https?:\/\/[^?#]{0,2000}\/open\/*\?([^#]*)/i.exec(url)
  if (paged !== null) return pagedBy(openedBy(new URLSearchParams(paged[1])))
  const web = /^https?:\/\/[^?#]{0,2000}\/d\/([^/?#]+)\/([^/?#]+)/i.exec(url)
  return web === null ? undefined : { ids: [canonical(web[2])], space: canonical(web[1]) }
}

function openedBy(query: URLSearchParams): AddressTarget {
  const ids = ['blockId', 'documentId'].flatMap((key) => query.getAll(key).map((id) => id.toLowerCase()))
  const space = query.get('spaceId')?.toLowerCase()
  return space === undefined ? { ids } : { ids, space }
}

/** Other pages have such an address as well: it is one of a space only where it names the space and a block. */
const pagedBy = (target: AddressTarget): AddressTarget | undefined =>
  target.space !== undefined && target.ids.length > 0 ? target : undefined

function canonical(part = ''): string {
  try {
    return decodeURIComponent(part).toLowerCase()
  } catch {
    return part.toLowerCase()
  }
}

const asRead = (address: string): string => address.replace(/^[\0- ]+|[\t\n\r]/g, '')

/** `javascript` as `[Jj][Aa]…`, for a pattern without flags. */
const anyCase = (word: string): string => word.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)

/** The beginning of an address that runs something where it is opened, or may: a pattern without flags. */
export const UNSAFE_SCHEME = `(?:${['javascript', 'vbscript', 'data'].map(anyCase).join('|')}):`

const UNSAFE_ADDRESS = new RegExp(`^${UNSAFE_SCHEME}`)
/** Data that is only ever shown. */
const MEDIA_DATA = /^data:(?:image|audio|video)\//i

/**
 * Whether an address runs something where it is opened, or may: `javascript:`, `vbscript:`, and `data:`, of which a page
 * can be made. Pictures, sounds and films as data are safe where they are shown and not opened.
 */
export function isUnsafeAddress(address: string, isShown = false): boolean {
  const url = asRead(address)
  return UNSAFE_ADDRESS.test(url) && !(isShown && MEDIA_DATA.test(url))
}

/** Characters of an address that an error shows. */
const SHOWN_LENGTH = 60

export const describeUnsafeAddress = (address: string): string =>
  `Expected an address that opens something, found ${JSON.stringify(address.slice(0, SHOWN_LENGTH))}, which may run something; leave it out, or put it into code.`
