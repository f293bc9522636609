/** The kinds of blocks that `/` offers. */
import type { Fields } from '../model/block-text.ts'

/** What the page adds by a call of its own. */
export type InsertedKind = 'page' | 'card' | 'file' | 'collection' | 'whiteboard'

export interface SlashKind {
  name: string
  icon: string
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
  { name: 'Text', icon: '¶', keywords: 'paragraph body', fields: {} },
  { name: 'Heading 1', icon: 'H1', keys: '#', keywords: 'h1 title', fields: { textStyle: 'h1' } },
  { name: 'Heading 2', icon: 'H2', keys: '##', keywords: 'h2', fields: { textStyle: 'h2' } },
  { name: 'Heading 3', icon: 'H3', keys: '###', keywords: 'h3', fields: { textStyle: 'h3' } },
  { name: 'Heading 4', icon: 'H4', keys: '####', keywords: 'h4', fields: { textStyle: 'h4' } },
  {
    name: 'Task',
    icon: '☐',
    keys: '[]',
    keywords: 'to do checkbox',
    fields: { listStyle: 'task', taskInfo: { state: 'todo' } },
  },
  { name: 'Bulleted list', icon: '•', keys: '-', keywords: 'bullet', fields: { listStyle: 'bullet' } },
  { name: 'Numbered list', icon: '1.', keys: '1.', keywords: 'number', fields: { listStyle: 'numbered' } },
  {
    name: 'Toggle',
    icon: '▸',
    keys: '+',
    hint: 'hides what is nested below',
    keywords: 'fold',
    fields: { listStyle: 'toggle' },
  },
  { name: 'Quote', icon: '❝', keys: '>', fields: { decorations: { quote: true } } },
  { name: 'Callout', icon: '▣', keywords: 'box note', fields: { decorations: { callout: true } } },
  { name: 'Caption', icon: 'a', fields: { textStyle: 'caption' } },
  { name: 'Code', icon: '{}', keys: '```', block: { fields: { type: 'code' }, markdown: '```\n\n```' } },
  {
    name: 'Formula',
    icon: '∑',
    keywords: 'math latex',
    block: { fields: { type: 'code', language: 'math_formula' }, markdown: '$$\n\n$$' },
  },
  { name: 'Table', icon: '▦', block: { fields: { type: 'table' }, markdown: TABLE } },
  {
    name: 'Line',
    icon: '—',
    keys: '---',
    keywords: 'divider rule',
    block: { fields: { type: 'line' }, markdown: '---' },
  },
  { name: 'Page', icon: '▤', hint: 'a page within this one', keywords: 'subpage', inserts: 'page' },
  { name: 'Card', icon: '▭', inserts: 'card' },
  { name: 'Picture or file', icon: '▨', keywords: 'image upload photo video', inserts: 'file' },
  {
    name: 'Collection',
    icon: '☷',
    hint: 'rows with properties',
    keywords: 'database table properties',
    inserts: 'collection',
  },
  { name: 'Whiteboard', icon: '✎', keywords: 'drawing canvas', inserts: 'whiteboard' },
]

export function kindsFor(query: string): SlashKind[] {
  const wanted = query.toLowerCase()
  return SLASH_KINDS.filter(({ name, keywords = '' }) => `${name} ${keywords}`.toLowerCase().includes(wanted))
}
