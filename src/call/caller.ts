/** Who calls, and what they may reach and do. */
import type { ScriptoriumError } from '../base/errors.ts'
import type { Effect } from '../endpoint.ts'
import type { AccessLink } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import type { PendingNotices } from './pending-notices.ts'
import type { AddressRelease, RateLimiter } from './rate-limiter.ts'

/** Where calls run: an open space, and what the caller may reach and do in it. */
export interface Caller {
  space: OpenSpace
  link: AccessLink
  /** The link as it is now, where it can change while the caller stays; none once it has ended. */
  currentLink?(): Promise<AccessLink | undefined>
  /** The error when the link does not allow an effect but the caller can get more access. @param sentence  why, if known */
  scopeError?(effect: Effect, sentence?: string): ScriptoriumError
  /** Notices that are added to every answer to this caller. */
  notices?: PendingNotices
  /** The limits of the space; absent where nothing is counted. */
  rateLimiter?: RateLimiter
  /** The names of the tools that it selected; absent for all. */
  tools?: ReadonlySet<string>
  /** Folders of this machine from which a local caller may add files; absent for remote callers. */
  folders?: readonly string[]
  /** Bytes of one file at most; {@link FILE_BYTES} when absent. */
  fileLimit?: number
  /** Counts requests of the caller's address, one when absent; what it returns takes that back. @throws RATE_LIMITED */
  acquireAddress?(count?: number): AddressRelease | Promise<AddressRelease>
}
