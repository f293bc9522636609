/** How much of its rate limits a space has used, counted over all processes. Each engine has it in a module of its own. */

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
   * One atomic step over all processes: `decide` receives the stored windows and returns the new ones, or the same
   * object for no change. Nothing slow may happen in it. It must read the clock itself, not use an earlier reading:
   * only inside it are the steps of all processes ordered.
   *
   * @returns the windows stored now
   * @throws what `decide` throws; nothing is changed then
   */
  record(decide: (used: UsageWindows) => UsageWindows): Promise<UsageWindows>
  /** Remembers when a link was used last, as well as it can: what cannot be written is left out. Milliseconds since 1970. */
  noteLinkUse(link: string, at: number): void
  /** When links were used last, by their IDs. */
  linkUses(): Promise<ReadonlyMap<string, number>>
  /** After this, steps are counted only in memory. */
  close(): void
}

/** What came of counting requests of an address. */
export interface AddressCount {
  isCounted: boolean
  /** The window that runs, with these requests where they were counted. */
  window: UsageWindow
  /** Milliseconds until it ends. */
  remainingMs: number
}

/** Requests of the addresses of clients, counted over all processes. */
export interface AddressUsage {
  /**
   * Counts requests, unless there would then be more than `limit` in the window. A window begins with what is first
   * counted in it.
   */
  count(address: string, requests: number, limit: number, windowMs: number): Promise<AddressCount>
  /** Takes requests back from the window that began at `start`, as well as it can. */
  takeBack(address: string, requests: number, start: number): Promise<void>
}
