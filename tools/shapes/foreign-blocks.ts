/**
 * Blocks as other services and HTML name them: `heading_2`, `to_do`, `li`. A block is translated only if all that it says
 * can be kept; any other stays as it is, and is refused.
 */

import { isObject } from '../../src/base/is-object.ts'
import type { InputAlias } from '../../src/endpoint.ts'
import { NEW_BLOCK_TYPES } from '../../src/space/blocks/block-input.ts'
import { sentWord } from './sent-word.ts'

type Fields = Record<string, unknown>

const HEADINGS = ['h1', 'h2', 'h3', 'h4']
const list = (listStyle: string, names: string): [string, Fields][] =>
  names.split(' ').map((word) => [word, { type: 'text', listStyle }])
const types = (type: string, names: string): [string, Fields][] => names.split(' ').map((word) => [word, { type }])

/** What each type is here. */
const TYPES: ReadonlyMap<string, Fields> = new Map([
  ...types('text', 'paragraph p plain_text markdown'),
  ...HEADINGS.flatMap((textStyle, index) =>
    [`heading_${index + 1}`, `heading${index + 1}`, `header_${index + 1}`, textStyle].map((word): [string, Fields] => [
      word,
      { type: 'text', textStyle },
    ]),
  ),
  ['sub_header', { type: 'text', textStyle: 'h2' }],
  ['sub_sub_header', { type: 'text', textStyle: 'h3' }],
  ...list('task', 'to_do todo task checkbox check_list_item checklist_item'),
  ...list('bullet', 'bulleted_list_item bulleted_list bullet bullet_list_item list_item li'),
  ...list('numbered', 'numbered_list_item numbered_list numbered ordered_list_item'),
  ...list('toggle', 'toggle toggle_list'),
  ...['quote', 'blockquote'].map((word): [string, Fields] => [word, { type: 'text', decorations: { quote: true } }]),
  ['callout', { type: 'text', decorations: { callout: true } }],
  ...types('code', 'code_block codeblock pre'),
  ...types('line', 'divider hr horizontal_rule separator'),
  ...types('image', 'img picture'),
  ...types('richUrl', 'bookmark link embed link_preview rich_url'),
  ...types('page', 'child_page subpage sub_page'),
])

/** Names of the fields of a block, and of the payload that stands under the type of a block. */
const KEYS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ children: 'content', lang: 'language', src: 'url', href: 'url', alt: 'altText', alt_text: 'altText' },
    ...{ text_style: 'textStyle', list_style: 'listStyle', raw_code: 'rawCode', body: 'markdown' },
  }),
)
const LIST_STYLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ todo: 'task', to_do: 'task', checkbox: 'task', checklist: 'task', ordered: 'numbered', number: 'numbered' },
    ...{ bulleted: 'bullet', unordered: 'bullet', bullets: 'bullet', ul: 'bullet', ol: 'numbered' },
  }),
)
const DEPTH = 64

/** Aliases that translate the blocks of a list. @param name  `blocks` */
export const foreignBlocks = (name: string): InputAlias => ({
  from: name,
  to: name,
  when: (value) => Array.isArray(value) && value.some((one) => translate(one, 0) !== one),
  value: (value) => (value as unknown[]).map((one) => translate(one, 0)),
})

/**
 * Aliases that translate how a block that exists is to look. Its type stays, so no type is made of it.
 *
 * @param name  `blocks`
 */
export const foreignStyles = (name: string): InputAlias[] => [
  { from: `${name}[].style`, to: `${name}[].textStyle` },
  ...['textStyle', 'type'].map((key) => ({
    from: `${name}[].${key}`,
    to: `${name}[].textStyle`,
    when: (word: unknown) => styleOf(word) !== undefined,
    value: styleOf,
  })),
  {
    from: `${name}[].level`,
    to: `${name}[].textStyle`,
    when: (level: unknown, { listStyle }: Fields) => headingOf(level) !== undefined && listStyle === undefined,
    value: headingOf,
  },
  {
    from: `${name}[].listStyle`,
    to: `${name}[].listStyle`,
    when: (word: unknown) => LIST_STYLES.has(sentWord(word)),
    value: (word: unknown) => LIST_STYLES.get(sentWord(word)),
  },
]

/** @returns the block itself if there is nothing to translate, or not all of it can be */
function translate(given: unknown, depth: number): unknown {
  if (typeof given === 'string') return { type: 'text', markdown: given }
  if (!isObject(given) || depth > DEPTH) return given
  const opened = open(given)
  if (opened === undefined) return given
  const block = rename(opened)
  const { type } = block
  if (type === undefined && typeof block.markdown === 'string') block.type = 'text'
  if (typeof type === 'string' && !KNOWN.has(type)) Object.assign(block, meaningOf(type, block))
  moveFields(block)
  if (block.type === 'code') moveCode(block)
  for (const [key, style] of [
    ['listStyle', LIST_STYLES],
    ['textStyle', STYLES],
  ] as const) {
    const word = style.get(sentWord(block[key]))
    if (word !== undefined) block[key] = word
  }
  if (Array.isArray(block.content)) {
    const inner = block.content.map((one) => translate(one, depth + 1))
    if (inner.some((one, index) => one !== (block.content as unknown[])[index])) block.content = inner
  }
  return isSame(block, given) ? given : block
}

