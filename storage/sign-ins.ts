/**
 * Stores the data of a space's sign-in issuer: codes, tokens, sessions, registered programs, its keys, and counts of
 * wrong passwords. Each engine implements it in a separate module and stores it apart from the space's content.
 */

/** An issued object, as JSON in the issuer's format. */
export type SignInPayload = Record<string, unknown>

export interface IssuedRecord {
  payload: SignInPayload
  /** Time of use, in seconds since 1970. */
  consumedAt?: number
  /** Its successor, in the format of the caller. */
  successor?: string
}

/** Owner and limits of records stored before sign-in. */
export interface PendingOwner {
  /** The client's address. */
  from: string
  /** Maximum number of records of the model, per address and in total. */
  most: { address: number; all: number }
}

/** All times are seconds since 1970. Names of people and addresses are stored only as hashes. */
export interface SignIns {
  find(model: string, id: string, now: number): Promise<IssuedRecord | undefined>
  findByUid(model: string, uid: string, now: number): Promise<IssuedRecord | undefined>
  /**
   * @param expiresAt  undefined for records that do not expire
   * @param pending  for records stored before sign-in. If a limit is exceeded, the address with the most records loses
   * the one that would expire first.
   */
  save(
    model: string,
    id: string,
    payload: SignInPayload,
    expiresAt: number | undefined,
    now: number,
    pending?: PendingOwner,
  ): Promise<void>
  /** Marks a record as used. @returns true the first time */
  consume(model: string, id: string, now: number): Promise<boolean>
  /** @returns the stored successor: this one, unless there already was one; undefined if the record is gone */
  addSuccessor(model: string, id: string, successor: string): Promise<string | undefined>
  delete(model: string, id: string): Promise<void>
  deleteByGrant(model: string, grantId: string): Promise<void>
  /** Makes a record permanent, so that it no longer counts as pending. */
  persist(model: string, id: string): Promise<void>
  /** A secret that is created once, by the first process that needs it. */
  secret(name: string, make: () => string): Promise<string>
  /**
   * Increments the counter of `key` in a window that starts with the first count.
   *
   * @returns the count in the window so far, and when the window ends
   */
  count(key: string, window: number, now: number): Promise<{ count: number; endsAt: number }>
  /** Decrements a counter. */
  uncount(key: string): Promise<void>
  /**
   * True if the account has signed in from the address before. The last addresses of an account are remembered for a
   * while.
   */
  isKnownAddress(account: string, address: string, now: number): Promise<boolean>
  addKnownAddress(account: string, address: string, now: number): Promise<void>
  close(): void
}
