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
  words?: string
  /** The fields that the text block gets. */
  fields?: Partial<Fields>
  /** A new block that the caret moves to. */
  block?: { fields: Fields; markdown: string }
  inserts?: InsertedKind
}

const TABLE = '|  |  |\n| --- | --- |\n|  |  |'

export const SLASH_KINDS: readonly SlashKind[] = [
  { name: 'Text', icon: '¶', words: 'paragraph body', fields: {} },
  { name: 'Heading 1', icon: 'H1', keys: '#', words: 'h1 title', fields: { textStyle: 'h1' } },
  { name: 'Heading 2', icon: 'H2', keys: '##', words: 'h2', fields: { textStyle: 'h2' } },
  { name: 'Heading 3', icon: 'H3', keys: '###', words: 'h3', fields: { textStyle: 'h3' } },
  { name: 'Heading 4', icon: 'H4', keys: '####', words: 'h4', fields: { textStyle: 'h4' } },
  {
    name: 'Task',
    icon: '☐',
    keys: '[]',
    words: 'to do checkbox',
    fields: { listStyle: 'task', taskInfo: { state: 'todo' } },
  },
  { name: 'Bulleted list', icon: '•', keys: '-', words: 'bullet', fields: { listStyle: 'bullet' } },
  { name: 'Numbered list', icon: '1.', keys: '1.', words: 'number', fields: { listStyle: 'numbered' } },
  {
    name: 'Toggle',
    icon: '▸',
    keys: '+',
    hint: 'hides what is nested below',
    words: 'fold',
    fields: { listStyle: 'toggle' },
  },
  { name: 'Quote', icon: '❝', keys: '>', fields: { decorations: { quote: true } } },
  { name: 'Callout', icon: '▣', words: 'box note', fields: { decorations: { callout: true } } },
  { name: 'Caption', icon: 'a', fields: { textStyle: 'caption' } },
  { name: 'Code', icon: '{}', keys: '```', block: { fields: { type: 'code' }, markdown: '```\n\n```' } },
  {
    name: 'Formula',
    icon: '∑',
    words: 'math latex',
    block: { fields: { type: 'code', language: 'math_formula' }, markdown: '$$\n\n$$' },
  },
  { name: 'Table', icon: '▦', block: { fields: { type: 'table' }, markdown: TABLE } },
  { name: 'Line', icon: '—', keys: '---', words: 'divider rule', block: { fields: { type: 'line' }, markdown: '---' } },
  { name: 'Page', icon: '▤', hint: 'a page within this one', words: 'subpage', inserts: 'page' },
  { name: 'Card', icon: '▭', inserts: 'card' },
  { name: 'Picture or file', icon: '▨', words: 'image upload photo video', inserts: 'file' },
  {
    name: 'Collection',
    icon: '☷',
    hint: 'rows with properties',
    words: 'database table properties',
    inserts: 'collection',
  },
  { name: 'Whiteboard', icon: '✎', words: 'drawing canvas', inserts: 'whiteboard' },
]

export function kindsFor(query: string): SlashKind[] {
  const wanted = query.toLowerCase()
  return SLASH_KINDS.filter(({ name, words = '' }) => `${name} ${words}`.toLowerCase().includes(wanted))
}
