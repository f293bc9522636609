/**
 * Finds promises whose failure is unhandled, which ends a Node process. The compiler knows the types, so that a call
 * is recognized whatever it is named.
 *
 *     clean()                           a statement, also after `void`, `&&` and `?:`
 *     clean().then(next)                a chain without a handler of failures, or with an asynchronous one
 *     emitter.on('close', async …)      a callback whose promise the caller drops
 *
 * A promise that is stored counts as handled: whoever stores it awaits it.
 */

import type {
  ArrowFunction,
  BinaryExpression,
  CallExpression,
  ConditionalExpression,
  Expression,
  ExpressionStatement,
  Node,
  PropertyAccessExpression,
  PropertyAssignment,
  ReturnStatement,
  SourceFile,
  VariableDeclaration,
  VoidExpression,
} from 'typescript/unstable/ast'
import { SyntaxKind } from 'typescript/unstable/ast'
import { API, type Checker, SignatureKind, type Type, TypeFlags } from 'typescript/unstable/sync'

/** Functions that wait for what a callback returns, although their types say that they drop it. */
const WAITING = new Map([
  ['finally', 'the language waits'],
  ['onConnect', 'pg-pool waits before it lends the connection'],
  ['use', 'Koa waits for its middleware'],
])

/**
 * @param config  path of a `tsconfig.json`
 * @param isChecked  by the path of a file
 * @returns one line for each promise: `src/a.ts:12 void clean()`
 */
export function findFloatingPromises(config: string, isChecked: (file: string) => boolean): string[] {
  const api = new API()
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (project === undefined) throw new Error(`Expected a project at ${config}, found none.`)
    const { program, checker } = project
    const promises = new Promises(checker)
    const files = program.getSourceFileNames().filter(isChecked)
    return files.flatMap((name) => {
      const file = program.getSourceFile(name)
      return file === undefined ? [] : promises.floatingIn(file).map((node) => format(file, name, node))
    })
  } finally {
    api.close()
  }
}

function format(file: SourceFile, name: string, node: Node): string {
  const start = node.getStart(file)
  const line = file.text.slice(0, start).split('\n').length
  return `${name}:${line} ${file.text.slice(start, node.end).replace(/\s+/g, ' ').slice(0, 120)}`
}

class Promises {
  readonly #checker: Checker
  readonly #known = new Map<number, boolean>()

  constructor(checker: Checker) {
    this.#checker = checker
  }

