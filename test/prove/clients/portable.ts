/** JSON Schema keywords in tool parameters that some host or model API refuses. */

const REFUSED: readonly string[] = [
  'anyOf',
  'oneOf',
  'allOf',
  'const',
  '$ref',
  'prefixItems',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'propertyNames',
]

/** Returns the first such keyword in a schema with its path, or undefined if all hosts accept the schema. */
export function refusedByHosts(schema: unknown, place = 'parameters'): string | undefined {
  if (typeof schema === 'boolean') return `${place} is ${schema}, no object`
  if (typeof schema !== 'object' || schema === null) return `${place} is no schema`
  const { type, properties = {}, items } = schema as { type?: unknown; properties?: object; items?: unknown }
  const keyword = REFUSED.find((one) => one in schema)
  if (keyword !== undefined) return `${place} has ${keyword}`
  if (!isPortableType(type)) return `${place} has the type ${JSON.stringify(type)}`
  const inner: [schema: unknown, place: string][] = Object.entries(properties).map(([key, one]) => [
    one,
    `${place}.${key}`,
  ])
  if (items !== undefined) inner.push([items, `${place}[]`])
  for (const [one, where] of inner) {
    const refused = refusedByHosts(one, where)
    if (refused !== undefined) return refused
  }
  return undefined
}

/** One type, or one that null clears. */
function isPortableType(type: unknown): boolean {
  const [own, other, ...further] = Array.isArray(type) ? type : [type, 'null']
  return typeof own === 'string' && own !== 'null' && other === 'null' && further.length === 0
}
