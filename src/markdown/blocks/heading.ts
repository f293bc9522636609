import type { TextStyle } from '../block.ts'

const HEADING_MARKS: Partial<Record<TextStyle, string>> = { h1: '# ', h2: '## ', h3: '### ', h4: '#### ' }

/** `# ` to `#### `, or nothing for a style that is not a heading. */
export const headingMark = (style: TextStyle | undefined): string => (style && HEADING_MARKS[style]) ?? ''

/** The style of an HTML heading. Levels five and six become level four. */
export const headingStyle = (tag: string): 'h1' | 'h2' | 'h3' | 'h4' =>
  tag === 'h1' || tag === 'h2' || tag === 'h3' ? tag : 'h4'

/** Puts the text of a heading on one line. A run of `#` at its end would be a closing mark. */
export const headingText = (text: string): string =>
  text.replace(/(?:(?<![ \t])[ \t]+)?\n[ \t]*/g, ' ').replace(/(^|[ \t])(#+)$/, '$1\\$2')
