import { invalid } from '../../base/errors.ts'
import {
  type Block,
  CARD_LAYOUTS,
  DECORATIONS,
  FONTS,
  LIST_LEVELS,
  LIST_STYLES,
  TASK_STATES,
  TEXT_ALIGNMENTS,
  TEXT_STYLES,
} from '../block.ts'
import type { BlockTag } from './block-tags.ts'
import { formatPlace } from './format-place.ts'
import { hideTags } from './tag-attributes.ts'

/** Formats an attribute of a tag: a space, the name, and the quoted value; empty without a value. */
export const formatAttribute = (name: string, value: string | number | undefined): string =>
  value === undefined ? '' : ` ${name}="${String(value).replace(/["&<>\n]/g, (char) => ESCAPES.get(char) ?? char)}"`

const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ '"': '&quot;', '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '&#10;' }),
)
const UNESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ '&quot;': '"', '&amp;': '&', '&lt;': '<', '&gt;': '>', '&#10;': '\n' }),
)

/** Parses the attributes of a tag, by name. */
export function parseAttributes({ attributes }: BlockTag): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', quoted, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    const value = quoted ?? single ?? bare ?? ''
    found.set(
      name,
      value.replace(/&(?:quot|amp|lt|gt|#10);/g, (entity) => UNESCAPES.get(entity) ?? entity),
    )
  }
  return found
}

const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g

/** Writes everything before the content of a page: the `<page …>` tag and the title. */
export function writePageStart(page: Block): string {
  const { decorations, taskInfo } = page
  const marks = DECORATIONS.filter((name) => decorations?.[name]).join(' ')
  const attributes = [
    formatAttribute('id', page.id),
    formatAttribute('textStyle', page.textStyle),
    formatAttribute('cardLayout', page.cardLayout),
    formatAttribute('indentationLevel', page.indentationLevel || undefined),
    formatAttribute('listStyle', page.listStyle),
    formatAttribute('number', page.listStyle === 'numbered' ? page.number : undefined),
    formatAttribute('state', page.listStyle === 'task' ? (taskInfo?.state ?? 'todo') : undefined),
    formatAttribute('decorations', marks || undefined),
    formatAttribute('color', page.color),
    formatAttribute('textAlignment', page.textAlignment),
    formatAttribute('font', page.font),
  ]
  return `<page${attributes.join('')}>\n<pageTitle>${hideTags(page.text)}</pageTitle>`
}

/** The page fields that a `<page>` or `<card>` tag contains. */
export function pageFields(tag: BlockTag): Omit<Block, 'type' | 'text'> {
  const values = parseAttributes(tag)
  const fields: Omit<Block, 'type' | 'text'> = {}
  if (tag.name === 'card') fields.textStyle = 'card'
  for (const [name, value] of values) setField(fields, tag, name, value)
  if (fields.listStyle === 'task') fields.taskInfo ??= { state: 'todo' }
  else delete fields.taskInfo
  return fields
}

function setField(fields: Omit<Block, 'type' | 'text'>, tag: BlockTag, name: string, value: string): void {
  const oneOf = <Value extends string>(allowed: readonly Value[]): Value => {
    const found = allowed.find((each) => each === value)
    if (found === undefined) throw unknownValue(tag, name, value, allowed.join(', '))
    return found
  }
  const unless = <Value extends string, Default extends Value>(found: Value, normal: Default) =>
    found === normal ? undefined : (found as Exclude<Value, Default>)
  const put = (key: keyof typeof fields, found: unknown) => {
    if (found !== undefined) Object.assign(fields, { [key]: found })
  }
  switch (name) {
    case 'id':
      put('id', value)
      break
    case 'textStyle':
      put('textStyle', unless(oneOf(TEXT_STYLES), 'body'))
      break
    case 'cardLayout':
      put('cardLayout', oneOf(CARD_LAYOUTS))
      break
    case 'listStyle':
      put('listStyle', unless(oneOf(LIST_STYLES), 'none'))
      break
    case 'number':
      if (!/^[0-9]{1,9}$/.test(value)) throw unknownValue(tag, name, value, '0 to 999999999')
      put('number', Number(value))
      break
    case 'state':
      put('taskInfo', { state: oneOf(TASK_STATES) })
      break
    case 'textAlignment':
      put('textAlignment', unless(oneOf(TEXT_ALIGNMENTS), 'left'))
      break
    case 'font':
      put('font', oneOf(FONTS))
      break
    case 'indentationLevel':
      if (!/^[0-9]+$/.test(value) || Number(value) > LIST_LEVELS) {
        throw unknownValue(tag, name, value, `0 to ${LIST_LEVELS}`)
      }
      put('indentationLevel', Number(value) || undefined)
      break
    case 'color':
      if (!/^#[0-9a-fA-F]{6}$/.test(value)) throw unknownValue(tag, name, value, 'six hex digits after #')
      put('color', value)
      break
    case 'decorations': {
      const words = value.split(/\s+/).filter((word) => word !== '')
      const unknown = words.find((word) => !DECORATIONS.some((each) => each === word))
      if (unknown !== undefined) throw unknownValue(tag, name, unknown, DECORATIONS.join(', '))
      put('decorations', words.length > 0 ? Object.fromEntries(words.map((word) => [word, true])) : undefined)
      break
    }
    default:
      throw unknownValue(tag, 'an attribute', name, ATTRIBUTES)
  }
}

const ATTRIBUTES =
  'id, textStyle, cardLayout, indentationLevel, listStyle, number, state, decorations, color, textAlignment, font'

const unknownValue = (tag: BlockTag, name: string, value: string, allowed: string) =>
  invalid(
    `Expected ${name} of <${tag.name}> to be one of ${allowed}, found \`${value}\` at ${formatPlace(tag.line, tag.column)}; use one of them or leave it out.`,
  )
