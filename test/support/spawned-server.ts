/** Runs `scriptorium serve` in a separate process, from the sources or the installed package, with fresh spaces. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { spaceKey } from '../../src/auth/access-links/access-links.ts'
import { type OpenSpace, openSpace } from '../../src/space/open-space.ts'
import { portOf } from '../http/serve-process.ts'
import { type Ask, askAt, makeLink, type TestLink } from '../http/serving.ts'
import type { Program } from '../program.ts'
import { NO_INPUT, UNREAD } from './unread.ts'

export interface SpawnedServer {
  origin: string
  /** A space that no test has used yet. It is also open in this process until the test has finished. */
  freshSpace(): Promise<SpawnedSpace>
  /** Everything that the server has written to standard error so far. */
  errors(): string
  close(): Promise<void>
}

export interface SpawnedSpace {
  space: OpenSpace
  file: string
  origin: string
  /** The endpoints for signed-in clients, over MCP and over REST, and the issuer that `--oauth` gives the space. */
  mcp: string
  rest: string
  issuer: string
  ask: Ask
  link(options?: Parameters<typeof makeLink>[2]): Promise<TestLink>
}

const UNLIMITED = ['--limit-requests', '0', '--limit-blocks', '0', '--limit-ip', '0']

/**
 * Starts one server for all tests of a file. Call it in `beforeAll`, and `close()` in `afterAll`.
 *
 * @param spaces  number of spaces that the tests need; they are created beforehand, since a server looks for new spaces
 * only from time to time
 * @param flags  flags for `serve`
 */
export async function spawnServer(program: Program, spaces: number, ...flags: string[]): Promise<SpawnedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  const files = Array.from({ length: spaces }, (_, index) => join(folder, `${index}.sqlite`))
  const options = { name: 'Test', timezone: 'Europe/Budapest' }
  for (const file of files) await (await openSpace(file, options)).close()
  const args = [program.script, 'serve', '--spaces', folder, '--port', '0', ...UNLIMITED, ...flags]
  const child = spawn(process.execPath, args, { cwd: program.cwd, stdio: [NO_INPUT, UNREAD, 'pipe'] })
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const exited = once(child, 'exit')
  const origin = `http://127.0.0.1:${await portOf(child)}`
  return {
    origin,
    errors: () => errors,
    async freshSpace() {
      const file = files.shift()
      if (file === undefined) throw new Error(`Expected at most ${spaces} tests to ask for a space, found one more.`)
      const space = await openSpace(file)
      onTestFinished(() => space.close())
      const base = `${origin}/spaces/${spaceKey(space.info.id)}`
      return {
        space,
        file,
        origin,
        mcp: `${base}/mcp`,
        rest: `${base}/api/v1`,
        issuer: `${base}/oauth`,
        ask: askAt(origin),
        link: (input) => makeLink({ space }, origin, input),
      }
    },
    async close() {
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
