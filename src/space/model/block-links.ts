/**
 * Decides what a connection may see of addresses in texts and fields.
 *
 * An address of a block, document or member out of reach, or of another space, is shown as `invalid:out_of_scope`, and one that runs code as
 * `invalid:unsafe_address`. In the text of a block, an address is the target of a link, an image or `<…>`. Addresses in
 * code, and bare ones in text, stay as their author typed them. In titles and plain texts, such as comments and values,
 * everything that is spelled like the address of a block counts, since these have no markup for links. An ID alone,
 * without `block://` or a similar prefix, is always plain text.
 */

import type { BlockRow } from '../../../storage/schema.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import {
  type AddressTarget,
  INVALID_UNSAFE,
  isUnsafeAddress,
  OUT_OF_SCOPE_ADDRESS,
  parseAddress,
} from '../../markdown/addresses.ts'
import { hasTitle, isCodeText, isTableText } from '../../markdown/block-traits.ts'
import { findCommentIds, shortenCommentIds } from '../../markdown/comment-tags.ts'
import { plainTitle } from '../../markdown/inline-title.ts'
import { findAddressesInWorker } from '../../markdown/markdown-in-worker.ts'
import {
  findAddresses,
  findPlainAddresses,
  findTitleAddresses,
  mayContainAddress,
  mayContainUnsafe,
  replaceAddresses,
  restoreBlockLinks,
  restoreTitleLinks,
  type TextAddress,
} from '../../markdown/text-addresses.ts'
import { isUuid, mayNeedRespelling, readSpelledId } from './ids.ts'
import { knownMemberIds } from './member-reach.ts'
import type { Space } from './space.ts'

/**
 * Returns an address as the connection may see it.
 *
 * @param isShown  true for images, which are displayed without a click
 */
type MapAddress = (url: string, isShown?: boolean) => string

/**
 * Creates a function that returns these addresses as the connection may see them. IDs are spelled as the connection
 * writes them, and addresses of blocks out of reach are hidden.
 */
async function createAddressMapper(space: Space, urls: Iterable<string>): Promise<MapAddress> {
  const { ids, isReached } = await resolveTargets(space, urls)
  if (ids === undefined) return maskUnsafeAddress
  // An address that was mapped already may be mapped again.
  for (const id of [...ids.values()]) ids.set(space.spellId(id), id)
  return (url, isEmbedded) => {
    const target = targetInSpace(space, url)
    if (!isReached(target)) return OUT_OF_SCOPE_ADDRESS
    return maskUnsafeAddress(respell(space, url, target?.ids ?? [], ids), isEmbedded)
  }
}

/** Returns those of the addresses that the connection is shown as `invalid:out_of_scope`. */
export async function addressesOutOfScope(space: Space, urls: Iterable<string>): Promise<Set<string>> {
  const all = [...urls]
  const { isReached } = await resolveTargets(space, all)
  return new Set(all.filter((url) => !isReached(targetInSpace(space, url))))
}

/** False if the target is within reach wherever it is, so that it need not be looked up. */
export function mayBeOutOfScope({ info, kind }: Pick<Space, 'info' | 'kind'>, url: string): boolean {
  const spelled = readSpelledId(url)
  return (
    kind !== 'full' || spelled.kind === 'former' || ('prefix' in spelled && spelled.prefix !== info.addressKey.idPrefix)
  )
}

/**
 * Looks up the targets of addresses. A full connection reaches everything in the space, and only a UUID can be seen to
 * be of another space.
 *
 * @returns the IDs behind the targets, and whether a target is within reach; no IDs if there are no targets
 */
async function resolveTargets(space: Space, urls: Iterable<string>) {
  const texts = new Set<string>()
  let namesMembers = false
  for (const url of urls) {
    const { ids: targets = [], isMember = false } = targetInSpace(space, url) ?? {}
    for (const id of targets) texts.add(id)
    namesMembers ||= isMember
  }
  if (texts.size === 0) return { ids: undefined, isReached: () => true }
  const ids = await space.readIds(texts)
  if (space.kind === 'full') {
    const isHere = (text: string) => ids.has(text) || !isUuid(text)
    return { ids, isReached: (target?: AddressTarget) => target?.ids.every(isHere) ?? true }
  }
  const numbers = [...new Set(ids.values())]
  const blocks = new Set((await space.findReachableBlocks(numbers)).map(({ id }) => id))
  const members = namesMembers ? await knownMemberIds(space, numbers) : new Set<number>()
  const isReached = (target?: AddressTarget) =>
    target?.ids.every((text) => (target.isMember ? members : blocks).has(ids.get(text) ?? 0)) ?? true
  return { ids, isReached }
}

/** Spells the IDs in an address as the connection writes them. */
function respell(space: Space, url: string, texts: readonly string[], ids: ReadonlyMap<string, number>): string {
  let respelled = url
  for (const text of texts) {
    const id = ids.get(text)
    const at = respelled.toLowerCase().lastIndexOf(text)
    if (id === undefined || at < 0) continue
    respelled = respelled.slice(0, at) + space.spellId(id) + respelled.slice(at + text.length)
  }
  return respelled
}

const maskUnsafeAddress: MapAddress = (url, isEmbedded) => (isUnsafeAddress(url, isEmbedded) ? INVALID_UNSAFE : url)

/** The target of an address in this space. Addresses of other spaces have no target here. */
function targetInSpace({ info }: Space, url: string): AddressTarget | undefined {
  const target = parseAddress(url)
  return target?.space === undefined || target.space === info.id.toLowerCase() ? target : undefined
}

