/** PostgreSQL for attacks, and the installed package with the driver that connects to it. */
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts'
import { ROOT } from '../mutated-sources.ts'
import type { Program } from './process.ts'

/** Durability is turned off, since the data is not worth keeping. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }

export const startDatabase = (): Promise<PostgresServer> => startPostgres(SETTINGS)

/**
 * Links dependencies into a folder of packages, with the driver for PostgreSQL, which users install themselves.
 *
 * @param from  the folder of packages of the installed program
 */
export function linkDependencies(from: string, to: string): void {
  for (const name of readdirSync(from)) if (name !== 'scriptorium') symlinkSync(join(from, name), join(to, name))
  // Its own dependencies are found where the link leads.
  symlinkSync(join(ROOT, 'node_modules', 'pg'), join(to, 'pg'))
}

/** Copies the installed package to another folder, with the driver for PostgreSQL. */
export function withDriver(folder: string, installed: Program): Program {
  const packages = join(folder, 'node_modules')
  const [from, own] = [join(installed.folder, 'node_modules'), join(packages, 'scriptorium')]
  mkdirSync(packages, { recursive: true })
  cpSync(join(from, 'scriptorium'), own, { recursive: true })
  linkDependencies(from, packages)
  return { folder, script: join(own, 'dist', 'start.js') }
}