  floatingIn(file: SourceFile): Node[] {
    const dropped: Expression[] = []
    const callbacks: Expression[] = []
    const visit = (node: Node): void => {
      const value = droppedBy(node)
      if (value !== undefined) dropped.push(value)
      callbacks.push(...callbacksOf(node))
      node.forEachChild(visit)
    }
    visit(file)
    const values = this.#typesOf(dropped)
    const functions = this.#typesOf(callbacks)
    return [
      ...dropped.filter((node, index) => this.#isPromise(values[index]) && !this.#isHandled(node)),
      ...callbacks.filter((node, index) => this.#returnsPromise(functions[index]) && this.#isDropped(node)),
    ]
  }

  /** True for a chain that ends with a synchronous handler of failures. */
  #isHandled(node: Expression): boolean {
    if (node.kind !== SyntaxKind.CallExpression) return false
    const { expression, arguments: given } = node as CallExpression
    const name = nameOf(expression)
    const handlers = name === 'catch' ? given.slice(0, 1) : name === 'then' && given.length > 1 ? given.slice(0, 2) : []
    return handlers.length > 0 && this.#typesOf(handlers).every((type) => !this.#returnsPromise(type))
  }

  /** True for a function whose result is not expected. */
  #isDropped(node: Expression): boolean {
    const expected = this.#checker.getContextualType(node)
    if (expected === undefined) return false
    const results = partsOf(expected).flatMap((type) => this.#resultsOf(type))
    return results.length > 0 && results.every((type) => (type.flags & DROPPED) !== 0)
  }

  /** The results of the calls of a function type. `Function` itself says nothing about them. */
  #resultsOf(type: Type): Type[] {
    if (type.getSymbol()?.name === 'Function') return [this.#checker.getVoidType()]
    return this.#checker
      .getSignaturesOfType(type, SignatureKind.Call)
      .flatMap((signature) => this.#checker.getReturnTypeOfSignature(signature) ?? [])
  }

  #returnsPromise(type: Type | undefined): boolean {
    if (type === undefined || (type.flags & TypeFlags.Object) === 0) return false
    return this.#resultsOf(type).some((result) => this.#isPromise(result))
  }

  #isPromise(type: Type | undefined): boolean {
    if (type === undefined) return false
    const known = this.#known.get(type.id)
    if (known !== undefined) return known
    const parts = partsOf(type)
    const isPromise =
      parts.length > 1
        ? parts.some((part) => this.#isPromise(part))
        : (type.flags & (TypeFlags.Object | TypeFlags.Intersection)) !== 0 &&
          this.#checker.getPropertyOfType(type, 'then') !== undefined
    this.#known.set(type.id, isPromise)
    return isPromise
  }

  #typesOf(nodes: readonly Expression[]): readonly (Type | undefined)[] {
    try {
      return this.#checker.getTypeAtLocation(nodes)
    } catch {
      // The compiler's interface fails for some tuples, which are neither promises nor functions.
      return nodes.length <= 1 ? [undefined] : nodes.flatMap((node) => this.#typesOf([node]))
    }
  }
}

/** Listeners of DOM events and of other libraries return `any`. Who takes `unknown` looks at it. */
const DROPPED = TypeFlags.Void | TypeFlags.Any | TypeFlags.Undefined

const partsOf = (type: Type): readonly Type[] => (type.isUnionType() ? (type.getTypes() ?? []) : [type])

const nameOf = (node: Node): string =>
  node.kind === SyntaxKind.PropertyAccessExpression
    ? (node as PropertyAccessExpression).name.text
    : node.kind === SyntaxKind.Identifier
      ? (node as Node & { text: string }).text
      : ''

/** The expression whose value a node drops. */
function droppedBy(node: Node): Expression | undefined {
  if (node.kind === SyntaxKind.VoidExpression) return (node as VoidExpression).expression
  if (node.kind !== SyntaxKind.ExpressionStatement) return undefined
  return lastOf((node as ExpressionStatement).expression)
}

/** The part of an expression that decides on its value; undefined if the value is stored. */
function lastOf(node: Expression): Expression | undefined {
  if (node.kind === SyntaxKind.ParenthesizedExpression) return lastOf((node as VoidExpression).expression)
  if (node.kind === SyntaxKind.ConditionalExpression) {
    const { whenTrue, whenFalse } = node as ConditionalExpression
    return lastOf(whenTrue) ?? lastOf(whenFalse)
  }
  if (node.kind !== SyntaxKind.BinaryExpression) return node
  const { operatorToken, right } = node as BinaryExpression
  return LOGICAL.has(operatorToken.kind) ? lastOf(right) : undefined
}

const LOGICAL = new Set([
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.BarBarToken,
  SyntaxKind.QuestionQuestionToken,
  SyntaxKind.CommaToken,
])

/** Kinds of expressions that may be functions. */
const FUNCTIONS = new Set([
  SyntaxKind.ArrowFunction,
  SyntaxKind.FunctionExpression,
  SyntaxKind.Identifier,
  SyntaxKind.PropertyAccessExpression,
  SyntaxKind.CallExpression,
  SyntaxKind.ConditionalExpression,
])

/** Functions that a node passes on. */
function callbacksOf(node: Node): Expression[] {
  return passedBy(node).filter(({ kind }) => FUNCTIONS.has(kind))
}

function passedBy(node: Node): readonly Expression[] {
  switch (node.kind) {
    case SyntaxKind.CallExpression:
    case SyntaxKind.NewExpression: {
      const { expression, arguments: given } = node as CallExpression
      return WAITING.has(nameOf(expression)) ? [] : (given ?? [])
    }
    case SyntaxKind.PropertyAssignment: {
      const { name, initializer } = node as PropertyAssignment
      return WAITING.has(nameOf(name)) ? [] : [initializer]
    }
    case SyntaxKind.VariableDeclaration: {
      const { type, initializer } = node as VariableDeclaration
      return type === undefined || initializer === undefined ? [] : [initializer]
    }
    case SyntaxKind.BinaryExpression: {
      const { operatorToken, right } = node as BinaryExpression
      return operatorToken.kind === SyntaxKind.EqualsToken ? [right] : []
    }
    case SyntaxKind.ReturnStatement: {
      const { expression } = node as ReturnStatement
      return expression === undefined ? [] : [expression]
    }
    case SyntaxKind.ArrowFunction: {
      const { body } = node as ArrowFunction
      return body.kind === SyntaxKind.Block ? [] : [body as Expression]
    }
    default:
      return []
  }
}
