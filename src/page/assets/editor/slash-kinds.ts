/** The kinds of blocks that `/` offers. */
import type { IconName } from '../../icon-names.ts'
import type { Fields } from '../model/block-text.ts'
import { text } from '../page-text.ts'

/** What the page adds by a call of its own. */
export type InsertedKind = 'page' | 'card' | 'file' | 'collection' | 'whiteboard'

export interface SlashKind {
  name: string
  icon: IconName
  /** What it is for. */
  hint?: string
  /** What can be typed instead. */
  keys?: string
  /** Further search terms. */
  keywords?: string
  /** The fields that the text block gets. */
  fields?: Partial<Fields>
  /** A new block that the caret moves to. */
  block?: { fields: Fields; markdown: string }
  inserts?: InsertedKind
}

const TABLE = '|  |  |\n| --- | --- |\n|  |  |'

export const SLASH_KINDS: readonly SlashKind[] = [
  { name: text('Text'), icon: 'text', keywords: text('paragraph body'), fields: {} },
  { name: text('Heading 1'), icon: 'heading-1', keys: '#', keywords: text('h1 title'), fields: { textStyle: 'h1' } },
  { name: text('Heading 2'), icon: 'heading-2', keys: '##', keywords: text('h2'), fields: { textStyle: 'h2' } },
  { name: text('Heading 3'), icon: 'heading-3', keys: '###', keywords: text('h3'), fields: { textStyle: 'h3' } },
  { name: text('Heading 4'), icon: 'heading-4', keys: '####', keywords: text('h4'), fields: { textStyle: 'h4' } },
  {
    name: text('Task'),
    icon: 'task',
    keys: '[]',
    keywords: text('to do checkbox'),
    fields: { listStyle: 'task', taskInfo: { state: 'todo' } },
  },
  {
    name: text('Bulleted list'),
    icon: 'bullets',
    keys: '-',
    keywords: text('bullet'),
    fields: { listStyle: 'bullet' },
  },
  {
    name: text('Numbered list'),
    icon: 'numbers',
    keys: '1.',
    keywords: text('number'),
    fields: { listStyle: 'numbered' },
  },
  {
    name: text('Toggle'),
    icon: 'toggle',
    keys: '+',
    hint: text('hides what is nested below'),
    keywords: text('fold'),
    fields: { listStyle: 'toggle' },
  },
  { name: text('Quote'), icon: 'quote', keys: '>', fields: { decorations: { quote: true } } },
  { name: text('Callout'), icon: 'callout', keywords: text('box note'), fields: { decorations: { callout: true } } },
  { name: text('Caption'), icon: 'caption', fields: { textStyle: 'caption' } },
  { name: text('Code'), icon: 'code', keys: '```', block: { fields: { type: 'code' }, markdown: '```\n\n```' } },
  {
    name: text('Formula'),
    icon: 'formula',
    keywords: text('math latex'),
    block: { fields: { type: 'code', language: 'math_formula' }, markdown: '$$\n\n$$' },
  },
  { name: text('Table'), icon: 'table', block: { fields: { type: 'table' }, markdown: TABLE } },
  {
    name: text('Line'),
    icon: 'line',
    keys: '---',
    keywords: text('divider rule'),
    block: { fields: { type: 'line' }, markdown: '---' },
  },
  {
    name: text('Page'),
    icon: 'page',
    hint: text('a page within this one'),
    keywords: text('subpage'),
    inserts: 'page',
  },
  { name: text('Card'), icon: 'card', inserts: 'card' },
  { name: text('Picture or file'), icon: 'image', keywords: text('image upload photo video'), inserts: 'file' },
  {
    name: text('Collection'),
    icon: 'collection',
    hint: text('rows with properties'),
    keywords: text('database table properties'),
    inserts: 'collection',
  },
  { name: text('Whiteboard'), icon: 'whiteboard', keywords: text('drawing canvas'), inserts: 'whiteboard' },
]

export function kindsFor(query: string): SlashKind[] {
  const wanted = query.toLowerCase()
  return SLASH_KINDS.filter(({ name, keywords = '' }) => `${name} ${keywords}`.toLowerCase().includes(wanted))
}
