/** The library of the installed package, and its types. Slow because it compiles programs that use it. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { folder, root } from '../program.ts'
import { installedPackage } from '../support/installed-package.ts'

let installed: string

beforeAll(async () => {
  installed = join((await installedPackage()).folder, 'node_modules', 'scriptorium')
}, 300_000)

/** A TypeScript program of a user with the package installed. */
const CONSUMER = `import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { createServer, type ServerOptions } from 'scriptorium'

const options: ServerOptions = { space: process.argv[2] ?? '', tools: 'documents' }
const server = await createServer(options)
const [ours, theirs] = InMemoryTransport.createLinkedPair()
server.connect(ours)
const client = new Client({ name: 'consumer', version: '1.0.0' })
await client.connect(theirs)
await client.callTool({ name: 'documents_add', arguments: { documents: [{ title: 'From a program' }] } })
const { content } = await client.callTool({ name: 'documents_list' })
console.log(JSON.stringify(content))
await server.close()
`

/** A folder with that program, the package and the client. */
function consumerWith(source: string): string {
  const place = folder()
  for (const name of ['@modelcontextprotocol', '@types', 'zod', 'undici-types'])
    link(join(root, 'node_modules', name), name)
  link(installed, 'scriptorium')
  writeFileSync(join(place, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(place, 'consumer.ts'), source)
  return place

  function link(target: string, name: string): void {
    mkdirSync(join(place, 'node_modules'), { recursive: true })
    symlinkSync(target, join(place, 'node_modules', name))
  }
}

describe('the library', () => {
  test('works in a program that depends on it', () => {
    const place = consumerWith(CONSUMER)
    const printed = execFileSync(process.execPath, ['consumer.ts', join(place, 'space.sqlite')], {
      cwd: place,
      encoding: 'utf8',
    })
    expect(printed).toContain('From a program')
  })

  // It compiles two programs, which a busy machine does slowly.
  test('has types that detect errors', { timeout: 120_000 }, () => {
    const compile = (source: string) => {
      const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node']
      const args = [join(root, 'node_modules/.bin/tsc'), ...flags, '--exactOptionalPropertyTypes', 'consumer.ts']
      try {
        return execFileSync(process.execPath, args, { cwd: consumerWith(source), encoding: 'utf8' })
      } catch (error) {
        return (error as { stdout: string }).stdout
      }
    }
    expect(compile(CONSUMER)).toBe('')
    expect(compile(CONSUMER.replace("tools: 'documents'", "access: 'write'"))).toMatch(
      /consumer\.ts.*error TS2322: Type '"write"' is not assignable/,
    )
  })
})
