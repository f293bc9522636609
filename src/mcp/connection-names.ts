/** Names of connections, by which history tells their calls from those of others. They open nothing. */
import { createHash, randomBytes } from 'node:crypto'

/** Characters that tell the connections of one space apart. */
const LENGTH = 8

/** For a connection that has nothing to be named after. */
export const newConnectionName = (): string => randomBytes(LENGTH / 2).toString('hex')

/** After a session, whose ID cannot be found out by it. */
export const sessionConnectionName = (sessionId: string): string =>
  createHash('sha256').update(sessionId).digest('hex').slice(0, LENGTH)
