import { expect, test } from 'vitest'
import type { Endpoint } from '../../../src/endpoint.ts'
import type { Resource } from '../../../src/server-catalog.ts'
import { endpoints, resources } from '../../../tools/index.ts'
import { missingEntries } from './entries.ts'

test('the proof of reach covers every tool and resource', () => {
  expect(missingEntries()).toEqual([])
})

test('a tool or resource that it does not cover is named', () => {
  const tool = { ...endpoints[0], name: 'new_tool', input: { daily: endpoints[0]?.input.full } } as Endpoint
  const resource = { ...resources[0], name: 'new resource' } as Resource
  expect(missingEntries([...endpoints, tool], [...resources, resource])).toEqual([
    'Expected calls of new_tool over daily connections in test/prove/test-client/valid-calls.ts, found none.',
    'Expected what resources of the kind new resource are in test/prove/reach/entries.ts, found nothing.',
  ])
})
