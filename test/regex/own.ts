/** Creates only the engine of a pattern, without its wrapper. */
import { Engine } from '../../src/regex/engine.ts'
import { parsePattern } from '../../src/regex/pattern-parser.ts'

export const ownEngine = (source: string, caseSensitive: boolean) => new Engine(parsePattern(source, { caseSensitive }))
