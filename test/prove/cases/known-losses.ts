/**
 * Everything that the proof expects to fail, with the reason. The proof fails if something else fails, and also if one
 * of these no longer does: then its line is to be removed.
 */

/** Cases by name. */
export const KNOWN_CASES: Readonly<Record<string, string>> = {}

/** Examples of CommonMark by number, and of GitHub's specification by section. */
export const KNOWN_EXAMPLES: Readonly<Record<string, string>> = {
  'commonmark 313': 'an item is an item below another one, as people nest outlines by two spaces',
}

/** Losses of READMEs by kind. */
export const KNOWN_README_LOSSES: Readonly<Record<string, string>> = {}

/** Parts of generated documents by name: see `generated-markdown.ts`. */
export const KNOWN_PARTS: Readonly<Record<string, string>> = {}

/** @returns a sentence for each of `failed` that is not known, and for each known one that did not fail */
export function compareWithKnown(
  what: string,
  known: Readonly<Record<string, string>>,
  failed: ReadonlyMap<string, string>,
): string[] {
  const unknown = [...failed].filter(([name]) => !Object.hasOwn(known, name))
  const passed = Object.keys(known).filter((name) => !failed.has(name))
  return [
    ...unknown.map(([name, fault]) => `${what} ${name}: ${fault}`),
    ...passed.map((name) => `${what} ${name} no longer fails: remove it from known-losses.ts (${known[name]}).`),
  ]
}
