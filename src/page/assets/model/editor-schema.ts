/**
 * The document of the editor: a flat list of blocks, as the server has them. Each block has its ID, and the fields that
 * stand before its text in Markdown. Formatting is marks. What is edited elsewhere is an atom.
 */
import { type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model'
import { tableNodes } from 'prosemirror-tables'
import { text } from '../page-text.ts'

/**
 * A block that is a node of the document. Its attributes are its ID, or a placeholder until the server has answered, and
 * the fields that determine its kind (block-text.ts).
 */
const block = (spec: NodeSpec): NodeSpec => ({
  group: 'block',
  ...spec,
  attrs: { id: { default: '' }, fields: { default: { type: 'text' } }, ...spec.attrs },
})

/** The tables of Markdown: a header row, then rows, with text in each cell. */
const { table, table_row, table_cell, table_header } = tableNodes({
  tableGroup: 'block',
  cellContent: 'inline*',
  cellAttributes: {
    alignment: {
      default: null,
      getFromDOM: (cell) => cell.dataset.alignment ?? null,
      setDOMAttr: (alignment, attributes) => {
        if (typeof alignment !== 'string') return
        attributes['data-alignment'] = alignment
        attributes.class = alignment === 'right' ? 'num' : alignment
      },
    },
  },
})

const nodes = {
  doc: { content: 'block+' },
  text_block: block({ content: 'inline*', defining: true }),
  code_block: block({ content: 'text*', marks: '', code: true, defining: true }),
  table: block({ ...table }),
  table_row,
  table_cell,
  table_header,
  /** A picture, a board, a collection, a page: the server renders it. */
  shown: block({ atom: true, selectable: true, draggable: false, attrs: { markdown: { default: '' } } }),
  text: { group: 'inline' },
  /** A line break, and how Markdown has it: `soft` is a line end, `hard` has a backslash, and others are a tag. */
  line_break: {
    group: 'inline',
    inline: true,
    selectable: false,
    linebreakReplacement: true,
    attrs: { written: { default: 'soft' } },
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
    leafText: () => '\n',
  },
  formula: {
    group: 'inline',
    inline: true,
    atom: true,
    attrs: { text: {}, fence: { default: '$' } },
    toDOM: ({ attrs }) => ['span', { class: 'md-formula' }, String(attrs.text)],
    leafText: ({ attrs }) => String(attrs.text),
  },
  picture: {
    group: 'inline',
    inline: true,
    atom: true,
    attrs: { url: {}, alt: { default: '' }, title: { default: '' } },
    toDOM: ({ attrs }) => [
      'span',
      { class: 'md-link', title: String(attrs.url) },
      String(attrs.alt) || text('Picture'),
    ],
    leafText: ({ attrs }) => String(attrs.alt),
  },
  /** A tag of HTML that means nothing here, and is kept as it was written. */
  tag: {
    group: 'inline',
    inline: true,
    atom: true,
    attrs: { source: {} },
    toDOM: ({ attrs }) => ['span', { class: 'md-mark' }, String(attrs.source)],
    leafText: () => '',
  },
} satisfies Record<string, NodeSpec>

/** In the order in which marks hold each other: the first ones are outside. */
const marks = {
  comment: {
    attrs: { id: {} },
    inclusive: false,
    excludes: '',
    toDOM: ({ attrs }) => ['span', { class: 'commented', 'data-comment': String(attrs.id) }, 0],
  },
  link: {
    attrs: { url: {}, title: { default: '' }, isAuto: { default: false } },
    inclusive: false,
    parseDOM: [
      { tag: 'a[href]', getAttrs: (element) => typeof element !== 'string' && { url: element.getAttribute('href') } },
    ],
    toDOM: ({ attrs }) => ['a', { href: String(attrs.url), class: 'md-link', rel: 'noopener noreferrer' }, 0],
  },
  highlight: {
    attrs: { color: {}, isPair: { default: false } },
    excludes: '',
    toDOM: ({ attrs }) => ['mark', { class: `hl-${String(attrs.color)}` }, 0],
  },
  italic: { parseDOM: [{ tag: 'em' }, { tag: 'i' }], toDOM: () => ['em', 0] },
  bold: { parseDOM: [{ tag: 'strong' }, { tag: 'b' }], toDOM: () => ['strong', 0] },
  strike: { parseDOM: [{ tag: 's' }, { tag: 'del' }], toDOM: () => ['s', 0] },
  code: { parseDOM: [{ tag: 'code' }], toDOM: () => ['code', 0] },
  /** White space that stays at the edge of a line, where Markdown would drop it. */
  edge_space: { inclusive: false, toDOM: () => ['span', 0] },
} satisfies Record<string, MarkSpec>

export const schema = new Schema({ nodes, marks })
