/**
 * The part of the README that is made from the declarations. `npm run readme` writes it, `npm test` checks it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolCatalogFor } from '../src/call/tool-catalog.ts'
import type { Endpoint } from '../src/endpoint.ts'
import { CONNECTION_KINDS } from '../src/space/model/space.ts'
import { endpoints } from '../tools/index.ts'

const FILE = join(import.meta.dirname, '..', 'README.md')
const START = '<!-- endpoints: made by `npm run readme` -->'
const END = '<!-- /endpoints -->'

/** One row an endpoint: tool, route, kinds, what it does. */
function endpointTable(): string {
  const rows = endpoints.map((endpoint) => {
    const kinds = CONNECTION_KINDS.filter((kind) => endpoint.input[kind] !== undefined).join(', ')
    return `| \`${endpoint.name}\` | \`${endpoint.route}\` | ${kinds} | ${parameters(endpoint)} | ${endpoint.description} |`
  })
  return [
    '| tool | route | connections | parameters | what it does |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

/** What a full connection may give, or the widest that has it; what must be given in bold. */
function parameters({ name, input }: Endpoint): string {
  const kind = CONNECTION_KINDS.find((one) => input[one] !== undefined) ?? 'full'
  const { inputSchema } = toolCatalogFor(endpoints, kind).list.listings.find((tool) => tool.name === name) ?? {}
  const required = (inputSchema?.required as string[] | undefined) ?? []
  return Object.keys(inputSchema?.properties ?? {})
    .map((key) => (required.includes(key) ? `**${key}**` : key))
    .join(', ')
}

/** The README as it is, and as it should be. */
export function readme(): { found: string; expected: string } {
  const found = readFileSync(FILE, 'utf8')
  const [before, rest = ''] = found.split(START)
  const [, after = ''] = rest.split(END)
  return { found, expected: `${before}${START}\n\n${endpointTable()}\n\n${END}${after}` }
}

if (process.argv[1] === import.meta.filename) writeFileSync(FILE, readme().expected)
