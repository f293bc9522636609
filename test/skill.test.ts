/** Skills use existing tools and parameters, and are valid by the Agent Skills specification. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { toolCatalogFor } from '../src/call/catalog/tool-catalog.ts'
import { CONNECTION_KINDS } from '../src/space/model/space.ts'
import { endpoints, skills } from '../tools/index.ts'
import { root } from './program.ts'

const partsOf = (text: string) => /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text)?.slice(1) ?? []

/** Source: https://agentskills.io/specification */
test.each(skills)('the front matter of $name has its name and a description', async ({ name, markdown }) => {
  const [frontMatter = '', body = ''] = partsOf(await markdown())
  const { name: named, description, ...others } = parse(frontMatter) as Record<string, string>
  expect(named).toBe(name)
  expect(name).toMatch(/^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/)
  expect(description?.length).toBeGreaterThan(100)
  expect(description?.length).toBeLessThanOrEqual(1024)
  expect(Object.keys(others)).toEqual(['license'])
  expect(body.split('\n').length).toBeLessThan(500)
})

test('every tool and parameter in the skill of the package exists', () => {
  const [, body = ''] = partsOf(readFileSync(join(root, 'skills/scriptorium/SKILL.md'), 'utf8'))
  const tools = new Map<string, Set<string>>()
  for (const kind of CONNECTION_KINDS) {
    for (const { name, inputSchema } of toolCatalogFor(endpoints, kind).list.listings) {
      tools.set(name, new Set([...(tools.get(name) ?? []), ...keysIn(inputSchema)]))
    }
  }
  const parameters = new Set([...tools.values()].flatMap((keys) => [...keys]))
  const named = [...body.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((name) => !tools.has(name))).toEqual([])
  // A word in code that is not a tool, Markdown or an address must be a parameter of some tool.
  const words = [...body.matchAll(/`([a-zA-Z]+)`/g)].map(([, word = '']) => word)
  expect(words.length).toBeGreaterThan(15)
  expect(words.filter((word) => !parameters.has(word))).toEqual([])
})

/** The keys of all objects in a schema. */
function keysIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, items } = schema as { properties?: Record<string, unknown>; items?: unknown }
  return [...Object.keys(properties), ...Object.values(properties).flatMap(keysIn), ...keysIn(items)]
}
