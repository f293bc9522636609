/** Names of connections, by which the history distinguishes their calls. They grant no access. */
import { createHash, randomBytes } from 'node:crypto'

/** Length in characters: enough to distinguish the connections of one space. */
const LENGTH = 8

/** A random name, for a connection without an identifier, such as a process over standard input and output. */
export const newConnectionName = (): string => randomBytes(LENGTH / 2).toString('hex')

/** Derives the name of a connection from its identifier. The identifier cannot be derived from the name. */
export const connectionNameOf = (identifier: string): string =>
  createHash('sha256').update(identifier).digest('hex').slice(0, LENGTH)
