/** Finds the texts in the sources of the pages: those that are translated, and words that are shown as they are. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { hasWords, type Part, templateParts } from '../../../src/page/texts/template-messages.ts'

export const PAGE_FOLDER = join(import.meta.dirname, '../../../src/page')

/** The sources of the pages, without the catalogs. */
export const pageSources = (): string[] =>
  readdirSync(PAGE_FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.d)\.[jt]s$/.test(file) && !file.startsWith('texts'))
    .sort()

export interface FoundText {
  text: string
  /** Such as `frame/bar.ts:12`. */
  place: string
}
export interface PageTexts {
  /** Keys of the catalogs. */
  keys: FoundText[]
  /** Words that are shown, and do not go through `text` or a template. */
  untranslated: FoundText[]
}

type Node = { type: string; start: number; end: number } & Record<string, unknown>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** Functions whose texts are keys. */
const TRANSLATING = new Set(['count', 'countKey', 'counted', 'pageText', 'text', 'textKey'])

/** Where a literal is a name, and not shown: arguments of these, and values of these properties. */
const NAMING_CALLS =
  /^(?:add|addEventListener|changeCells|closest|createElement|delete|endsWith|exec|find|findAll|from|get|getItem|getModifierState|has|icon|includes|insertAdjacentHTML|invalid|lookAt|matches|matchMedia|put|querySelector|querySelectorAll|readJsonInChunks|removeItem|replace|replaceAll|request|set|setItem|split|startsWith|test|trusted)$/
const NAMING_PROPERTIES =
  /^(?:action|class|className|columns|filter|href|key|keywords|kind|query|rel|route|rows|selector|tag|type|value|variant)$/
/** Selectors, HTML, headers, types, styles, keys of the keyboard, and lists of classes, which begin with a space. */
const NAMES =
  /^[.#:[<>&*;]|[\]>=;]$|data-|^ ?(?:class|dir)=|'(?:self|none|unsafe)|application\/|text\/|immutable|^scriptorium \{|charset|no-cache|spacechange|=""|="|-\{\}|^\s|^(?:Mod|Shift|Alt|Arrow)[-A-Z]|^(?:AltGraph|Enter|Escape|Tab|Shift|Alt|Backspace|Files|Infinity|Location|Notification)$|^[A-Z][a-z]+(?:-[A-Z][a-z]+)+$/

export function textsOf(file: string): PageTexts {
  const source = readFileSync(join(PAGE_FOLDER, file), 'utf8')
  const keys: FoundText[] = []
  const untranslated: FoundText[] = []
  const placeOf = (node: Node) => `${file}:${source.slice(0, node.start).split('\n').length}`
  const visit = (value: unknown, above: readonly Node[]): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, above)
    if (!isNode(value)) return
    const { type } = value
    if (/^(?:TS(?!As|NonNull|Satisfies)|Import|ExportAll)/.test(type)) return
    if (type === 'TaggedTemplateExpression' && nameOf(value.tag) === 'html') {
      const { quasi } = value as unknown as {
        quasi: Node & { quasis: { value: { cooked: string } }[]; expressions: Node[] }
      }
      const messages = messagesOf(templateParts(quasi.quasis.map((one) => one.value.cooked)))
      keys.push(...messages.map((text) => ({ text, place: placeOf(value) })))
      // What is made when the module loads is made once, for all languages.
      if (messages.length > 0 && !isInFunction(above))
        untranslated.push({ text: messages.join(), place: placeOf(value) })
      visit(quasi.expressions, [...above, value, quasi])
      return
    }
    const literal = literalOf(value)
    if (literal !== undefined && literal !== '') {
      const use = useOf(value, above)
      if (use === 'key') keys.push({ text: literal, place: placeOf(value) })
      if (use === 'shown' && !isFault([...above, value])) untranslated.push({ text: literal, place: placeOf(value) })
    }
    for (const [key, child] of Object.entries(value)) if (key !== 'type') visit(child, [...above, value])
  }
  visit(parseAst(source, { lang: file.endsWith('.ts') ? 'ts' : 'js' }), [])
  return { keys, untranslated }
}

const messagesOf = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) =>
    typeof part === 'object' ? [part.key, ...[...part.elements.values()].flatMap((own) => messagesOf(own))] : [],
  )

const nameOf = (node: unknown): string =>
  isNode(node) ? String(node.name ?? (isNode(node.property) ? node.property.name : undefined) ?? '') : ''

/** Within what is thrown: sentences of errors are given to agents as well. */
const isFault = (above: readonly Node[]): boolean =>
  above.some(
    ({ type, callee }) =>
      type === 'ThrowStatement' || (type === 'NewExpression' && /Error|RegExp/.test(nameOf(callee))),
  )

const isInFunction = (above: readonly Node[]): boolean =>
  above.some(({ type }) => /Function/.test(type) || type === 'MethodDefinition')

function literalOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral') return undefined
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('{}')
}

/** What a literal is for: a key, something that is shown, or a name. */
function useOf(literal: Node, above: readonly Node[]): 'key' | 'shown' | 'name' {
  const text = literalOf(literal) ?? ''
  // A choice between two texts stands for both.
  let [child, index] = [literal, above.length - 1]
  const isChoice = (one: Node | undefined) =>
    one?.type === 'LogicalExpression' || (one?.type === 'ConditionalExpression' && one.test !== child)
  while (isChoice(above[index])) [child, index] = [above[index] as Node, index - 1]
  const around = above[index]
  const call = above.findLast(
    ({ type, callee }) =>
      type === 'CallExpression' && isNode(callee) && callee.type === 'Identifier' && TRANSLATING.has(nameOf(callee)),
  )
  if (call !== undefined && call === around && (call.arguments as Node[])[0] === child) return 'key'
  if (call !== undefined && around?.type === 'Property' && /^(?:one|other)$/.test(nameOf(around.key))) return 'key'
  if (isShownBy(above[index - 1], around, child)) return hasWords(text.replaceAll('{}', '')) ? 'shown' : 'name'
  const isWordy = /[A-Za-z]{2}/.test(text) && (/ /.test(text) || /^[“(]?[A-Z][a-z]/.test(text))
  if (!isWordy || NAMES.test(text)) return 'name'
  if (around === undefined || /^(?:Binary|SwitchCase|MemberExp|TaggedT)/.test(around.type)) return 'name'
  if (around.type === 'CallExpression' && NAMING_CALLS.test(nameOf(around.callee))) return 'name'
  if (around.type === 'NewExpression') return 'name'
  if (around.type === 'Property' && (around.key === child || NAMING_PROPERTIES.test(keyOf(around)))) return 'name'
  if (around.type === 'AssignmentExpression' && nameOf(around.left) === 'className') return 'name'
  return 'shown'
}

const keyOf = ({ key }: Node): string => (isNode(key) ? String(key.name ?? key.value ?? '') : '')

/** True for a value of an HTML template that is text, or an attribute that is. */
function isShownBy(tagged: Node | undefined, around: Node | undefined, child: Node): boolean {
  if (tagged?.type !== 'TaggedTemplateExpression' || nameOf(tagged.tag) !== 'html' || around === undefined) return false
  const { quasis, expressions } = around as unknown as { quasis: { value: { cooked: string } }[]; expressions: Node[] }
  const before = quasis
    .slice(0, expressions.indexOf(child) + 1)
    .map(({ value }) => value.cooked)
    .join('')
  return !/<[^>]*$/.test(before) || /\s(?:title|aria-label|alt|placeholder|label)="[^"]*$/.test(before)
}
