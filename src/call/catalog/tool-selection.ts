/** Lets a host select some of the tools, since each listed tool costs tokens in every request. */
import { invalid, ScriptoriumError } from '../../base/errors.ts'
import { didYouMean, nearestName } from '../../base/nearest-name.ts'
import { truncate } from '../input/validation-errors.ts'

/** The tools that a caller selected, and whether they are listed without rare inputs, as the essential ones are. */
export interface SelectedTools {
  tools?: ReadonlySet<string>
  hasBriefTools?: true
}

const ESSENTIAL = 'essential'

/**
 * The names of the tools that a caller selected.
 * @param names  of all tools
 * @param lists  words separated by commas: a tool, a noun with several tools such as `documents`, `essential`, or
 *   `all`; without any, all tools are selected
 * @param essential  the names of the tools that most work needs
 * @throws VALIDATION_ERROR for a word that matches no tool, and for a list without words
 */
export function selectTools(
  names: readonly string[],
  lists: readonly string[],
  essential: readonly string[] = [],
): SelectedTools {
  const words = lists.flatMap((list) => list.split(',')).map((word) => word.trim())
  if (lists.length === 0) return {}
  const selected = words.filter((word) => word !== '')
  if (selected.length > 0) {
    const isBrief = selected.includes(ESSENTIAL) && !selected.includes('all')
    return { tools: matchTools(names, selected, essential), ...(isBrief && { hasBriefTools: true }) }
  }
  throw invalid('Expected names or nouns of tools, found none; leave the list out, or give all, for all tools.')
}

/**
 * The same from the parameter `tools` of an address, and whether its answers are typed (`answers=typed`). Other
 * parameters belong to others, such as a proxy, but one that is nearly called so would silently select all tools.
 *
 * @throws VALIDATION_ERROR
 */
export function connectionOfAddress(
  names: readonly string[],
  parameters: URLSearchParams,
  essential: readonly string[],
): SelectedTools & { answers?: 'typed' } {
  for (const name of parameters.keys()) {
    const meant = PARAMETERS.includes(name) ? undefined : nearestName(name, PARAMETERS)
    if (meant === undefined) continue
    throw invalid(`Expected the parameter ${meant} in the address, found ${name}; did you mean ${meant}?`)
  }
  const answers = parameters.getAll('answers').map(readAnswers)
  return { ...selectTools(names, parameters.getAll('tools'), essential), ...(answers[0] && { answers: answers[0] }) }
}

const PARAMETERS: readonly string[] = ['tools', 'answers']

/** @throws VALIDATION_ERROR */
function readAnswers(given: string): 'typed' {
  if (given === 'typed') return given
  throw invalid(`Expected typed as answers, found ${JSON.stringify(given)}; leave answers out for short ones.`)
}

function matchTools(
  names: readonly string[],
  words: readonly string[],
  essential: readonly string[],
): ReadonlySet<string> {
  const byNoun = Map.groupBy(names, nounOf)
    .set(ESSENTIAL, [...essential])
    .set('all', [...names])
  return new Set(words.flatMap((word) => byNoun.get(word) ?? (names.includes(word) ? word : unknownTool(word, names))))
}

/** `daily_notes` for `daily_notes_search`, and `batch` for `batch`. */
const nounOf = (name: string): string => name.replace(/_[^_]*$/, '')

function unknownTool(word: string, names: readonly string[]): never {
  const nouns = new Set(names.map(nounOf))
  const next = didYouMean(word, [...nouns, ...names], `give some of ${[...nouns].join(', ')}, or tools by name.`)
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
