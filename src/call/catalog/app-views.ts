/** Views of tool responses for people, in hosts that support MCP Apps. */
import type { Comparer } from '../../difference/comparer.ts'
import type { Caller } from '../caller.ts'

export interface AppViews {
  /** A complete HTML document that loads nothing from elsewhere. */
  frame(): string
  /** The HTML to show in the frame after a tool call; undefined if there is nothing to show. */
  render(call: ViewedCall): Promise<string | undefined>
}

/** A call that was answered. */
export interface ViewedCall {
  caller: Caller
  tool: string
  /** The arguments as sent, after validation. */
  arguments: unknown
  /** The one that the call has used: the limit is that of a request. */
  comparer: Comparer
  log(line: string): void
}
