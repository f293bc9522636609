/** Kinds of callouts, which here are colors. */

/** The names that Obsidian and GitHub have for each kind; the first is the one that is written. */
const KINDS: readonly (readonly [color: string, ...names: string[]])[] = [
  ['', 'note'],
  ['#00b0ff', 'info', 'todo'],
  ['#00bfa5', 'tip', 'hint', 'important'],
  ['#00b8d4', 'abstract', 'summary', 'tldr'],
  ['#00c853', 'success', 'check', 'done'],
  ['#64dd17', 'question', 'help', 'faq'],
  ['#ff9100', 'warning', 'caution', 'attention'],
  ['#ff5252', 'failure', 'fail', 'missing'],
  ['#ff1744', 'danger', 'error'],
  ['#f50057', 'bug'],
  ['#7c4dff', 'example'],
  ['#9e9e9e', 'quote', 'cite'],
]

/** The color of a kind; undefined for `note` and kinds that people made up. */
export function calloutColor(kind: string): string | undefined {
  const [color = ''] = KINDS.find(([, ...names]) => names.includes(kind.toLowerCase())) ?? []
  return color === '' ? undefined : color
}

/** The kind of a color; `note` for none and for other colors. */
export const calloutKind = (color: string | undefined): string =>
  KINDS.find(([one]) => color !== undefined && one === color.toLowerCase())?.[1] ?? 'note'
