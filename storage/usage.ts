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
  /** After this, steps are counted only in memory. */
  close(): void
}
