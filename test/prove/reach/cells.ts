/** The places in a call's arguments that can hold an ID, and the values that the proof puts there. */
import type { JsonSchema } from '../../../src/call/input/arguments.ts'
import { type Path, pathName, setAt, textsOf, valuesIn } from '../test-client/arguments.ts'
import { NOUNS, type Noun, type Things } from '../test-client/things.ts'
import type { Args } from '../test-client/valid-calls.ts'

/** One place, and copies of the arguments with another ID in it. */
export interface Place {
  name: string
  /** The kind of thing that the call names there, if any. */
  noun: Noun | undefined
  /** True if IDs of other kinds of things are worth trying there. */
  takesAny: boolean
  put(id: string): Args[]
}

/** Yields the places that already hold an ID in these arguments. Only the ID is replaced. */
export function* namedPlaces(args: Args, own: Things): Generator<Place> {
  for (const { path, value } of valuesIn(args)) {
    if (typeof value !== 'string') continue
    const noun = NOUNS.find((one) => value.includes(own[one]))
    if (noun === undefined) continue
    const put = (id: string) => [setAt(args, path, value.replace(own[noun], id)), ...withOwn(args, path, own[noun], id)]
    yield { name: pathName(path), noun, takesAny: true, put }
  }
}

/** In a list, the ID is also tried next to a valid one: before it and after it. */
function withOwn(args: Args, path: Path, own: string, id: string): Args[] {
  const at = path.findIndex((step) => typeof step === 'number')
  if (at < 0) return []
  const list = path.slice(0, at).reduce<unknown>((inner, step) => (inner as Args)[step], args)
  const [entry] = list as unknown[]
  const other = JSON.parse(JSON.stringify(entry).replaceAll(own, id)) as unknown
  return [setAt(args, path.slice(0, at), [entry, other]), setAt(args, path.slice(0, at), [other, entry])]
}

/** The forms of an ID in a text: alone, and in every Markdown syntax that can refer to it. */
const FORMS: readonly ((id: string) => string)[] = [
  (id) => id,
  (id) =>
    `[words](block://${id}) ![picture](scriptorium://files/${id}) <comment id="${id}">words</comment>\n\n<page id="${id}"><pageTitle>a</pageTitle></page>\n\n[@words](person://${id})`,
]

/** Yields all other places for texts in the schema. */
export function* otherPlaces(schema: JsonSchema, args: Args, own: Things): Generator<Place> {
  const named = new Set([...namedPlaces(args, own)].map(({ name }) => name))
  const seen = new Set<string>()
  for (const path of textsOf(schema)) {
    const name = pathName(path)
    if (named.has(name) || seen.has(name)) continue
    seen.add(name)
    yield { name, noun: undefined, takesAny: false, put: (id) => FORMS.map((form) => setAt(args, path, form(id))) }
  }
}
