/** A PostgreSQL server that is killed and started again on its data, while servers of Scriptorium use it. */
import { spaceAddress } from '../../../storage/postgres/address.ts'
import { type PostgresServer, runPostgres, startPostgres } from '../../support/postgres-server.ts'

export class RestartedDatabase {
  /** The address of a space in it. */
  readonly space: string
  #server: PostgresServer

  private constructor(server: PostgresServer) {
    this.#server = server
    this.space = spaceAddress(server.address, 'claims')
  }

  static async start(): Promise<RestartedDatabase> {
    return new RestartedDatabase(await startPostgres())
  }

  /** Kills all its processes with SIGKILL, and starts it again in the same place. */
  async restart(): Promise<void> {
    const { folder, port } = this.#server
    await this.#server.crash()
    this.#server = await runPostgres(folder, {}, port)
  }

  stop(): Promise<void> {
    return this.#server.stop()
  }
}
