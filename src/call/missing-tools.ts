/** Advice names only tools that the connection has: another one would lead astray. */
import { ScriptoriumError } from '../base/errors.ts'
import type { Caller } from './caller.ts'
import type { ToolCatalog } from './catalog/tool-catalog.ts'
import { isEffectAllowed } from './catalog/tool-list.ts'

/** A word that could be the name of a tool. */
const WORD = /\b[a-z]+(?:_[a-z]+)+\b/g

/**
 * The error with other advice, if its advice names tools that the connection lacks. Those that the caller named itself
 * stay: what was found says so.
 */
export function withoutMissingTools(error: object, catalog: ToolCatalog, caller: Caller): object {
  // Errors of subclasses carry more than a sentence, such as how to sign in again.
  if (!(error instanceof ScriptoriumError) || error.constructor !== ScriptoriumError) return error
  const isMissing = missingTools(catalog, caller)
  const { code, message, details, retryAfter } = error
  const sentence = rewrite(message, isMissing)
  const faults = details.map((fault) => ({ ...fault, message: rewrite(fault.message, isMissing) }))
  const isSame = sentence === message && faults.every((fault, index) => fault.message === details[index]?.message)
  return isSame ? error : new ScriptoriumError(code, sentence, faults, retryAfter)
}

/** A note of an answer, with other advice if it names tools that the connection lacks. */
export const noteWithoutMissingTools = (note: string, catalog: ToolCatalog, caller: Caller): string =>
  rewrite(note, missingTools(catalog, caller))

const missingTools =
  (catalog: ToolCatalog, caller: Caller) =>
  (name: string): boolean =>
    catalog.isTool(name) && !hasTool(catalog, caller, name)

function hasTool(catalog: ToolCatalog, { link, tools }: Caller, name: string): boolean {
  const tool = catalog.find(name)
  return tool !== undefined && isEffectAllowed(tool.endpoint.effect, link.access) && tools?.has(name) !== false
}

/** Advice stands after the first semicolon of a sentence. */
function rewrite(message: string, isMissing: (name: string) => boolean): string {
  const start = message.indexOf('; ')
  if (start < 0) return message
  const named = new Set(message.slice(0, start).match(WORD))
  const clauses = message.slice(start + 2).split('; ')
  const rewritten = clauses.map((clause) => {
    const [, advice = clause, rest = ''] = /^(.*?)(\.(?: .*)?)$/s.exec(clause) ?? []
    const isAstray = (advice.match(WORD) ?? []).some((name) => isMissing(name) && !named.has(name))
    return isAstray ? `no tool of this connection does that${rest}` : clause
  })
  return [message.slice(0, start), ...rewritten].join('; ')
}
