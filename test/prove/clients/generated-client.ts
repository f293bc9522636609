/**
 * The client that `openapi-typescript` and `openapi-fetch` make of docs/openapi.json. They are installed with a compiler
 * of their own, since the generator needs version 5.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { installed } from '../../installed.ts'

const PACKAGES = {
  'openapi-typescript': '7.13.0',
  'openapi-fetch': '0.17.0',
  typescript: '5.9.3',
  '@types/node': '24.19.2',
}
const GENERATOR = 'node_modules/openapi-typescript/bin/cli.js'
const COMPILER = 'node_modules/typescript/bin/tsc'

const COMPILER_OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: 'es2023',
  module: 'nodenext',
  types: ['node'],
  rewriteRelativeImportExtensions: true,
}

const OPENAPI = join(import.meta.dirname, '../../../docs/openapi.json')
const PROGRAM = join(import.meta.dirname, 'generated-program.ts')

/** What keeps the compiler from comparing types. */
const CAST = /\bas [\w({]|\bany\b|@ts-/

/** What the program prints. */
const EXPECTED = {
  title: 'PLAN',
  text: 'Plan\nCount **ships**.\n- [ ] call',
  items: [['Gorch Fock', 3]],
  tasks: [['- [ ] call', 'todo']],
  isNotFound: true,
}

/** Part of an OpenAPI document, which faults are planted in. */
export interface OpenApiPart {
  [key: string]: OpenApiPart
}

/**
 * Generates a client in a new folder, and compiles the program with it.
 *
 * @param spoil  plants a fault in the document
 * @returns the errors of the generator and the compiler
 */
export async function compileProgram(
  folder: string,
  spoil: (openApi: OpenApiPart) => void = () => {},
): Promise<string[]> {
  const program = readFileSync(PROGRAM, 'utf8')
  const cast = CAST.exec(program.replace(/^\/\*[\s\S]*?\*\//, ''))
  if (cast !== null) return [`expected no cast in the program, found "${cast[0]}"`]
  const openApi = JSON.parse(readFileSync(OPENAPI, 'utf8')) as OpenApiPart
  spoil(openApi)
  mkdirSync(folder, { recursive: true })
  symlinkSync(join(await installed(PACKAGES), 'node_modules'), join(folder, 'node_modules'), 'junction')
  const json = {
    'package.json': { type: 'module' },
    'openapi.json': openApi,
    'tsconfig.json': { compilerOptions: COMPILER_OPTIONS, files: ['program.ts'] },
  }
  for (const [name, content] of Object.entries(json)) writeFileSync(join(folder, name), JSON.stringify(content))
  writeFileSync(join(folder, 'program.ts'), program)
  const generated = await runScript(folder, GENERATOR, 'openapi.json', '-o', 'api.d.ts')
  if (generated.code !== 0) return [`the generator ended with ${generated.code}: ${generated.output}`]
  const compiled = await runScript(folder, COMPILER, '-p', '.')
  return compiled.code === 0 ? [] : compiled.output.trim().split(/\n(?=\S)/)
}

/** Runs the compiled program against a server. @returns what is wrong with its answer */
export async function runProgram(folder: string, restUrl: string): Promise<string[]> {
  const { code, output } = await runScript(folder, 'program.js', restUrl)
  if (code !== 0) return [`the program ended with ${code}: ${output}`]
  const isExpected = isDeepStrictEqual(JSON.parse(output), EXPECTED)
  return isExpected ? [] : [`expected ${JSON.stringify(EXPECTED)}, found ${output.trim()}`]
}

const runScript = (cwd: string, ...args: string[]): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd, maxBuffer: 2 ** 26 }, (_, output, errors) =>
      resolve({ code: child.exitCode, output: output + errors }),
    )
  })

/** Makes the type of an answer that of any object. */
const spoilAnswer = (method: string, path: string) => (openApi: OpenApiPart) => {
  const content = openApi.paths?.[path]?.[method]?.responses?.['200']?.content?.['application/json']
  if (content === undefined) throw new Error(`Expected an answer of ${method} ${path} in openapi.json, found none.`)
  Object.assign(content, { schema: { type: 'object' } })
}

/** Faults with which the program must not compile. */
export const OPENAPI_FAULTS: Readonly<Record<string, (openApi: OpenApiPart) => void>> = {
  'a document of any shape': spoilAnswer('get', '/blocks'),
  'tasks of any shape': spoilAnswer('get', '/tasks'),
  'errors without codes': ({ components }) => {
    for (const [name, schema] of Object.entries(components?.schemas ?? {})) {
      if (name.endsWith('Error')) delete schema.properties?.code
    }
  },
}
