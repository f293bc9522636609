/** What the heads of proposed tables say besides their names: how their columns are aligned, and that one has no name. */
import type { ColumnAlignment } from '../../markdown/table-grid.ts'
import { type Html, html, NOTHING } from '../html.ts'
import { text, textKey } from '../texts/text.ts'

const ALIGNED = {
  left: textKey('aligned left'),
  center: textKey('centered'),
  right: textKey('aligned right'),
} as const

export const alignmentHtml = (alignment: ColumnAlignment): Html =>
  alignment === undefined ? NOTHING : html` <span class="about">(${ALIGNED[alignment]})</span>`

/** In place of the name of a column that has none. */
export const unnamedHtml = (): Html => html`<span class="about">(${text('no name')})</span>`
