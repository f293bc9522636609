/** Listeners on feed streams, in a process of their own, so that they do not cost the server's process time. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'

export interface FeedListeners {
  close(): void
}

/** Opens a stream at each URL, and resolves once all are open. */
export async function startListeners(urls: readonly string[]): Promise<FeedListeners> {
  const child: ChildProcess = fork(import.meta.filename, { execArgv: [] })
  child.send(urls)
  const [opened] = (await once(child, 'message')) as [number]
  if (opened !== urls.length) throw new Error(`Expected ${urls.length} streams, found ${opened}.`)
  return { close: () => void child.kill('SIGKILL') }
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  process.on('message', (urls: string[]) => {
    let opened = 0
    for (const url of urls) {
      get(url, { headers: { accept: 'text/event-stream' } }, (answer) => {
        // The first data confirms that the server listens for changes.
        answer.once('data', () => ++opened === urls.length && process.send?.(opened))
        answer.resume()
      })
    }
  })
}
