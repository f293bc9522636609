/**
 * The addresses that a block's links, link cards and images lead to, as texts that can be searched: people remember
 * `github.io` of a link whose label says something else. Addresses within the space are none of them.
 */
import type { BlockRow } from '../../../storage/schema.ts'
import { parseAddress } from '../../markdown/addresses.ts'
import type { BlockFields } from '../../markdown/block.ts'
import { isCodeText } from '../../markdown/block-traits.ts'

/** Characters of an address that are indexed. What follows is mostly generated. */
const ADDRESS_LENGTH = 300
/** Destinations of links and images in Markdown. In code they are text that is indexed anyway. */
const DESTINATION = /\]\(\s{0,200}<?((?:https?:\/\/|mailto:)[^\s<>)]{1,2000})/gi
const HAS_ADDRESS = /https?:|mailto:/i

/** The addresses that a row leads to without showing them, each once. */
export function addressTexts({ type, text, attributes }: BlockRow): readonly string[] {
  const isLinked = text.includes('](') && !isCodeText(type)
  const inText = isLinked ? Array.from(text.matchAll(DESTINATION), ([, url = '']) => addressText(url)) : []
  const own = attributes !== null && HAS_ADDRESS.test(attributes) ? ownAddress(attributes) : ''
  return inText.length === 0 && own === '' ? NONE : [...new Set([...inText, own])].filter((one) => one !== '')
}

const NONE: readonly string[] = []

/** The address of a link card, or of an image or file that was not uploaded. */
function ownAddress(attributes: string): string {
  const { url, uploaded } = JSON.parse(attributes) as Partial<BlockFields>
  return typeof url === 'string' && uploaded !== true ? addressText(url) : ''
}

/** An address as people write it: without the scheme, `www.`, a query and a fragment. Empty if it leads into the space. */
export function addressText(url: string): string {
  if (!HAS_ADDRESS.test(url) || parseAddress(url) !== undefined) return ''
  const bare = url.replace(/^(?:https?:\/\/(?:www\.)?|mailto:)/i, '').replace(/[?#].*$/s, '')
  return decoded(bare.slice(0, ADDRESS_LENGTH)).replace(/\/+$/, '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
