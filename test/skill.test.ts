/** The skill names tools and parameters as they are, and is valid to the specification of Agent Skills. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { toolCatalogFor } from '../src/call/tool-catalog.ts'
import { CONNECTION_KINDS } from '../src/space/model/space.ts'
import { endpoints } from '../tools/index.ts'
import { root } from './program.ts'

const text = readFileSync(join(root, 'skills/scriptorium/SKILL.md'), 'utf8')
const [, frontMatter = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? []

/** Source: https://agentskills.io/specification */
test('its front matter has a name, which is that of its folder, and a description', () => {
  const { name, description, ...others } = parse(frontMatter) as Record<string, string>
  expect(name).toBe('scriptorium')
  expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  expect(description?.length).toBeGreaterThan(100)
  expect(description?.length).toBeLessThanOrEqual(1024)
  expect(Object.keys(others)).toEqual(['license'])
  expect(body.split('\n').length).toBeLessThan(500)
})

test('every tool and parameter that it names exists', () => {
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
  // A word in code that is no tool, no Markdown and no address is a parameter of some tool.
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
