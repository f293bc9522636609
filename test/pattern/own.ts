/** A pattern on the engine of src/pattern, whatever it is: what re2js runs in the product, it must run just so. */
import { Engine } from '../../src/regex/engine.ts'
import { parsePattern } from '../../src/regex/pattern-parser.ts'

export const ownEngine = (source: string, caseSensitive: boolean) => new Engine(parsePattern(source, { caseSensitive }))
