/**
 * What an address leads to: a block or a member of a space, something that runs, or something else. Addresses are read as browsers
 * read them: letter case, control characters around them, and tabs and line ends in them do not matter.
 */

export const BLOCK_SCHEME = 'block://'
export const DATE_SCHEME = 'date://'
/** Begins the address of a member: a link with it mentions a person, an agent or a group. */
export const PERSON_SCHEME = 'person://'
/** Replaces an address that leads to a block or a member out of reach. */
export const OUT_OF_SCOPE_ADDRESS = 'invalid:out_of_scope'
/** Replaces an unsafe address that was stored before such addresses were refused. */
export const INVALID_UNSAFE = 'invalid:unsafe_address'

/** The blocks, or the member, that an address refers to. */
export interface AddressTarget {
  /** In normalized spelling. Nothing needs to exist with them. */
  ids: string[]
  /** True if the ID is that of a member. */
  isMember?: true
  /** The ID of the space, if the address contains one. */
  space?: string
}

/**
 * The blocks or the member that an address leads to; undefined for an address that names none.
 *
 *     person://ID
 *     block://ID    scriptorium://open?spaceId=…&blockId=ID    scriptorium://documents/ID
 *     scriptorium://whiteboards/ID    https://editor.example/d/{space}/ID    http://…/open?spaceId=…&blockId=ID
 */
export function parseAddress(address: string): AddressTarget | undefined {
  const url = asRead(address)
  const block = /^block:\/*([^/?#]*)/i.exec(url)
  if (block !== null) return { ids: [canonical(block[1])] }
  const person = /^person:\/*([^/?#]*)/i.exec(url)
  if (person !== null) return { ids: [canonical(person[1])], isMember: true }
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

/** Other websites may have similar addresses, so this counts only if the address names both the space and a block. */
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

/** Turns `javascript` into `[Jj][Aa]…`, for a pattern without flags. */
const anyCase = (word: string): string => word.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)

/** Matches the beginning of an address that runs code when opened, or may do so. A pattern without flags. */
export const UNSAFE_SCHEME = `(?:${['javascript', 'vbscript', 'data'].map(anyCase).join('|')}):`

const UNSAFE_ADDRESS = new RegExp(`^${UNSAFE_SCHEME}`)
/** Data that is only displayed. */
const MEDIA_DATA = /^data:(?:image|audio|video)\//i

/**
 * True for an address that runs code when opened, or may do so: `javascript:`, `vbscript:`, and `data:`, which can
 * contain a page. Images, audio and video as data are safe if they are displayed and not opened.
 */
export function isUnsafeAddress(address: string, isShown = false): boolean {
  const url = asRead(address)
  return UNSAFE_ADDRESS.test(url) && !(isShown && MEDIA_DATA.test(url))
}

/** Maximum length of an address in an error message. */
const SHOWN_LENGTH = 60

export const describeUnsafeAddress = (address: string): string =>
  `Expected an address that opens something, found ${JSON.stringify(address.slice(0, SHOWN_LENGTH))}, which may run something; leave it out, or put it into code.`

/** True for the address of a member. */
export const isPersonAddress = (address: string): boolean => parseAddress(address)?.isMember === true
