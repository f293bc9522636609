/** Podman with a store of its own, which is removed afterwards. It needs no daemon. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ended, runIn } from '../install/home.ts'

/** Required programs. The Debian package of each has the same name. */
const PROGRAMS = ['podman', 'runc', 'debootstrap']

/** With these settings, images can be built and run on a machine without systemd or with both versions of cgroups. */
const ENVIRONMENT = { BUILDAH_ISOLATION: 'chroot' }
const ULIMITS = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1000:1000']

export interface Podman {
  /** Runs a podman command and returns its result, even if it fails. */
  run(...args: readonly string[]): Promise<Ended>
  /** Runs a podman command and returns its output. @throws Error if it fails */
  output(...args: readonly string[]): Promise<string>
}

/** @throws Error that names missing programs */
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
