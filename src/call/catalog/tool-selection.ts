/** Lets a host select some of the tools, since each listed tool costs tokens in every request. */
import { invalid, ScriptoriumError } from '../../base/errors.ts'
import { nearestName, truncate } from '../input/validation-errors.ts'

/**
 * The names of the tools that a caller selected.
 * @param names  of all tools
 * @param lists  words separated by commas: a tool, a noun with several tools such as `documents`, `essential`, or
 *   `all`; without any, all tools are selected
 * @param essential  the names of the tools that most work needs
 * @throws VALIDATION_ERROR for a word that matches no tool
 */
export function selectTools(
  names: readonly string[],
  lists: readonly string[],
  essential: readonly string[] = [],
): { tools?: ReadonlySet<string> } {
  const words = lists.flatMap((list) => list.split(',')).map((word) => word.trim())
  const selected = words.filter((word) => word !== '')
  return selected.length === 0 ? {} : { tools: matchTools(names, selected, essential) }
}

function matchTools(
  names: readonly string[],
  words: readonly string[],
  essential: readonly string[],
): ReadonlySet<string> {
  const byNoun = Map.groupBy(names, nounOf)
    .set('essential', [...essential])
    .set('all', [...names])
  return new Set(words.flatMap((word) => byNoun.get(word) ?? (names.includes(word) ? word : unknownTool(word, names))))
}

/** `daily_notes` for `daily_notes_search`, and `batch` for `batch`. */
const nounOf = (name: string): string => name.replace(/_[^_]*$/, '')

function unknownTool(word: string, names: readonly string[]): never {
  const nouns = new Set(names.map(nounOf))
  const near = nearestName(word, [...nouns, ...names])
  const next = near === undefined ? `give some of ${[...nouns].join(', ')}, or tools by name.` : `did you mean ${near}?`
  throw invalid(`Expected tools of this connection, found ${JSON.stringify(word)}; ${next}`)
}

/**
 * @param tools  the tools that the caller selected
 * @throws NOT_AVAILABLE for any other tool, since it was not listed
 */
export function assertToolSelected(name: string, tools: ReadonlySet<string> | undefined): void {
  if (tools === undefined || tools.has(name)) return
  const found = truncate(name)
  throw new ScriptoriumError(
    'NOT_AVAILABLE',
    `Expected one of the tools that this connection asks for (${[...tools].join(', ')}), found ${found}; connect with ${found} among them.`,
  )
}
