/** Maps kinds of callouts, which other programs have, to colors. */

/** The names for each kind in Obsidian and GitHub. Exports use the first name. */
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

/** Returns the color of a kind; undefined for `note` and unknown kinds. */
export function calloutColor(kind: string): string | undefined {
  const [color = ''] = KINDS.find(([, ...names]) => names.includes(kind.toLowerCase())) ?? []
  return color === '' ? undefined : color
}

/** Returns the kind for a color; `note` if there is none. */
export const calloutKind = (color: string | undefined): string =>
  KINDS.find(([one]) => color !== undefined && one === color.toLowerCase())?.[1] ?? 'note'
