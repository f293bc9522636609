/** A case: an input that other programs got wrong, with what is right. */
import type { Workbench } from '../../bench/workbench.ts'

export interface CaseTools {
  call: Workbench['call']
  /** Adds a document. Returns its ID. */
  add(markdown: string): Promise<string>
  /** The Markdown of a page, without the tags around it. */
  read(id: string): Promise<string>
  /** The same for the Markdown of a new document. */
  written(markdown: string): Promise<string>
}

export interface Case {
  name: string
  /** @returns what is wrong; undefined if all is right */
  run(tools: CaseTools): Promise<string | undefined>
}

/** @returns what is wrong, with the text in which it is */
export function faultIn(
  text: string,
  { has = [], lacks = [] }: { has?: readonly RegExp[]; lacks?: readonly RegExp[] },
): string | undefined {
  const missing = has.find((pattern) => !pattern.test(text))
  if (missing) return `Expected ${missing}, found ${JSON.stringify(text)}.`
  const present = lacks.find((pattern) => pattern.test(text))
  return present && `Expected no ${present}, found ${JSON.stringify(text)}.`
}
