/** A home folder of a new user: empty, with one version of Node, npm, and what the system has. */
import { execFile } from 'node:child_process'
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installed } from '../../installed.ts'

/** Variables for reaching the npm registry. No other variables are passed on to the home. */
const NETWORK = /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|(?:HTTPS?|NO)_PROXY)$/i

/** The maximum number of bytes that a command may print. */
const OUTPUT_BYTES = 16 * 1024 * 1024

export interface Ended {
  code: number | null
  output: string
  errors: string
  seconds: number
}

export interface Home {
  /** The version of Node. */
  node: string
  folder: string
  env: Record<string, string>
  /** Runs a command by name, in a folder of this home. */
  run(command: string, args: readonly string[], cwd?: string): Promise<Ended>
}

/** @param node  a version of Node whose binaries are published on npm */
export async function makeHome(node: string, folder: string): Promise<Home> {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const binaries = `node-${platform}-${process.arch}`
  const packages = await installed({ [binaries]: node })
  const npm = await npmFolder()
  const tools = join(folder, '.tools')
  mkdirSync(tools, { recursive: true })
  symlinkSync(join(packages, 'node_modules', binaries, 'bin/node'), join(tools, 'node'))
  for (const name of ['npm', 'npx']) symlinkSync(join(npm, `${name}-cli.js`), join(tools, name))
  const prefix = join(folder, '.npm-global')
  const network = Object.entries(process.env).filter(([name]) => NETWORK.test(name)) as [string, string][]
  const env = {
    ...Object.fromEntries(network),
    HOME: folder,
    // Used by `npm install --global`, so that it needs no permission to write to the system's folders.
    npm_config_prefix: prefix,
    npm_config_registry: await registry(),
    npm_config_update_notifier: 'false',
    PATH: [join(prefix, 'bin'), tools, '/usr/bin', '/bin'].join(delimiter),
  }
  return { node, folder, env, run: (command, args, cwd = folder) => runIn({ cwd, env }, command, args) }
}

/** Returns the folder `bin` of npm's package: of the npm that runs this, or of the first one on the path. */
export async function npmFolder(): Promise<string> {
  const cli = process.env.npm_execpath ?? (await runIn({}, 'which', ['npm'])).output.trim()
  return join(realpathSync(cli), '..')
}

/** Returns the URL of the registry that npm uses here. */
export const registry = async (): Promise<string> =>
  (await runIn({}, 'npm', ['config', 'get', 'registry'])).output.trim()

/** Runs a command. If it cannot be started, its code is null, and `errors` says why. */
export function runIn(
  options: { cwd?: string; env?: Record<string, string> },
  command: string,
  args: readonly string[],
): Promise<Ended> {
  const from = performance.now()
  return new Promise((resolve) => {
    const child = execFile(command, args, { ...options, maxBuffer: OUTPUT_BYTES }, (error, output, errors) => {
      const seconds = (performance.now() - from) / 1000
      resolve({
        code: child.exitCode,
        output,
        errors: child.exitCode === null ? `${error}\n${errors}` : errors,
        seconds,
      })
    })
    child.stdin?.end()
  })
}

/** @throws Error with the command's standard error if it failed */
export function expectDone({ code, errors }: Ended, what: string): void {
  if (code !== 0) throw new Error(`Expected ${what} to succeed, found ${code}: ${errors}`)
}
