/** Runs the installed package in processes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** The program as installed by npm. */
export interface Program {
  /** The path of `dist/start.js`. */
  script: string
  /** The folder of the installation. */
  folder: string
}

export interface Ended {
  code: number | null
  output: string
  errors: string
}

export function startProgram(
  { script, folder }: Program,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): ChildProcess {
  return spawn(process.execPath, [script, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

export interface RunOptions {
  env?: NodeJS.ProcessEnv
  /** Is piped to standard input. */
  input?: string
}

/** Runs a command until it exits. */
export async function runProgram(
  program: Program,
  args: readonly string[],
  { env = {}, input = '' }: RunOptions = {},
): Promise<Ended> {
  const child = startProgram(program, args, env)
  child.stdin?.end(input)
  const closed = once(child, 'close') as Promise<[number | null]>
  if (child.stdout === null || child.stderr === null) throw new Error('Expected pipes, found none.')
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { code, output, errors }
}

/** Runs a command and returns its output. @throws Error with its standard error if it failed */
export async function commandOf(program: Program, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { code, output, errors } = await runProgram(program, args, options)
  if (code !== 0) throw new Error(`scriptorium ${args.join(' ')}: ${errors}`)
  return output
}

/** Sends a signal to a process and waits until it has exited. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
