/** Generates random calls: it starts from valid ones and changes as many of them as requested. */

import type { ToolCatalog } from '../../../src/call/catalog/tool-catalog.ts'
import type { JsonSchema } from '../../../src/call/input/arguments.ts'
import type { ConnectionKind } from '../../../src/space/model/space.ts'
import { changedAt, type Path, setAt, textsOf, valuesIn } from './arguments.ts'
import { endpointNamed } from './test-client.ts'
import { NOUNS, type Things } from './things.ts'
import { type Args, type ToolCall, validCalls } from './valid-calls.ts'

export interface Pools {
  kind: ConnectionKind
  table: ToolCatalog
  /** The things that valid calls refer to. */
  things: Things[]
  /** More IDs, in addition to those of the things. */
  ids: string[]
  /** Cursors from earlier responses. */
  cursors: string[]
}

/** How calls are changed. */
export interface Changes {
  /** The probability that a call stays valid. */
  valid: number
  /** The probability that a change inserts an unexpected value. */
  odd: number
}

export class Chance {
  readonly #random: () => number

  constructor(random: () => number) {
    this.#random = random
  }

  /** Returns true with this probability. */
  is(probability: number): boolean {
    return this.#random() < probability
  }

  below(count: number): number {
    return Math.floor(this.#random() * count)
  }

  /** @param from  with at least one entry */
  one<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T
  }
}

/** Generates the next call. @param unusual  functions that create unexpected values */
export function nextCall(chance: Chance, pools: Pools, { valid, odd }: Changes, unusual: readonly (() => unknown)[]) {
  const things = chance.one(pools.things)
  let [tool, args]: ToolCall = chance.one(validCalls(pools.kind, things))
  const { schema } = endpointNamed(pools.table, tool)
  if (chance.is(0.5)) args = withOption(chance, args, schema, pools)
  if (chance.is(valid)) return [tool, args] as const
  for (let changes = 1 + chance.below(3); changes > 0; changes--) {
    args =
      unusual.length > 0 && chance.is(odd)
        ? withUnusualValue(chance, args, schema, unusual)
        : chance.is(0.6)
          ? withOtherId(chance, args, things, pools)
          : chance.is(0.5)
            ? withOtherText(chance, args, schema, pools)
            : withOption(chance, args, schema, pools)
  }
  return [tool, args] as const
}

/** Adds one of the optional settings that the schema describes. */
function withOption(chance: Chance, args: Args, schema: JsonSchema, pools: Pools): Args {
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0) return args
  const [key, shape] = chance.one(properties)
  const value = settingOf(chance, key, shape, pools)
  return value === undefined ? args : { ...args, [key]: value }
}

function settingOf(chance: Chance, key: string, shape: JsonSchema, pools: Pools): unknown {
  if (key === 'cursor') return pools.cursors.length > 0 ? chance.one(pools.cursors) : undefined
  // Otherwise the call would wait in vain for changes that no one makes during the proof.
  if (key === 'wait') return 0
  if (Array.isArray(shape.enum)) return chance.one(shape.enum)
  if (shape.type === 'boolean') return chance.is(0.5)
  if (shape.type === 'integer' || shape.type === 'number') return chance.one([0, 1, 2, 3, 10, 100])
  if (shape.type === 'string') return /id$/i.test(key) ? anId(chance, pools) : chance.one(TEXTS)
  const isTexts = /^(include|regexps)$/.test(key)
  return isTexts ? [chance.one(TEXTS), ...(chance.is(0.3) ? [chance.one(TEXTS)] : [])] : undefined
}

/** Replaces one ID by another: of a thing of the same kind, of another kind, or of no thing at all. */
function withOtherId(chance: Chance, args: Args, own: Things, pools: Pools): Args {
  const places = [...valuesIn(args)].flatMap(({ path, value }) => {
    const noun = typeof value === 'string' ? NOUNS.find((one) => value.includes(own[one])) : undefined
    return noun === undefined ? [] : [{ path, value: value as string, noun }]
  })
  if (places.length === 0) return args
  const { path, value, noun } = chance.one(places)
  const id = chance.is(0.5) ? chance.one(pools.things)[noun] : anId(chance, pools)
  return setAt(args, path, value.replace(own[noun], id))
}

function anId(chance: Chance, { things, ids }: Pools): string {
  return ids.length > 0 && chance.is(0.6) ? chance.one(ids) : chance.one(things)[chance.one(NOUNS)]
}

/** Puts words, a pattern, Markdown or a date at a path that accepts text. */
function withOtherText(chance: Chance, args: Args, schema: JsonSchema, pools: Pools): Args {
  const given = [...valuesIn(args)].filter(({ value }) => typeof value === 'string').map(({ path }) => path)
  const paths = chance.is(0.5) && given.length > 0 ? given : [...textsOf(schema)]
  if (paths.length === 0) return args
  const text = chance.is(0.3) ? `[to](block://${anId(chance, pools)})` : chance.one(TEXTS)
  return setAt(args, chance.one(paths), text)
}

export const TEXTS = [
  'words',
  'word',
  'xylophone',
  'zeppelin',
  'a "words in"',
  'inside',
  'today',
  'tomorrow',
  '2026-11-20',
  '2026-11-19',
  '2020-02-29',
  'w.rds?',
  '(?=i)[a-z]+',
  '^[^x]*$',
  '# Heading\n\n- [ ] to do\n- [x] done\n\n| a | b |\n| - | - |\n| 1 | 2 |',
  '<page><pageTitle>Page</pageTitle><content>in it</content></page>',
  '> quote\n\n<callout>\ncall\n</callout>\n\n```js\ncode()\n```',
  'https://example.org/picture.png',
  'price',
  'Open',
  'ties',
  'trash',
  '#ff0000',
  '🦊 fox',
]

const MISTAKES: readonly ((chance: Chance, holder: Record<string | number, unknown>, key: string | number) => void)[] =
  [
    (_, holder, key) => {
      delete holder[key]
    },
    (_, holder, key) => {
      holder[key] = [holder[key]]
    },
    (_, holder, key) => {
      holder[key] = { value: holder[key] }
    },
    (_, holder, key) => {
      holder[key] = JSON.stringify(holder[key])
    },
    (_, holder, key) => {
      if (Array.isArray(holder[key])) holder[key] = []
    },
    (_, holder, key) => {
      const list = holder[key]
      if (Array.isArray(list)) holder[key] = [...list, ...list]
    },
    (chance, holder, key) => {
      const text = String(key)
      const at = chance.below(text.length)
      const near = text.slice(0, at) + text.slice(at + 1)
      if (near === '__proto__' || Array.isArray(holder)) return
      holder[near] = holder[key]
      delete holder[key]
    },
  ]

/** Inserts a mistake: an unexpected value, another shape, or a key with a typo. */
function withUnusualValue(chance: Chance, args: Args, schema: JsonSchema, unusual: readonly (() => unknown)[]): Args {
  const given = [...valuesIn(args)].map(({ path }) => path)
  const known: Path[] = chance.is(0.5) ? [...textsOf(schema)] : given
  const paths = known.length > 0 ? known : given
  if (paths.length === 0) return { [chance.one(['id', 'cursor', 'constructor', 'toString'])]: chance.one(unusual)() }
  const path = chance.one(paths)
  if (chance.is(0.6)) {
    // The oddity may also replace one of the containers on the path.
    const shorter = path.slice(0, chance.is(0.7) ? path.length : 1 + chance.below(path.length))
    return setAt(args, shorter, chance.one(unusual)())
  }
  const mistake = chance.one(MISTAKES)
  return changedAt(args, path, (holder, key) => mistake(chance, holder, key))
}
