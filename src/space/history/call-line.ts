/** Formats a call as one line: when, who, what, and its ID. */

/** The data for the line. */
interface DescribedCall {
  callId: string
  at: string
  author: string
  client?: string | undefined
  approvedBy?: string | undefined
  tool: string
  /** What the call changed, within reach. */
  summary: string
  undoneBy?: string | undefined
}

export function callLine({ callId, at, author, client, approvedBy, tool, summary, undoneBy }: DescribedCall): string {
  const who = client === undefined ? author : `${author} (${client})`
  const approved = approvedBy === undefined ? '' : `, approved by ${approvedBy}`
  const undone = undoneBy === undefined ? '' : `, taken back by call ${undoneBy}`
  // Calls from before there was a history have no ID.
  const id = Number(callId) === 0 ? '' : ` (call ${callId})`
  return `${at.slice(0, 19)}Z ${who} ${tool}${summary === '' ? '' : ` ${summary}`}${id}${approved}${undone}`
}
