/** Tracks running reads. A storage waits for them before it closes. */
export class ActiveReads {
  readonly #reads = new Set<Promise<unknown>>()

  /** @returns the same read */
  track<T>(read: Promise<T>): Promise<T> {
    const done: Promise<unknown> = read.then(
      () => this.#reads.delete(done),
      () => this.#reads.delete(done),
    )
    this.#reads.add(done)
    return read
  }

  /** Resolves when all reads that are running now have ended, whether they succeeded or not. */
  async idle(): Promise<void> {
    await Promise.all(this.#reads)
  }
}