/** Returns a function that gives the texts of these blocks as the connection may see them. */
export async function visibleTexts(space: Space, rows: readonly BlockRow[]): Promise<(row: BlockRow) => string> {
  const parsed = new Map<BlockRow, { text: string; addresses: readonly ShownPlace[] }>()
  for (const row of rows) {
    if (!mayNeedMasking(space, row)) continue
    const { text, type } = row
    const addresses = hasTitle(type) ? findTitleAddresses(text) : await findAddressesInWorker(text, isTableText(type))
    parsed.set(row, { text, addresses: withComments(space, text, addresses, isTableText(type)) })
    await yieldToEventLoop()
  }
  const urls = [...parsed.values()].flatMap(({ addresses }) => addresses.map(({ url }) => url))
  const mapAddress = await createAddressMapper(space, urls)
  const spellComment = await createCommentSpeller(space, urls)
  return (row) => {
    const { text } = row
    if (!mayNeedMasking(space, row)) return text
    const previous = parsed.get(row)
    // The row may have a new text by now. The targets of its links were not looked up then, so they are hidden.
    const addresses = previous?.text === text ? previous.addresses : addressesInRow(space, row)
    return replaceAddresses(text, addresses, ({ url, isPicture, isComment }) =>
      isComment ? spellComment(url) : mapAddress(url, isPicture),
    )
  }
}

const addressesInRow = (space: Space, { type, text }: BlockRow): ShownPlace[] => {
  const addresses = hasTitle(type) ? findTitleAddresses(text) : findAddresses(text, isTableText(type))
  return withComments(space, text, addresses, isTableText(type))
}

/** An address, or the ID of a comment, in a text. */
type ShownPlace = TextAddress & { isComment?: boolean }

/** With the IDs of comments, if the connection writes them otherwise than texts store them. */
function withComments({ link }: Space, text: string, addresses: TextAddress[], isTable: boolean): ShownPlace[] {
  if (link.idSpelling !== 'long') return addresses
  const comments = findCommentIds(text, isTable).map(({ id, start, end }) => {
    return { url: id, start, end, isPicture: false, isComment: true }
  })
  if (comments.length === 0) return addresses
  return [...addresses, ...comments].sort((one, other) => one.start - other.start)
}

async function createCommentSpeller(space: Space, ids: readonly string[]): Promise<(id: string) => string> {
  const known = space.link.idSpelling === 'long' ? await space.readIds(ids.filter(isBareId)) : new Map()
  return (id) => {
    const number = known.get(id)
    return number === undefined ? id : space.spellId(number)
  }
}

const isBareId = (text: string): boolean => readSpelledId(text).kind !== 'unknown'

/**
 * Puts back the addresses from `stored` that were hidden from the author of `text` in the block's text, and spells the
 * IDs of comments as they are stored.
 */
export const restoreText = (type: string, text: string, stored: string): string =>
  shortenCommentIds(
    hasTitle(type) ? restoreTitleLinks(text, stored) : restoreBlockLinks(text, stored),
    isTableText(type),
  )

const mayNeedMasking = (space: Space, { type, text }: BlockRow): boolean =>
  !isCodeText(type) && (mayContainUnsafe(text) || mayNameBlocks(space, text) || mayNameComments(space, text))

const mayNameComments = ({ link }: Space, text: string): boolean =>
  link.idSpelling === 'long' && text.includes('<comment')

/** True if a text may contain addresses of blocks or members that this connection must see in another form than the stored one. */
export const mayNameBlocks = ({ kind, link }: Space, text: string): boolean =>
  mayContainAddress(text) && (kind !== 'full' || mayNeedRespelling(text, link.idSpelling))

/** Plain texts and whole addresses, as a connection may see them. */
export interface VisiblePlainText {
  text(text: string): string
  /** @param isShown  true for images, which are displayed without a click */
  address(url: string, isShown?: boolean): string
}

/** @param texts  all texts and addresses that the returned functions will be called with */
export async function visiblePlainText(space: Space, texts: Iterable<string>): Promise<VisiblePlainText> {
  const urls: string[] = []
  for (const text of texts) {
    if (mayNameBlocks(space, text)) urls.push(text, ...findPlainAddresses(text).map(({ url }) => url))
  }
  const mapAddress = await createAddressMapper(space, urls)
  return {
    text: (text) =>
      replaceAddresses(text, findPlainAddresses(text), ({ url, isPicture }) => mapAddress(url, isPicture)),
    address: mapAddress,
  }
}

/**
 * Titles in inline Markdown, as the connection may see them.
 *
 * @param texts  all texts that the function will be called with
 */
export async function visibleMarkdown(space: Space, texts: readonly string[]): Promise<(text: string) => string> {
  const named = texts.filter((text) => mayNameBlocks(space, text))
  if (named.length === 0) return (text) => text
  const mapAddress = await createAddressMapper(
    space,
    named.flatMap((text) => findTitleAddresses(text).map(({ url }) => url)),
  )
  return (text) =>
    mayNameBlocks(space, text) ? replaceAddresses(text, findTitleAddresses(text), ({ url }) => mapAddress(url)) : text
}

/** Titles in plain text, as the connection may see them. */
export async function visibleTitles(space: Space, titles: readonly string[]): Promise<(title: string) => string> {
  const visible = await visibleMarkdown(space, titles)
  return (title) => plainTitle(visible(title))
}
