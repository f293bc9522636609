/**
 * A link with which a local client acts, without its secret: who can read the file of a space may use each of its links.
 * A person can pause or revoke it, and sees what it does, as for a client that uses its address.
 */
import { ScriptoriumError } from '../../base/errors.ts'
import { type AccessLink, OPERATOR_LINK } from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import { getActiveLink } from './access-links.ts'

export class HeldLink {
  readonly #space: OpenSpace
  readonly #id: string
  #link: AccessLink

  private constructor(space: OpenSpace, id: string, link: AccessLink) {
    this.#space = space
    this.#id = id
    this.#link = link
  }

  /** @throws NOT_FOUND_ERROR for a link that does not exist, was revoked or has expired */
  static async hold(space: OpenSpace, id: string): Promise<HeldLink> {
    const link = await readLink(space, id)
    if (link === undefined) throw noSuchLink(id)
    return new HeldLink(space, id, link)
  }

  /** As it was when it was last read. */
  get link(): AccessLink {
    return this.#link
  }

  /** Reads what it reaches and may do now. Undefined once it has ended. */
  readonly current = (): Promise<AccessLink | undefined> => readLink(this.#space, this.#id)

  /** Called before each message of the client. @throws NOT_FOUND_ERROR once the link has ended */
  readonly refresh = async (): Promise<void> => {
    const link = await this.current()
    if (link === undefined) throw noSuchLink(this.#id)
    this.#link = link
  }
}

const readLink = (space: OpenSpace, id: string): Promise<AccessLink | undefined> =>
  space.read(OPERATOR_LINK, (view) => getActiveLink(view, id.toLowerCase()))

const noSuchLink = (id: string): ScriptoriumError =>
  new ScriptoriumError(
    'NOT_FOUND_ERROR',
    `Expected the ID of a link that is in use as --link, found ${id}; run links list to see them, or links add to make one.`,
  )
