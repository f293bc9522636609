/** Describes the caller of an endpoint: what it can reach and do. */
import type { ScriptoriumError } from '../base/errors.ts'
import type { Effect } from '../endpoint.ts'
import { callerKey } from '../space/model/caller-key.ts'
import type { AccessLink } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import type { ReplacedProposals } from '../space/proposals/store-proposal.ts'
import type { PendingNotices } from './pending-notices.ts'
import type { AddressRelease, RateLimiter, Remaining } from './rate-limiter.ts'

/** An open space, and what the caller may reach and do in it. */
export interface Caller {
  space: OpenSpace
  link: AccessLink
  /**
   * Reads the current state of the link, if it can change during the connection; undefined once it has been revoked or
   * has expired.
   */
  currentLink?(): Promise<AccessLink | undefined>
  /**
   * The error to return if the link does not allow an effect but the caller can obtain more access.
   *
   * @param sentence  the reason, if known
   */
  scopeError?(effect: Effect, sentence?: string): ScriptoriumError
  /** Notices that are added to every response to this caller. */
  notices?: PendingNotices
  /** The rate limits of the space; absent if nothing is limited. */
  rateLimiter?: RateLimiter
  /**
   * Waiting proposals of this link whose place the proposed call takes: what a person suggests while they type is one
   * proposal, not one for each word.
   */
  replaces?: ReplacedProposals
  /** The names of the tools that the caller selected; absent for all. */
  tools?: ReadonlySet<string>
  /** `typed` if every answer is JSON and complete, with a published type; otherwise it may be Markdown, and short. */
  answers?: 'typed'
  /** True if the caller wants a short list of tools, without rare inputs. */
  hasBriefTools?: true
  /** Local folders from which the caller may add files; absent for remote callers. */
  folders?: readonly string[]
  /** Maximum size of a file in bytes; {@link FILE_BYTES} if absent. */
  fileLimit?: number
  /**
   * Counts requests (1 by default) of the caller's address.
   *
   * @returns a function that undoes this
   * @throws RATE_LIMITED
   */
  acquireAddress?(count?: number): AddressRelease | Promise<AddressRelease>
  /**
   * Receives what remains of the rate limits of the space whenever requests were counted.
   *
   * @param refusal  the error of a rate limit that refused them
   */
  onCounted?(remaining: Remaining, refusal?: unknown): void
}

/** The owner of work in threads: callers with different links take turns, those of other spaces as well. */
export const workOwner = ({ space, link }: Pick<Caller, 'space' | 'link'>): string =>
  `${space.info.id} ${callerKey(link)}`
