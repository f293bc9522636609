/** Starts a server and programs of `examples/` as their README says: with the address of a link in their environment. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject, onTestFinished } from 'vitest'
import { startServe } from '../http/serve-process.ts'
import { folder, type Running, root, start } from '../program.ts'

// biome-ignore lint/suspicious/noExplicitAny: what is answered is looked at by who asked
export type Answer = any

export const EXAMPLES = join(root, 'examples')

export interface Served {
  path: string
  space: string
  restUrl: string
  mcpUrl: string
  /** @param line  method and path */
  send(line: string, body?: object): Promise<Answer>
  /** Another link, with the flags of `links add`. */
  link(...flags: string[]): Promise<{ restUrl: string; mcpUrl: string }>
  /** Runs a command of the program on the space. */
  command(...args: string[]): Promise<string>
}

/** @param flags  of `serve` */
export async function served(...flags: string[]): Promise<Served> {
  const path = folder()
  const space = join(path, 'space.sqlite')
  const script = inject('bundledProgram')
  const { restUrl, mcpUrl, close } = await startServe(space, flags, [], { script, cwd: path })
  onTestFinished(close)
  const command = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...args, '--space', space], { cwd: path })
    return stdout
  }
  return {
    ...{ path, space, restUrl, mcpUrl, command },
    send: async (line, body) => {
      const [method = '', at = ''] = line.split(' ')
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(restUrl + at, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      return response.json()
    },
    link: async (...flags) =>
      JSON.parse(await command('links', 'add', '--port', new URL(restUrl).port, '--json', ...flags)),
  }
}

/** Runs an example to its end. @returns its output, without the last line break @throws if it fails */
export function runExample(
  { path, restUrl, mcpUrl }: Pick<Served, 'path' | 'restUrl' | 'mcpUrl'>,
  file: string,
  args: readonly string[] = [],
  input = '',
): Promise<string> {
  const script = join(EXAMPLES, file)
  const command = file.endsWith('.sh') ? 'sh' : process.execPath
  const env = { ...process.env, REST_URL: restUrl, MCP_URL: mcpUrl }
  return new Promise((resolve, reject) => {
    const child = execFile(command, [script, ...args], { cwd: path, env }, (error, output, errors) =>
      error === null ? resolve(output.trimEnd()) : reject(new Error(`${file}: ${errors}`)),
    )
    child.stdin?.end(input)
  })
}

/** Starts an example that goes on until it is stopped. */
export function startExample({ path, restUrl, mcpUrl }: Served, file: string, env: NodeJS.ProcessEnv = {}): Running {
  const program = { script: join(EXAMPLES, file), cwd: path }
  return start([], { REST_URL: restUrl, MCP_URL: mcpUrl, ...env }, program)
}
