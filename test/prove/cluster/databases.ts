/** A primary and its standby on fixed ports. After a failover the crashed server returns as the new standby. */
import { setTimeout as delay } from 'node:timers/promises'
import { freePorts } from '../../support/free-ports.ts'
import { type PostgresServer, startPostgres, startStandby, TEST_ROLE } from '../../support/postgres-server.ts'

/** Whether a COMMIT is acknowledged after or before the standby has it. */
export type Replication = 'synchronous' | 'asynchronous'

const SETTINGS = { listen_addresses: '127.0.0.1', max_connections: '200' }
/** Milliseconds between two polls for whether the standby has caught up. */
const PAUSE = 50

export class Databases {
  /** The address with both hosts. */
  readonly address: string
  readonly #replication: Replication
  #primary: PostgresServer
  #standby: PostgresServer
  #ports: readonly [number, number]

  private constructor(
    replication: Replication,
    primary: PostgresServer,
    standby: PostgresServer,
    ports: readonly [number, number],
  ) {
    this.#replication = replication
    this.#primary = primary
    this.#standby = standby
    this.#ports = ports
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join()
    this.address = `postgres://${TEST_ROLE}@${hosts}/${TEST_ROLE}?target_session_attrs=read-write`
  }

  static async start(replication: Replication): Promise<Databases> {
    const [one = 0, other = 0] = await freePorts(2)
    const primary = await startPostgres(SETTINGS, one)
    const databases = new Databases(replication, primary, await startStandby(primary, SETTINGS, other), [one, other])
    await databases.#waitForStandby()
    return databases
  }

  /** Stops replication to the standby without its noticing. */
  async stopSending(): Promise<void> {
    const sender = await this.#primary.query('SELECT pid FROM pg_stat_replication')
    process.kill(Number(sender), 'SIGSTOP')
  }

  /** Kills the primary with all its processes, and promotes the standby. */
  async failOver(): Promise<void> {
    await this.#primary.crash()
    await this.#standby.query('SELECT pg_promote()')
    // The new primary has no standby, so writes must not wait for one.
    await this.#standby.query('ALTER SYSTEM RESET synchronous_standby_names')
    await this.#standby.query('SELECT pg_reload_conf()')
    const [port, other] = this.#ports
    this.#ports = [other, port]
    const fallen = this.#primary
    this.#primary = this.#standby
    this.#standby = fallen
  }

  /** Sets the crashed server up again, as the standby of the new primary. */
  async restoreStandby(): Promise<void> {
    await this.#standby.stop()
    this.#standby = await startStandby(this.#primary, SETTINGS, this.#ports[1])
    await this.#waitForStandby()
  }

  /**
   * Waits until the standby has caught up. For synchronous replication, it also makes the primary wait for it from then
   * on.
   */
  async #waitForStandby(): Promise<void> {
    const isSynchronous = this.#replication === 'synchronous'
    if (isSynchronous) {
      await this.#primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
      await this.#primary.query('SELECT pg_reload_conf()')
    }
    const state = isSynchronous ? 'sync' : 'async'
    const isReady = `SELECT count(*) FROM pg_stat_replication WHERE sync_state = '${state}'`
    while ((await this.#primary.query(isReady)) !== '1') await delay(PAUSE)
    const written = await this.#primary.query('SELECT pg_current_wal_lsn()')
    const hasAll = `SELECT count(*) FROM pg_stat_replication WHERE flush_lsn >= '${written}'`
    while ((await this.#primary.query(hasAll)) !== '1') await delay(PAUSE)
  }

  async stop(): Promise<void> {
    await this.#standby.stop()
    await this.#primary.stop()
  }
}
