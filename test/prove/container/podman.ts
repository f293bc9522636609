/** Podman with a store of its own: nothing is left of it, and it needs no daemon. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ended, runIn } from '../install/home.ts'

/** Programs that are needed, each a Debian package of the same name. */
const PROGRAMS = ['podman', 'runc', 'debootstrap']

/** Inside a machine without systemd or with cgroups of both versions, these build and run images too. */
const ENVIRONMENT = { BUILDAH_ISOLATION: 'chroot' }
const ULIMITS = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1000:1000']

export interface Podman {
  /** Runs a command of podman to its end, whatever comes of it. */
  run(...args: readonly string[]): Promise<Ended>
  /** What a command prints. @throws Error where it fails */
  output(...args: readonly string[]): Promise<string>
}

/** @throws Error that names what is not installed */
export async function openPodman(): Promise<Podman> {
  const found = await Promise.all(PROGRAMS.map((program) => runIn({}, 'which', [program])))
  const missing = PROGRAMS.filter((_, index) => found[index]?.code !== 0)
  if (missing.length > 0) {
    throw new Error(
      `Expected ${PROGRAMS.join(', ')} on the PATH, found no ${missing.join(', ')}; run apt-get install --no-install-recommends ${missing.join(' ')}.`,
    )
  }
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-images-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const store = ['root', 'runroot', 'tmpdir'].flatMap((name) => [`--${name}`, join(folder, name)])
  const options = [...store, '--cgroup-manager', 'cgroupfs', '--runtime', 'runc']
  const env = { ...(process.env as Record<string, string>), ...ENVIRONMENT }
  const run: Podman['run'] = (command = '', ...args) =>
    runIn({ env }, 'podman', [...options, command, ...(command === 'run' ? ULIMITS : []), ...args])
  return {
    run,
    async output(...args) {
      const { code, output, errors } = await run(...args)
      if (code === 0) return output.trim()
      throw new Error(`Expected podman ${args.join(' ')} to succeed, found exit code ${code}: ${errors}`)
    },
  }
}
