/** Loads what shows threads beside the text, with the first comment: most documents have none. */
import { inBackground } from './page-background.ts'

export class LaterThreads {
  #threads: typeof import('./margin-threads.ts') | undefined
  #isLoading = false

  /** Called after a change of the page. */
  update(): void {
    this.#threads?.updateThreads()
    if (this.#isLoading || document.querySelector('#main .thread') === null) return
    // Once it is loaded, this stays.
    this.#isLoading = true
    inBackground(async () => {
      try {
        this.#threads = await import('./margin-threads.ts')
        this.#threads.startThreads()
      } catch (error) {
        // Without a connection it cannot be loaded. The next change tries again.
        console.error(error)
        this.#isLoading = false
      }
    })
  }
}
