/**
 * Formulas in Markdown: `$…$` without white space at its edges and without a digit after it, and `$$…$$`. GFM has none,
 * so that no parser of it finds them.
 */

const FORMULA =
  /\\[\s\S]|\$\$(?!\$)((?:[^$\\]|\\[\s\S]|\$(?!\$))+?)\$\$(?!\$)|\$(?![\s$])((?:[^$\\]|\\[\s\S])*?[^$\s\\])\$(?![\d$])|\$+/g

/**
 * @param text  Markdown, without code
 * @returns each formula without white space and without the marks of quotes at the beginning of its lines, and its index
 */
export function* findFormulas(text: string): Generator<{ formula: string; index: number }> {
  for (const match of text.matchAll(FORMULA)) {
    const inner = match[1] ?? match[2]
    if (inner === undefined || inner.trim() === '') continue
    yield { formula: formulaKey(inner), index: match.index }
  }
}

/** A formula as it is compared: lines may be joined or split, and a quote puts its mark in front of each. */
export const formulaKey = (formula: string): string => formula.replace(/^[ \t>]+/gm, '').replace(/\s+/g, '')
