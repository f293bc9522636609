/** Options of the library that are mistyped are refused: their default is full access. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServer } from '../../src/local/create-server.ts'
import { folder } from '../program.ts'

/** As a program without types calls it. */
const create = createServer as (options?: unknown) => ReturnType<typeof createServer>

const KEYS = 'space, kind, documents, access, tools, answers, files, name, timezone, log'

describe('createServer refuses', () => {
  test.each<[options: object, message: string]>([
    [{ acess: 'read' }, 'Expected a known key, found "acess"; did you mean access?'],
    [{ ACCESS: 'read' }, 'Expected a known key, found "ACCESS"; did you mean access?'],
    [{ tool: 'documents' }, 'Expected a known key, found "tool"; did you mean tools?'],
    [
      { permissions: 'read' },
      `Expected one of ${KEYS}, found the unknown key "permissions"; use one of these instead.`,
    ],
    [{ toString: 'read' }, `Expected one of ${KEYS}, found the unknown key "toString"; use one of these instead.`],
    [
      { access: 'raed' },
      'Expected one of full, no-delete, propose, comment, read as access, found "raed"; did you mean read?',
    ],
    [
      { access: 'Read' },
      'Expected one of full, no-delete, propose, comment, read as access, found "Read"; did you mean read?',
    ],
    [
      { access: ['read'] },
      'Expected one of full, no-delete, propose, comment, read as access, found a list; correct it.',
    ],
    [
      { access: undefined },
      'Expected one of full, no-delete, propose, comment, read as access, found undefined; leave it out for its default.',
    ],
    [{ kind: null }, 'Expected one of full, selected, daily as kind, found null; correct it.'],
    [
      { documents: '100000000001' },
      'Expected a list of IDs of documents as documents, found "100000000001"; correct it.',
    ],
    [{ documents: [100000000001] }, 'Expected a list of IDs of documents as documents, found a list; correct it.'],
    [{ files: '/home' }, 'Expected a list of paths of folders as files, found "/home"; correct it.'],
    [{ tools: '' }, 'Expected names or nouns of tools as text as tools, found ""; correct it.'],
    [{ tools: ' , ' }, 'Expected names or nouns of tools, found none; leave the list out, or give all, for all tools.'],
    [{ log: 'log.txt' }, 'Expected a function as log, found "log.txt"; correct it.'],
    [{ kind: 'selected' }, 'Expected the IDs of the documents that the selected connection exposes, found none.'],
    [
      { documents: ['100000000001'] },
      'Expected documents on a selected connection alone, found them on a full one; leave them out.',
    ],
  ])('%j', async (options, message) => {
    const space = join(folder(), 'space.sqlite')
    await expect(create({ space, ...options })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message })
    expect(existsSync(`${space}-wal`)).toBe(false)
  })

  test.each<[options: unknown, found: string]>([
    [undefined, 'undefined'],
    [null, 'null'],
    ['space.sqlite', '"space.sqlite"'],
    [['space.sqlite'], 'a list'],
  ])('%j instead of an object', async (options, found) => {
    await expect(create(options)).rejects.toThrow(
      `Expected an object of options, found ${found}; name the space: { space: 'space.sqlite' }.`,
    )
  })

  test.each<[what: string, options: object]>([
    ['inherits a mistyped one', Object.assign(Object.create({ acess: 'read' }), { space: ':memory:' })],
    [
      'has it as a getter of its class',
      new (class {
        space = ':memory:'
        get acess() {
          return 'read'
        }
      })(),
    ],
  ])('an object that %s', async (_, options) => {
    await expect(create(options)).rejects.toThrow(
      'Expected a plain object of options, found one that inherits fields; write each option as a field of its own.',
    )
  })

  test('a mistyped option that is not enumerable, or a symbol', async () => {
    const hidden = Object.defineProperty({ space: ':memory:' }, 'acess', { value: 'read' })
    await expect(create(hidden)).rejects.toThrow('found "acess"; did you mean access?')
    await expect(create({ space: ':memory:', [Symbol('access')]: 'read' })).rejects.toThrow('Symbol(access)')
  })

  test.each([{}, { space: '' }, { space: undefined }, { space: 1 }])('%j without a space', async (options) => {
    await expect(create(options)).rejects.toThrow(
      /^Expected the path of a space, or :memory:, as text as space, found /,
    )
  })
})

test('connect refuses what is no transport, before anything is served', async () => {
  const server = await createServer({ space: ':memory:' })
  onTestFinished(() => server.close())
  const connect = server.connect as (transport?: unknown) => unknown
  expect(() => connect()).toThrow('Expected a transport with a function start, found undefined')
  expect(() => connect({ start() {}, send() {} })).toThrow(
    'Expected a transport with a function close, found undefined',
  )
})
