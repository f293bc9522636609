/**
 * How much of its rate limits a space has used, counted across all processes. Each engine implements it in a separate
 * module.
 */

/** Usage since `start`, in milliseconds since 1970. Whole numbers. */
export interface UsageWindow {
  start: number
  used: number
}

/** The latest windows. The caller decides whether they are still current. */
export interface UsageWindows {
  requests: UsageWindow | undefined
  blocks: UsageWindow | undefined
}

export interface Usage {
  /**
   * Performs one step that is atomic across all processes. `decide` receives the stored windows and returns the new
   * ones, or the same object for no change. It must not do anything slow. It must read the clock itself instead of
   * using an earlier reading, since the steps of all processes are ordered only inside it.
   *
   * @returns the windows stored now
   * @throws what `decide` throws; nothing is changed then
   */
  record(decide: (used: UsageWindows) => UsageWindows): Promise<UsageWindows>
  /**
   * Records when a link was last used, in milliseconds since 1970. Best effort: a time that cannot be written is
   * dropped.
   */
  noteLinkUse(link: string, at: number): void
  /** The times at which links were last used, by link ID. */
  linkUses(): Promise<ReadonlyMap<string, number>>
  /** Closes the store. Later steps are counted only in memory. */
  close(): void
}

/** The result of counting requests of an address. */
export interface AddressCount {
  isCounted: boolean
  /** The current window. It includes the new requests if they were counted. */
  window: UsageWindow
  /** Milliseconds until the window ends. */
  remainingMs: number
}

/** Counts the requests of client addresses across all processes. */
export interface AddressUsage {
  /**
   * Counts requests, unless the window would then contain more than `limit`. A window begins with the first requests
   * that are counted in it.
   */
  count(address: string, requests: number, limit: number, windowMs: number): Promise<AddressCount>
  /** Subtracts requests from the window that began at `start`. Best effort. */
  refund(address: string, requests: number, start: number): Promise<void>
}
