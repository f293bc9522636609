/** What people are shown of the answers to agents, in hosts that have room for it. */
import type { Caller } from '../caller.ts'

export interface AppViews {
  /** A whole HTML document, which needs nothing from elsewhere. */
  frame(): string
  /** The HTML that stands in it after a call of a tool; undefined where there is nothing to show. */
  render(call: ViewedCall): Promise<string | undefined>
}

/** A call that was answered. */
export interface ViewedCall {
  caller: Caller
  tool: string
  /** As they were sent, and found to be right. */
  arguments: unknown
  log(line: string): void
}
