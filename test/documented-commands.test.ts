/**
 * Every command line in the documentation is one that the program reads: its command, operands and flags exist. So do the
 * routes and parameters of calls with curl, and the scripts of npm.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import openApi from '../docs/openapi.json' with { type: 'json' }
import program from '../package.json' with { type: 'json' }
import { documentFiles, ROOT } from '../scripts/readme.ts'
import { parseOptions } from '../src/cli/options.ts'

/** Words of a command line, as a shell splits them: quotes hold words together, and # begins a comment. */
function shellWords(line: string): string[] {
  const words = [...line.replace(/\s#\s.*$/, '').matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) => word)
  return words.map((word) => word.replace(/['"]/g, ''))
}

const FENCED = /^ *```(?:sh|bash)\n([\s\S]*?)^ *```$/gm
/** What asks about the program is no command. */
const ABOUT = /^(?:help|version|-v)\b|--help|^--version|</

const commandsIn = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => /^ *(?:sudo )?scriptorium (.+)$/.exec(line)?.[1] ?? []).filter((line) => !ABOUT.test(line))

/** Those in blocks for a shell, with lines that a backslash joins. */
const blockCommands = (text: string): string[] =>
  commandsIn([...text.matchAll(FENCED)].flatMap(([, code = '']) => code.replace(/\\\n\s*/g, ' ').split('\n')))

/** Those that a sentence names. They may leave out what they work on. */
const namedCommands = (text: string): string[] =>
  commandsIn([...text.replace(FENCED, '').matchAll(/`(scriptorium [^`\n]+)`/g)].map(([, code = '']) => code))

/** Why the program would refuse a command line; undefined if it reads it. */
function refusal(line: string): string | undefined {
  try {
    // What follows a pipe or a redirection is for the shell.
    parseOptions(shellWords(line.replace(/ [|>&].*$/, '')), {})
    return undefined
  } catch (error) {
    return `${line}: ${(error as Error).message}`
  }
}

test('words are split as a shell does it', () => {
  expect(shellWords(`add 'Anna K' --handle=anna   # who`)).toEqual(['add', 'Anna K', '--handle=anna'])
})

test.each([...documentFiles(), 'SECURITY.md', 'CONTRIBUTING.md'])('the commands of %s exist', (file) => {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const isShort = (fault: string): boolean => /, found (?:none|nothing)\b|argument missing/.test(fault)
  const faults = blockCommands(text).flatMap((line) => refusal(line) ?? [])
  const named = namedCommands(text).flatMap((line) => refusal(line) ?? [])
  expect([...faults, ...named.filter((fault) => !isShort(fault))]).toEqual([])
})

/** Calls of the REST API in blocks for a shell, each as method, path and query. */
function curlCalls(text: string): { method: string; path: string; query: string }[] {
  const lines = [...text.matchAll(FENCED)].flatMap(([, code = '']) => code.replace(/\\\n\s*/g, ' ').split('\n'))
  return lines.flatMap((line) => {
    const [, path, query = ''] = /^ *curl .*"\$REST_URL(\/[^"?]*)(?:\?([^"]*))?"/.exec(line) ?? []
    if (path === undefined) return []
    const [, method = / (?:-d|--data(?:-\w+)?) /.test(line) ? 'POST' : 'GET'] = / -X (\w+)/.exec(line) ?? []
    return { method, path, query }
  })
}

interface Operation {
  parameters?: { name?: string }[]
}

/** Why the server would not know a call; undefined if it does. */
function unknownCall({ method, path, query }: ReturnType<typeof curlCalls>[number]): string | undefined {
  const paths: Record<string, Record<string, Operation>> = openApi.paths as never
  // A variable of the shell stands for an ID.
  const pattern = new RegExp(`^${path.replace(/\$[A-Z]+/g, '\\{\\w+\\}')}$`)
  const route = Object.keys(paths).find((one) => pattern.test(one))
  const operation = route === undefined ? undefined : paths[route]?.[method.toLowerCase()]
  if (operation === undefined) return `${method} ${path}: no such route`
  const known = new Set(operation.parameters?.map(({ name }) => name))
  const unknown = [...new URLSearchParams(query).keys()].filter((name) => !known.has(name))
  return unknown.length === 0 ? undefined : `${method} ${path}: no parameter ${unknown.join(', ')}`
}

test('calls with curl have routes and parameters that exist', () => {
  const found = documentFiles().flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    return curlCalls(text).map((call) => ({ file, fault: unknownCall(call) }))
  })
  expect(new Set(found.map(({ file }) => file)).size).toBeGreaterThan(5)
  expect(found.filter(({ fault }) => fault !== undefined)).toEqual([])
  const odd = '```sh\ncurl "$REST_URL/docs"\ncurl -X PUT "$REST_URL/changes"\ncurl "$REST_URL/changes?from=1"\n```'
  expect(curlCalls(odd).map(unknownCall)).toEqual([
    'GET /docs: no such route',
    'PUT /changes: no such route',
    'GET /changes: no parameter from',
  ])
})

test('scripts of npm that pages name exist', () => {
  const texts = [...documentFiles(), 'SECURITY.md', 'CONTRIBUTING.md'].map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  )
  const names = texts.flatMap((text) => [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name))
  expect(names).toContain('prove')
  expect([...new Set(names)].filter((name) => !(name in program.scripts))).toEqual([])
})

test('a command or flag that does not exist is found', () => {
  const page = '```sh\nscriptorium links add --nmae Robot\nscriptorium links revoke\n```\nor `scriptorium lnks add`.'
  expect(blockCommands(page).map((line) => refusal(line) !== undefined)).toEqual([true, true])
  expect(namedCommands(page).map((line) => refusal(line) !== undefined)).toEqual([true])
})
