/**
 * The icons of the pages: lines of 2 on a field of 24, drawn 16 pixels large. Each stands beside words, or on a button
 * that has a name for those who hear it.
 */
import { type Html, html, trusted } from './html.ts'

const ICONS = {
  'arrow-down': 'M12 5v14M19 12l-7 7-7-7',
  'arrow-up': 'M12 19V5M5 12l7-7 7 7',
  columns: 'M4 4h16v16H4zM10 4v16M15 4v16',
  filter: 'M4 6h16M7 12h10M10 18h4',
  more: 'M6 9l6 6 6-6',
  plus: 'M12 5v14M5 12h14',
  x: 'M18 6 6 18M6 6l12 12',
} as const
export type IconName = keyof typeof ICONS

export const iconHtml = (name: IconName): Html =>
  html`<svg class="icon" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true"><path d="${trusted(ICONS[name])}"/></svg>`
