/** The engine of a pattern, without what stands around it. */
import { Engine } from '../../src/regex/engine.ts'
import { parsePattern } from '../../src/regex/pattern-parser.ts'

export const ownEngine = (source: string, caseSensitive: boolean) => new Engine(parsePattern(source, { caseSensitive }))
