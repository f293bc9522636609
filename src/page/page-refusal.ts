/** Refusals that pages make themselves. Those of tools are in English, and written for agents: see refusal-text.ts. */
import { type ErrorCode, ScriptoriumError } from '../base/errors.ts'

/** Its message is a text of the catalog, in the language of the page. */
export class PageRefusal extends ScriptoriumError {}

/** @param sentence  what was expected, what was found, and what to do, in the language of the page */
export const refused = (sentence: string, code: ErrorCode = 'VALIDATION_ERROR'): PageRefusal =>
  new PageRefusal(code, sentence)
