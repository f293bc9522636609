/** Names of connections, by which history tells one connection's calls from another's. They grant no access. */
import { createHash, randomBytes } from 'node:crypto'

/** Characters that tell the connections of one space apart. */
const LENGTH = 8

/** A name for a connection that has no identifier of its own, such as a process over standard input and output. */
export const newConnectionName = (): string => randomBytes(LENGTH / 2).toString('hex')

/** The name of the connection with this identifier. The identifier cannot be derived from the name. */
export const connectionNameOf = (identifier: string): string =>
  createHash('sha256').update(identifier).digest('hex').slice(0, LENGTH)
