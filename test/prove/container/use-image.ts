/** Uses a container from its start to its end, and then another on the same volume. */
import { setTimeout as wait } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { addReadAndFind } from '../install/main-job.ts'
import type { Podman } from './podman.ts'

const NAME = 'scriptorium'
/** Milliseconds until an unhealthy container is given up, and between two health checks. */
const PATIENCE = 10_000
const PAUSE = 100
/** The maximum number of characters of a container's output in a fault. */
const SHOWN_CHARACTERS = 500

export interface Used {
  figures: Record<string, number>
  /** Descriptions of everything that went wrong. */
  faults: string[]
}

/** @param runArguments  arguments of `docker run`, the image last; the host's port is replaced by a free one */
export async function useImage(podman: Podman, image: string, runArguments: readonly string[]): Promise<Used> {
  const args = runArguments.slice(0, -1).map((one) => one.replace(/^127\.0\.0\.1:\d+:/, '127.0.0.1::'))
  try {
    const from = performance.now()
    await podman.output('run', ...args, image)
    const faults = await untilHealthy(podman)
    if (faults.length > 0) return { figures: {}, faults }
    const healthy = performance.now() - from
    faults.push(...(await checkRights(podman)))
    const path = await addLink(podman)
    faults.push(...(await withClient(podman, path, (client) => addReadAndFind(client, 'First'))))

    const stopping = performance.now()
    faults.push(...(await stop(podman)))
    const stopped = performance.now() - stopping
    await podman.output('start', NAME)
    faults.push(...(await untilHealthy(podman)))
    faults.push(...(await withClient(podman, path, (client) => addReadAndFind(client, 'Second'))))
    faults.push(...(await stop(podman)))
    return { figures: { 'ms until healthy': Math.round(healthy), 'ms to stop': Math.round(stopped) }, faults }
  } catch (error) {
    return { figures: {}, faults: [(error as Error).message] }
  } finally {
    await podman.run('rm', '--force', NAME)
    await podman.run('volume', 'rm', '--all', '--force')
  }
}

/** Runs the image's own health check until it succeeds. */
async function untilHealthy(podman: Podman): Promise<string[]> {
  const until = performance.now() + PATIENCE
  for (;;) {
    const { code, output, errors } = await podman.run('healthcheck', 'run', NAME)
    if (code === 0) return []
    const state = await podman.output('inspect', '--format', '{{.State.Status}}', NAME)
    if (state === 'running' && performance.now() < until) {
      await wait(PAUSE)
      continue
    }
    const logs = await podman.run('logs', NAME)
    const printed = (logs.errors || output || errors).trim().replaceAll(/\s+/g, ' ')
    return [`expected a healthy container, found it ${state}: ${printed.slice(0, SHOWN_CHARACTERS)}`]
  }
}

async function checkRights(podman: Podman): Promise<string[]> {
  const faults: string[] = []
  const user = await podman.output('exec', NAME, 'id', '--user')
  if (user === '0') faults.push('expected a user without rights, found root')
  const written = await podman.run('exec', '--user', 'root', NAME, 'touch', '/usr/local/written')
  if (!written.errors.includes('Read-only file system')) faults.push('expected a read-only root, found that it is not')
  return faults
}

/** @returns the path of MCP for a new access link */
async function addLink(podman: Podman): Promise<string> {
  const added = await podman.output(
    'exec',
    NAME,
    'scriptorium',
    'links',
    'add',
    '--json',
    '--space',
    '/data/space.sqlite',
  )
  return new URL((JSON.parse(added) as { mcpUrl: string }).mcpUrl).pathname
}

async function withClient(
  podman: Podman,
  path: string,
  work: (client: Client) => Promise<string[]>,
): Promise<string[]> {
  const address = await podman.output('port', NAME, '4810/tcp')
  const client = new Client({ name: 'stranger', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(path, `http://${address}`)))
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

/** Stops the container like `docker stop`: SIGTERM, and SIGKILL ten seconds later. */
async function stop(podman: Podman): Promise<string[]> {
  await podman.output('stop', NAME)
  const code = await podman.output('inspect', '--format', '{{.State.ExitCode}}', NAME)
  return code === '0' ? [] : [`expected exit code 0 after SIGTERM, found ${code}`]
}
