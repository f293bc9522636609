/**
 * The icons of the pages: lines of 2 on a field of 24, drawn 16 pixels large. Each stands beside words, or on a button
 * that has a name for those who hear it.
 */
import { type Html, html, trusted } from './html.ts'

const ICONS = {
  'arrow-down': 'M12 5v14M19 12l-7 7-7-7',
  'arrow-up': 'M12 19V5M5 12l7-7 7 7',
  columns: 'M4 4h16v16H4zM10 4v16M15 4v16',
  day: 'M4 6h16v14H4zM4 11h16M8 3v5M16 3v5',
  filter: 'M4 6h16M7 12h10M10 18h4',
  home: 'M4 11l8-7 8 7M6 9.5V20h12V9.5',
  more: 'M6 9l6 6 6-6',
  plus: 'M12 5v14M5 12h14',
  search: 'M17 11a6 6 0 1 1-12 0 6 6 0 0 1 12 0zM20 20l-4.7-4.7',
  x: 'M18 6 6 18M6 6l12 12',
} as const
export type IconName = keyof typeof ICONS

export const iconHtml = (name: IconName): Html =>
  html`<svg class="icon" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true"><path d="${trusted(ICONS[name])}"/></svg>`
