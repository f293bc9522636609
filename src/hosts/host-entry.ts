/** What an entry of a configuration says: the command that a host starts. */
export interface ServerCommand {
  /** The absolute path of a program, or a name to find in the PATH. */
  command: string
  args: readonly string[]
}

/** The name of this server in configurations of hosts. */
export const SERVER_NAME = 'scriptorium'

/** What it is, for hosts that show it. */
export const SERVER_DESCRIPTION = 'A workspace of documents that agents and people share'
