/** What a block is, apart from its words: `Task, done, level 2`. */
import type { Block, CalloutLevel, LineStyle } from '../../markdown/block.ts'
import { calloutLevels } from '../../markdown/callout-levels.ts'
import { calloutTitle, isKind } from '../blocks/callout-html.ts'
import { type TextKey, text, textKey } from '../texts/text.ts'

const STYLES: ReadonlyMap<string | undefined, TextKey> = new Map([
  ['h1', textKey('Title')],
  ['h2', textKey('Heading')],
  ['h3', textKey('Small heading')],
  ['h4', textKey('Smallest heading')],
  ['caption', textKey('Caption')],
  ['card', textKey('Card')],
  ['page', textKey('Page')],
])
const LISTS = {
  bullet: textKey('Bullet'),
  numbered: textKey('Number'),
  task: textKey('Task'),
  toggle: textKey('Toggle'),
} as const
const STATES = { todo: textKey('to do'), done: textKey('done'), canceled: textKey('canceled') } as const
const TYPES: Readonly<Record<Exclude<Block['type'], 'text'>, TextKey>> = {
  page: textKey('Page'),
  collectionItem: textKey('Item'),
  collection: textKey('Collection'),
  image: textKey('Picture'),
  video: textKey('Film'),
  file: textKey('File'),
  drawing: textKey('Drawing'),
  whiteboard: textKey('Whiteboard'),
  table: textKey('Table'),
  code: textKey('Code'),
  richUrl: textKey('Link'),
  line: textKey('Line'),
}

/** The names of lines, but for the regular one. */
export const LINES: Readonly<Record<Exclude<LineStyle, 'regular'>, TextKey>> = {
  strong: textKey('thick line'),
  light: textKey('thin line'),
  extraLight: textKey('very thin line'),
  pageBreak: textKey('page break'),
}

/** The name of a type of blocks. */
export const typeName = ({ type, language }: Pick<Block, 'type' | 'language'>): string =>
  type === 'text' ? text('Text') : language === 'math_formula' ? text('Formula') : `${TYPES[type]}`

export function lookOf(block: Block): string {
  const { type, textStyle, cardLayout, listStyle, number, leadingNumber, taskInfo, decorations } = block
  const { indentationLevel = 0 } = block
  const style = type === 'text' ? STYLES.get(textStyle) : undefined
  return [
    ...(listStyle === undefined ? [style ?? typeName(block)] : [LISTS[listStyle], style ?? '']),
    ...(type !== 'text' && listStyle !== undefined ? [typeName(block)] : []),
    ...(listStyle === 'numbered' ? [number ?? leadingNumber ?? ''] : []),
    ...(listStyle === 'task' ? [STATES[taskInfo?.state ?? 'todo']] : []),
    cardLayout ?? '',
    ...(decorations?.quote ? [text('quoted')] : []),
    ...calloutsOf(block).map(calloutLook),
    ...(indentationLevel > 0 ? [text('level {indentationLevel}', { indentationLevel })] : []),
  ]
    .map(String)
    .filter((part) => part !== '')
    .join(', ')
}

/** The callouts around a block, also one of a single block. */
export const calloutsOf = (block: Pick<Block, 'decorations'>): readonly CalloutLevel[] =>
  block.decorations?.callout === true ? ONE : calloutLevels(block)

const ONE: readonly CalloutLevel[] = [{ starts: true }]

const calloutLook = (level: CalloutLevel): string => {
  const [title, about] = [calloutTitle(level), calloutDetails(level)]
  const named = title === '' ? text('Callout') : text('Callout “{title}”', { title })
  return about === '' ? named : `${named} (${about})`
}

/** What the title of a callout does not show. */
export function calloutDetails({ title, icon = '', color = '', folded }: CalloutLevel): string {
  const kind = title !== undefined && isKind(icon) ? icon : ''
  return [kind, color, folded ? text('folded') : ''].filter((part) => part !== '').join(', ')
}
