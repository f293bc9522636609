/** How an agent is started. */

export const MODES = ['poll', 'stream', 'webhook'] as const
export type Mode = (typeof MODES)[number]
export type Role = 'editor' | 'researcher'

export interface AgentOptions {
  role: Role
  mode: Mode
  /** The address of its link. */
  url: string
  /** The mention of the person whom it asks. */
  person: string
  /** For webhooks: where it listens, and the secret of its subscriptions. */
  port: number
  secret: string
  /** The number of the step at which this life ends: before each call is one, and after it. Never if absent. */
  diesAt?: number | undefined
}
