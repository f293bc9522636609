/** The calls that save what was typed last in a tab, and is only a draft yet. */
import { draftStep } from '../model/page-step.ts'
import { randomHex } from '../session-name.ts'
import { type StoredText, storedTexts } from '../sync/unsaved-text.ts'
import type { ToolCall } from './queued-call.ts'

export interface DraftCall {
  /** The key of the draft in localStorage. */
  key: string
  call: ToolCall & { document: string; key: string }
}

const KEY_BYTES = 16

/** The drafts of a session. */
export const drafts = (base: string, session: string): StoredText[] =>
  storedTexts(base, session).filter(({ kind }) => kind === 'draft')

/**
 * The calls for the drafts of one tab: the own one, or one that is closed. A draft gets an idempotency key, which it keeps until
 * something else is typed, so that it is carried out once, whichever page sends it.
 */
export function draftCalls(base: string, session: string, tab: string): DraftCall[] {
  const own = drafts(base, session).filter((one) => one.tab === tab)
  return own.map(({ key, documentId, kept: stored }) => {
    const { callKey = randomHex(KEY_BYTES), ...kept } = stored as StoredText['kept'] & { callKey?: string }
    localStorage.setItem(key, JSON.stringify({ ...kept, callKey }))
    return { key, call: { document: documentId, ...draftStep(kept), tab, isKept: true, key: callKey } }
  })
}
