/** `server.json`, for the MCP registry: valid, about this package, and with flags and addresses of the program. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import program from '../package.json' with { type: 'json' }
import server from '../server.json' with { type: 'json' }
import { parseOptions } from '../src/cli/options.ts'

const schema = JSON.parse(readFileSync(join(import.meta.dirname, 'data/mcp-registry/server.schema.json'), 'utf8'))
// Not strict: the schema uses `example`, which is not a keyword.
const ajv = new Ajv({ strict: false, allErrors: true, formats: { uri: (text: string) => URL.canParse(text) } })
const validate = ajv.compile(schema)

test('is valid against its schema', () => {
  expect(server.$schema).toBe(schema.$id)
  expect([validate(server), validate.errors]).toEqual([true, null])
  expect(validate({ ...server, name: 'scriptorium' })).toBe(false)
  expect(validate({ ...server, description: 'x'.repeat(101) })).toBe(false)
})

test('describes this package, in its version', () => {
  const [npm] = server.packages
  expect([server.name, server.version]).toEqual([program.mcpName, program.version])
  expect([npm?.registryType, npm?.identifier, npm?.version]).toEqual(['npm', program.name, program.version])
})

describe('the package', () => {
  const [{ packageArguments } = { packageArguments: [] }] = server.packages
  /** Arguments as clients write them on a command line. */
  const written = packageArguments.flatMap(({ type, name, value, default: standard }) =>
    type === 'named' ? [name ?? '', standard ?? '/notes/space.sqlite'] : [value ?? ''],
  )

  test('is started with existing flags', () => {
    expect(parseOptions(written, {})).toMatchObject({
      command: 'stdio',
      space: '/notes/space.sqlite',
      access: 'full',
      tools: 'all',
    })
  })

  test('offers each level of access', () => {
    const { choices = [] } = packageArguments.find(({ name }) => name === '--access') ?? {}
    expect(choices.map((access) => parseOptions(['stdio', '--access', access], {}).access)).toEqual(choices)
    expect(() => parseOptions(['stdio', '--access', 'none'], {})).toThrow(`Expected one of ${choices.join(', ')}`)
  })
})

test('each remote has exactly the variables of its address', () => {
  for (const { url, variables } of server.remotes) {
    const names = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(Object.keys(variables)).toEqual(names)
  }
})
