/** Runs `scriptorium serve` in a process of its own, with a link to its space. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Program } from '../program.ts'
import { NO_INPUT, UNREAD } from '../support/unread.ts'

const CHECKOUT: Program = { script: 'src/start.js', cwd: join(import.meta.dirname, '../..') }

export interface ServeProcess {
  restUrl: string
  mcpUrl: string
  pid: number
  /** Stops the server as an operator does, and waits until it has exited. */
  close(): Promise<void>
}

/**
 * @param flags  flags of `serve`; without any, there are no limits
 * @param nodeFlags  flags of Node for the server's process
 */
export async function startServe(
  space: string,
  flags: readonly string[] = [],
  nodeFlags: readonly string[] = [],
  { script, cwd, env }: Program & { env?: NodeJS.ProcessEnv } = CHECKOUT,
): Promise<ServeProcess> {
  const unlimited = ['--limit-requests', '0', '--limit-blocks', '0', '--limit-ip', '0']
  const serveFlags = flags.length > 0 ? flags : unlimited
  const args = [...nodeFlags, script, 'serve', '--space', space, '--port', '0', '--no-welcome', ...serveFlags]
  const child = spawn(process.execPath, args, {
    ...{ cwd, stdio: [NO_INPUT, UNREAD, 'pipe'] },
    ...(env && { env: { ...process.env, ...env } }),
  })
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  try {
    // The owner's name, as over stdio, so that both connections may change each other's comments.
    const owner = ['--name', 'Owner']
    const adding = [script, 'links', 'add', ...owner, '--space', space, '--port', await portOf(child), '--json']
    const { stdout } = await promisify(execFile)(process.execPath, adding, { cwd })
    const { restUrl, mcpUrl } = JSON.parse(stdout) as ServeProcess
    return { restUrl, mcpUrl, pid: child.pid ?? 0, close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * The server prints its address to standard error. The rest of its output is read as well, so that it does not block.
 */
export function portOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-2_000)
      const [, port] = /Serving at http:\/\/[^:]+:(\d+);/.exec(output) ?? []
      if (port !== undefined) resolve(port)
    })
    child.once('exit', () => reject(new Error(`Expected a server that listens, found that it ended: ${output}`)))
  })
}
