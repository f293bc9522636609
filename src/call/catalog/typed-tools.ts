/**
 * Tools with typed answers, for programs that write code against them: every answer is JSON and complete, and its type
 * is published, as a schema with each tool and as declarations of TypeScript for all of them.
 */
import { type Endpoint, mcpDefaultsOf } from '../../endpoint.ts'
import type { JsonSchema } from '../input/arguments.ts'
import { NamedSchemas } from './named-schemas.ts'
import type { ToolEntry, ToolListing } from './tool-list.ts'
import { answerSchemaOf } from './tool-schema.ts'
import { typeDeclarations, typeOf } from './type-declarations.ts'

/** The inputs that choose another form of the answer, such as Markdown. */
export const formInputs = (endpoint: Endpoint): string[] =>
  Object.keys(mcpDefaultsOf(endpoint)).filter((key) => key === 'format' || key === 'answer')

/** The listing of a tool without these inputs, and with the schema of its answer. */
export function typedEntry(entry: ToolEntry, endpoint: Endpoint): ToolEntry {
  const narrowed = ({ properties = {}, ...schema }: ToolListing['inputSchema']) => ({
    ...schema,
    properties: without(properties, formInputs(endpoint)),
  })
  const { listing, refersTo, brief } = entry
  return {
    ...entry,
    listing: { ...listing, inputSchema: narrowed(listing.inputSchema), outputSchema: answerType(endpoint) },
    ...(refersTo && { refersTo: { ...refersTo, inputSchema: narrowed(refersTo.inputSchema) } }),
    ...(brief && { brief: narrowed(brief) }),
  }
}

/** Dry runs and proposals add fields to an answer, so its type is open at the top. */
function answerType(endpoint: Endpoint): NonNullable<ToolListing['outputSchema']> {
  const schemas = new NamedSchemas({}, '#/$defs/')
  const placed = schemas.place(`${endpoint.name}_answer`, answerSchemaOf(endpoint))
  const named = placed.$ref === undefined ? placed : schemas.components[nameIn(placed.$ref)]
  const { additionalProperties: _, ...root } = named ?? {}
  const hasNames = Object.keys(schemas.components).length > 0
  return { ...root, type: 'object', ...(hasNames && { $defs: schemas.components }) }
}

const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)

const without = (properties: Readonly<Record<string, JsonSchema>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => !names.includes(key)))

/**
 * The tools as an interface of TypeScript, with a method each, after the types that they name.
 *
 * @param tools  those that the connection has
 */
export function toolTypes(tools: readonly { endpoint: Endpoint; schema: JsonSchema }[]): string {
  const schemas = new NamedSchemas()
  const methods = tools.map(({ endpoint, schema }) => {
    const { properties = {}, ...input } = schemas.place(`${endpoint.name}_input`, schema)
    const given = typeOf({ ...input, properties: without(properties, formInputs(endpoint)) }, '  ')
    const answer = typeOf(schemas.place(`${endpoint.name}_answer`, answerSchemaOf(endpoint)), '  ')
    const isOptional = ((input.required as string[] | undefined) ?? []).length === 0
    return `  /** ${endpoint.description} */\n  ${endpoint.name}(input${isOptional ? '?' : ''}: ${given}): Promise<${answer}>`
  })
  return `${typeDeclarations(schemas.components)}\nexport interface Tools {\n${methods.join('\n\n')}\n}\n`
}
