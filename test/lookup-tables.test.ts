/**
 * Look-up tables that are indexed by input have no prototype: `{ a: 1 }['constructor']` is a function, and
 * `'__proto__' in {}` is true. So a table with open keys is a Map, and an object that collects values under the keys of
 * a caller is made with `Object.create(null)`.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const files = ['src', 'tools', 'storage'].flatMap((folder) => globSync(`${folder}/**/*.{ts,js}`, { cwd: root })).sort()

/** A node of the syntax tree, as far as it is read here. */
interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

function* nodesIn(node: Node): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) yield* nodesIn(child)
}

/** Types that say how a type is used, not what keys it has. */
const WRAPPERS: ReadonlySet<unknown> = new Set(['Readonly', 'Partial', 'Required'])

/** Names of constants, which the program itself gives as keys. */
const CONSTANT = /^[A-Z][A-Z0-9_]*$/

/** True for `Record<string, …>` and `{ [key: string]: … }`. */
function hasOpenKeys(type: unknown): boolean {
  if (!isNode(type)) return false
  if (type.type === 'TSTypeAnnotation') return hasOpenKeys(type.typeAnnotation)
  if (type.type === 'TSTypeLiteral') return (type.members as Node[]).some((one) => one.type === 'TSIndexSignature')
  if (type.type !== 'TSTypeReference') return false
  const name = (type.typeName as Node).name
  const [first] = isNode(type.typeArguments) ? (type.typeArguments.params as Node[]) : []
  return name === 'Record' ? first?.type === 'TSStringKeyword' : WRAPPERS.has(name) && hasOpenKeys(first)
}

/** The expression without `as` and `satisfies`. */
const bare = (node: unknown): unknown =>
  isNode(node) && (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression')
    ? bare(node.expression)
    : node

const isLiteralObject = (node: unknown): boolean => {
  const value = bare(node)
  return isNode(value) && value.type === 'ObjectExpression'
}

/** An object whose members are read or written by a name that the program does not contain. */
interface Indexed {
  node: Node
  object: Node
  isCast: boolean
}

/** `table[key]`, where the key is no literal. A key that is cast to the keys of its table may be any text. */
function indexedIn(node: Node): Indexed | undefined {
  if (node.type !== 'MemberExpression' || node.computed !== true || !isNode(node.property)) return undefined
  const key = node.property
  if (key.type === 'Literal' || CONSTANT.test(String(key.name)) || !isNode(node.object)) return undefined
  return { node, object: node.object, isCast: key.type === 'TSAsExpression' }
}

const isMapType = (annotation: unknown): boolean =>
  isNode(annotation) &&
  isNode(annotation.typeAnnotation) &&
  annotation.typeAnnotation.type === 'TSTypeReference' &&
  ['Map', 'ReadonlyMap'].includes(String((annotation.typeAnnotation.typeName as Node).name))

/** What `Object.keys`, `Object.values` or `Object.entries` is called with: a name, or a field of this object. */
function listedIn(node: Node): Node | undefined {
  if (node.type !== 'CallExpression' || !isNode(node.callee) || node.callee.type !== 'MemberExpression')
    return undefined
  const { object, property } = node.callee as Node & { object: Node; property: Node }
  const [given] = node.arguments as Node[]
  if (object.name !== 'Object' || !['keys', 'values', 'entries'].includes(String(property.name))) return undefined
  return given?.type === 'MemberExpression' ? (given.property as Node) : given
}

/** The places of a source where a look-up may reach a prototype. */
function unsafeLookups(file: string, text: string): string[] {
  const program = parseSync(file, text, { lang: file.endsWith('.js') ? 'js' : 'ts' }).program as unknown as Node
  const nodes = [...nodesIn(program)]
  const topLevel = new Set(
    (program.body as Node[]).flatMap(({ declaration, ...statement }) =>
      isNode(declaration) ? ((declaration.declarations as Node[]) ?? []) : ((statement.declarations as Node[]) ?? []),
    ),
  )
  const { literals, tables, openTables } = objectsIn(nodes, topLevel)
  const maps = mapsIn(nodes, topLevel)
  const makers = makersIn(nodes)
  const found = openTables.map((node) => ({ node, what: 'is a table with open keys; make it a Map' }))
  for (const node of nodes) {
    const what = [
      maps.has(listedIn(node)?.name ?? '') && 'is always empty: a Map has keys() and entries()',
      isOpenIn(node) && 'also finds what every object has; use Object.hasOwn or a Map',
      describeIndexed(indexedIn(node), { literals, tables, makers }),
    ]
    for (const one of what) if (one) found.push({ node, what: one })
  }
  return found.map(({ node: { start, end }, what }) => {
    const line = text.slice(0, start).split('\n').length
    return `${file}:${line}: ${text.slice(start, end).split('\n')[0]} ${what}`
  })
}

/**
 * The names of constants that are written as objects, and those of them with open keys.
 *
 * @returns openTables  the names that a module gives to tables with open keys and with members
 */
function objectsIn(nodes: readonly Node[], topLevel: ReadonlySet<Node>) {
  const [literals, tables] = [new Set<unknown>(), new Set<unknown>()]
  const openTables: Node[] = []
  for (const node of nodes) {
    if (node.type !== 'VariableDeclarator' || !isNode(node.id) || !isLiteralObject(node.init)) continue
    literals.add(node.id.name)
    if (!hasOpenKeys(node.id.typeAnnotation)) continue
    const members = (bare(node.init) as Node).properties as Node[]
    const isTopLevel = topLevel.has(node)
    // A copy within a function has the keys of what it was copied from.
    if (isTopLevel || !members.some(({ type }) => type === 'SpreadElement')) tables.add(node.id.name)
    if (isTopLevel && members.length > 0) openTables.push(node.id)
  }
  return { literals, tables, openTables }
}

/** The names of functions that return objects with open keys. */
function makersIn(nodes: readonly Node[]): ReadonlySet<unknown> {
  const makers = new Set<unknown>()
  for (const node of nodes) {
    const made = node.type === 'FunctionDeclaration' ? node : node.type === 'VariableDeclarator' ? node.init : undefined
    if (isNode(made) && hasOpenKeys(made.returnType)) makers.add((node.id as Node | undefined)?.name)
  }
  return makers
}

/** The names of maps, by their types or by how a module makes them. */
function mapsIn(nodes: readonly Node[], topLevel: ReadonlySet<Node>): ReadonlySet<unknown> {
  const maps = new Set<unknown>()
  for (const node of nodes) {
    const { typeAnnotation, key, name, id, init } = node
    const isMade =
      topLevel.has(node) && isNode(init) && init.type === 'NewExpression' && (init.callee as Node).name === 'Map'
    const declared = [id, key].find(isNode)
    if (isMade || isMapType(typeAnnotation) || isMapType(declared?.typeAnnotation)) maps.add(name ?? declared?.name)
  }
  return maps
}

/** True for `key in object`, where the key is no literal. */
function isOpenIn({ type, operator, left }: Node): boolean {
  if (type !== 'BinaryExpression' || operator !== 'in' || !isNode(left)) return false
  const isSymbol = left.type === 'MemberExpression' && (left.object as Node).name === 'Symbol'
  return left.type !== 'Literal' && left.type !== 'PrivateIdentifier' && !isSymbol
}

function describeIndexed(
  indexed: Indexed | undefined,
  { literals, tables, makers }: Record<'literals' | 'tables' | 'makers', ReadonlySet<unknown>>,
): string | undefined {
  if (indexed === undefined) return undefined
  const { object, isCast } = indexed
  const called = object.type === 'CallExpression' && isNode(object.callee) ? object.callee.name : undefined
  if (object.type === 'ObjectExpression') return 'is indexed as it is made; make it a Map'
  if (tables.has(object.name)) return 'has a prototype; use a Map or Object.create(null)'
  if (isCast && literals.has(object.name)) return 'is indexed by a cast; use a Map or check the key'
  return called !== undefined && makers.has(called) ? 'has a prototype; return a Map' : undefined
}

/** Reading a syntax tree takes longer than this look at the text, which finds all files that can have such a place. */
const MAY_HAVE = /Record<string|Object\.(?:keys|values|entries)\(|\[\w+: string\]| in [\w.(]|\}\[| as [\w<>\s.]+\]/

test.each(files)('%s looks nothing up in a prototype', (file) => {
  const text = readFileSync(join(root, file), 'utf8')
  expect(MAY_HAVE.test(text) ? unsafeLookups(file, text) : []).toEqual([])
})

test('each kind of unsafe look-up is found, and safe ones are not', () => {
  const unsafe = [
    'const A: Record<string, number> = { a: 1 }',
    'function f(key: string) { const b: Readonly<Record<string, number>> = {}; return b[key] }',
    "function g(key: string) { return { c: 1 }[key as 'c'] }",
    'const D = { d: 1 } as const; const e = (key: string) => D[key as keyof typeof D]',
    'function h(): Record<string, number> { return {} } const i = (key: string) => h()[key]',
    'const j = (key: string, object: object) => key in object',
    'export const K: { [key: string]: number } = { k: 1 }',
    'class L { readonly #m: ReadonlyMap<string, number>; n() { return Object.keys(this.#m) } }',
    'const O: ReadonlyMap<string, number> = new Map(); const p = Object.entries(O)',
    'const Q = new Map(); const r = Object.keys(Q)',
  ]
  for (const text of unsafe) {
    expect(MAY_HAVE.test(text), text).toBe(true)
    expect(unsafeLookups('a.ts', text), text).toHaveLength(1)
  }
  const safe = [
    'const A = new Map(Object.entries({ a: 1 })); const b = (key: string) => A.get(key)',
    'function c(key: string) { const made: Record<string, number> = Object.create(null); made[key] = 1; return made }',
    "const D: Record<'d', number> = { d: 1 }; const e = (key: 'd') => D[key]",
    'function i(one: object, key: string) { const copy: Record<string, unknown> = { ...one }; delete copy[key] }',
    "const f = (object: object) => 'name' in object || Symbol.iterator in object",
    'const G = [1, 2]; const h = (index: number) => G[index]',
  ]
  for (const text of safe) expect(unsafeLookups('a.ts', text), text).toEqual([])
})
