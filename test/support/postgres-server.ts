/** A PostgreSQL server for tests. It listens only on a Unix socket in its own folder, so nothing else reaches it. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { NO_INPUT, UNREAD } from './unread.ts'

/** The role of the tests: the owner of the database, but not a superuser. */
export const TEST_ROLE = 'scriptorium'
const SUPERUSER = 'admin'
/** The folder in which Debian installs the programs of each version. */
const DEBIAN_FOLDER = '/usr/lib/postgresql'
/** Milliseconds between two checks whether the server answers. It must answer within {@link PATIENCE}. */
const PAUSE = 50
const DEFAULT_PORT = 5432
const PATIENCE = 30_000

const execute = promisify(execFile)

export interface PostgresServer {
  /** The address of the database, for {@link TEST_ROLE}. */
  address: string
  /** The address of the same database, for the superuser. */
  superuserAddress: string
  folder: string
  port: number
  process: ChildProcess
  /** Runs statements as the superuser. */
  run(sql: string): void
  /** Like {@link run}, without blocking this process. @returns the rows as lines, with columns separated by bars */
  query(sql: string): Promise<string>
  /** Kills all its processes at once with `kill -9`, as if its machine were gone. Its folder stays. */
  crash(): Promise<void>
  stop(): Promise<void>
}

/**
 * The folder with the programs of the newest PostgreSQL on this machine, 15 or later.
 *
 * @throws Error if there is none
 */
export function postgresPrograms(): string {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER).map(Number) : []
  const newest = Math.max(...versions.filter((version) => version >= 15))
  if (Number.isFinite(newest)) return join(DEBIAN_FOLDER, String(newest), 'bin')
  throw new Error(`Expected PostgreSQL 15 or newer in ${DEBIAN_FOLDER}, found none; apt-get install postgresql.`)
}

/**
 * The user to run the server as. PostgreSQL refuses to run as root, so tests that run as root use the package's user.
 */
function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** @param settings  settings of the server, in addition to those that tests always need */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
  port = DEFAULT_PORT,
): Promise<PostgresServer> {
  const programs = postgresPrograms()
  const user = serverUser()
  const folder = makeFolder()
  const init = ['-D', join(folder, 'data'), '-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
  execFileSync(join(programs, 'initdb'), init, { ...user, cwd: folder, stdio: 'pipe' })
  return runPostgres(folder, settings, port)
}

/** Starts a standby of a server: a copy that follows the server until it is promoted. */
export async function startStandby(
  { folder: from, port: fromPort }: PostgresServer,
  settings: Readonly<Record<string, string>> = {},
  port = DEFAULT_PORT,
): Promise<PostgresServer> {
  const folder = makeFolder()
  const source = ['-h', from, '-p', String(fromPort), '-U', SUPERUSER, '-X', 'stream', '-c', 'fast']
  const copying = [...source, '-D', join(folder, 'data'), '--write-recovery-conf', '--no-sync']
  await execute(join(postgresPrograms(), 'pg_basebackup'), copying, { ...serverUser(), cwd: folder })
  return runPostgres(folder, settings, port)
}

/** Creates a folder that belongs to the user of the server. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-postgres-'))
  const { uid, gid } = serverUser()
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

/** Starts a server on a folder that already contains its data. */
export async function runPostgres(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
  port = DEFAULT_PORT,
): Promise<PostgresServer> {
  const programs = postgresPrograms()
  const options = { listen_addresses: '', unix_socket_directories: folder, port: String(port), ...settings }
  const flags = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(programs, 'postgres'), ['-D', join(folder, 'data'), ...flags], {
    ...serverUser(),
    cwd: folder,
    stdio: [NO_INPUT, UNREAD, 'pipe'],
  })
  let output = ''
  server.stderr?.setEncoding('utf8').on('data', (text) => {
    output = (output + text).slice(-4_000)
  })
  const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const psql = join(programs, 'psql')
  const psqlArguments = (sql: string, database: string): string[] => [
    ...['-h', folder, '-p', String(port), '-U', SUPERUSER, '-d', database],
    ...['-v', 'ON_ERROR_STOP=1', '-q', '--no-align', '--tuples-only', '-c', sql],
  ]
  const query = async (sql: string, database = TEST_ROLE): Promise<string> =>
    (await execute(psql, psqlArguments(sql, database))).stdout.trim()
  for (const end = performance.now() + PATIENCE; ; await delay(PAUSE)) {
    try {
      await query('SELECT 1', 'postgres')
      break
    } catch (error) {
      if (server.exitCode !== null || performance.now() > end)
        throw new Error(`PostgreSQL did not start: ${output || error}`)
    }
  }
  const isStandby = existsSync(join(folder, 'data', 'standby.signal'))
  if (!isStandby && (await query(`SELECT 1 FROM pg_database WHERE datname = '${TEST_ROLE}'`, 'postgres')) === '') {
    await query(`CREATE ROLE ${TEST_ROLE} LOGIN`, 'postgres')
    await query(`CREATE DATABASE ${TEST_ROLE} OWNER ${TEST_ROLE}`, 'postgres')
  }
  const addressOf = (role: string): string =>
    `postgres://${role}@/${TEST_ROLE}?host=${encodeURIComponent(folder)}&port=${port}`
  return {
    address: addressOf(TEST_ROLE),
    superuserAddress: addressOf(SUPERUSER),
    folder,
    port,
    process: server,
    run: (sql) => void execFileSync(psql, psqlArguments(sql, TEST_ROLE), { stdio: 'pipe' }),
    query: (sql) => query(sql),
    async crash() {
      // Paused first, so that it starts no further processes.
      server.kill('SIGSTOP')
      const { pid = 0 } = server
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
      for (const one of [pid, ...children.map(Number)]) process.kill(one, 'SIGKILL')
      await exited
    },
    async stop() {
      server.kill('SIGINT')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