/** Moves values to the fields that blocks of this type have for them. */
function moveFields(block: Fields): void {
  // A level beside a list could mean its depth.
  const heading = HEADINGS[Number(block.level) - 1]
  const isHeading = block.listStyle === undefined && (block.textStyle ?? heading) === heading
  if (block.type === 'text' && heading !== undefined && isHeading) {
    block.textStyle = heading
    delete block.level
  }
  if (block.type === 'image' && typeof block.caption === 'string' && block.altText === undefined) {
    block.altText = block.caption
    delete block.caption
  }
  if (block.type === 'page' && typeof block.name === 'string' && block.title === undefined) {
    block.title = block.name
    delete block.name
  }
  const textKey = ['text', 'content'].find((key) => typeof block[key] === 'string')
  if (textKey !== undefined && block.type === 'text' && block.markdown === undefined) {
    block.markdown = block[textKey]
    delete block[textKey]
  }
}

function moveCode(block: Fields): void {
  for (const key of ['code', 'text', 'content', 'markdown']) {
    if (block.rawCode !== undefined || typeof block[key] !== 'string') continue
    if (key === 'markdown' && /^\s*(```|~~~|\$\$)/.test(String(block[key]))) continue
    block.rawCode = block[key]
    delete block[key]
  }
}

const KNOWN: ReadonlySet<string> = new Set([...NEW_BLOCK_TYPES, 'whiteboard'])
const STYLES: ReadonlyMap<string, string> = new Map(
  HEADINGS.flatMap((style, index) => [`heading_${index + 1}`, `heading${index + 1}`].map((word) => [word, style])),
)

const headingOf = (level: unknown): string | undefined =>
  typeof level === 'number' || typeof level === 'string' ? HEADINGS[Number(level) - 1] : undefined

/** The style of a heading that another product names, such as `heading_2`. */
const styleOf = (word: unknown): string | undefined => STYLES.get(sentWord(word).replace(/[ -]+/g, '_'))

const isSame = (one: Fields, other: Fields): boolean =>
  Object.keys(one).length === Object.keys(other).length && Object.keys(one).every((key) => one[key] === other[key])

function meaningOf(type: string, block: Fields): Fields {
  const word = type.trim().toLowerCase().replace(/[ -]+/g, '_')
  const level = Number(block.level)
  const heading = HEADINGS[level - 1]
  if ((word === 'heading' || word === 'header') && heading !== undefined) {
    delete block.level
    return { type: 'text', textStyle: heading }
  }
  return TYPES.get(word) ?? {}
}

function rename(block: Fields): Fields {
  const renamed: Fields = {}
  for (const [key, value] of Object.entries(block)) {
    const name = KEYS.get(key) ?? key
    renamed[name === key || Object.hasOwn(block, name) ? key : name] = value
  }
  return renamed
}

/** `{ type: "to_do", to_do: { rich_text, checked } }` as one object. Undefined if something in it would be lost. */
function open(block: Fields): Fields | undefined {
  const { type, object, ...others } = block
  const payload = typeof type === 'string' ? others[type] : undefined
  const [untyped] = type === undefined ? Object.keys(others).filter((key) => isPayload(key, others[key])) : []
  if (untyped !== undefined) return open({ type: untyped, ...block })
  if (!isObject(payload) || typeof type !== 'string')
    return object === 'block' ? withoutKey(block, 'object') : { ...block }
  const { [type]: _, ...beside } = others
  const fields: Fields = { type, ...beside }
  for (const [key, value] of Object.entries(payload)) {
    const read = readPayload(key, value)
    if (read === undefined) return undefined
    Object.assign(fields, read)
  }
  return fields
}

/** The fields that a key of a payload stands for. Undefined if it says something that would be lost. */
const readPayload = (key: string, value: unknown): Fields | undefined => PAYLOAD.get(key)?.(value)

const readText = (value: unknown): Fields | undefined => {
  const markdown = plainText(value)
  return markdown === undefined ? undefined : { markdown }
}
const readCaption = (value: unknown): Fields | undefined => {
  const caption = plainText(value)
  if (caption === undefined) return undefined
  return caption === '' ? {} : { caption }
}
const readFile = (value: unknown): Fields | undefined =>
  isObject(value) && typeof value.url === 'string' ? { url: value.url } : undefined

const PAYLOAD: ReadonlyMap<string, (value: unknown) => Fields | undefined> = new Map([
  ['rich_text', readText],
  ['text', readText],
  ['caption', readCaption],
  ['external', readFile],
  ['file', readFile],
  ...['checked', 'language', 'url', 'children'].map((key) => [key, (value: unknown) => ({ [key]: value })] as const),
  ['type', () => ({})],
  // What these say by default is not lost.
  ['color', (color) => (color === 'default' ? {} : undefined)],
  ['is_toggleable', (isToggleable) => (isToggleable === false ? {} : undefined)],
])

/** True for `paragraph: { rich_text }`, which says the type of a block without one. */
const isPayload = (key: string, value: unknown): boolean => TYPES.has(key) && isObject(value) && 'rich_text' in value

const withoutKey = (fields: Fields, key: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([one]) => one !== key))

/** The words of rich text without marks and links. Undefined for any other. */
export function plainText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return undefined
  const texts = value.map((one): string | undefined => {
    if (!isObject(one)) return undefined
    const { annotations, href, text, plain_text: plain } = one
    const isMarked =
      isObject(annotations) && Object.values(annotations).some((mark) => mark !== false && mark !== 'default')
    if (isMarked || (href !== undefined && href !== null)) return undefined
    if (isObject(text) && typeof text.content === 'string' && (text.link === undefined || text.link === null))
      return text.content
    return text === undefined && typeof plain === 'string' ? plain : undefined
  })
  return texts.every((one) => one !== undefined) ? texts.join('') : undefined
}
