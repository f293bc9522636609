/**
 * Threads for work that may take long, however hostile what it is done on. Both sides of one stand here: who asks, and
 * the thread, which answers.
 */
import { once } from 'node:events'
import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads'

/** Milliseconds after which an idle thread is given up; the next question starts another. */
const IDLE_MS = 10_000
/** Where others want the processor too a thread gets less of it than time goes by: it is waited for so much longer. */
const WALL_CLOCK_FACTOR = 4

/** An answer, or that there was none in time, and the milliseconds of work that it took. */
export interface WorkerResult<Answer> {
  result: Answer | 'timeout'
  elapsed: number
}

/** What the thread says, at first that it is ready: all milliseconds it has worked, and those for this answer. */
interface WorkerMessage<Answer> {
  result?: Answer
  elapsed: number
  totalElapsed: number
}

/** A thread that is started when it is first asked. It answers one question after another, and keeps no process up. */
export class WorkerThread<Asked, Answer> {
  readonly #file: URL
  readonly #limits: ResourceLimits
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #queue: Promise<unknown> = Promise.resolve()
  /** What the thread had worked when it last said something. */
  #totalElapsed = 0

  /** @param file  of the thread, which calls {@link answerInWorker} */
  constructor(file: URL, limits: ResourceLimits = {}) {
    this.#file = file
    this.#limits = limits
  }

  /**
   * @param milliseconds  of work, at most: of the processor's time where Node tells that of a thread (from 24.6 on).
   * The start of the thread does not count. Whoever is late is ended.
   * @throws what the thread throws, which ends it
   */
  run(input: Asked, milliseconds: number): Promise<WorkerResult<Answer>> {
    const result = this.#queue.then(() => this.#run(input, milliseconds))
    this.#queue = result.catch(() => {})
    return result
  }

  async #run(input: Asked, milliseconds: number): Promise<WorkerResult<Answer>> {
    clearTimeout(this.#idle)
    try {
      const worker = this.#worker ?? (await this.#start())
      worker.ref()
      const timeout = Promise.withResolvers<'timeout'>()
      const stop = onTimeSpent(worker, this.#totalElapsed, milliseconds, () => timeout.resolve('timeout'))
      worker.postMessage(input)
      const message = await Promise.race([nextMessage<Answer>(worker), timeout.promise]).finally(stop)
      if (message === 'timeout') {
        this.#terminate()
        return { result: 'timeout', elapsed: milliseconds }
      }
      this.#totalElapsed = message.totalElapsed
      return { result: message.result as Answer, elapsed: message.elapsed }
    } catch (error) {
      this.#terminate()
      throw error
    } finally {
      this.#worker?.unref()
      this.#idle = setTimeout(() => this.#terminate(), IDLE_MS).unref()
    }
  }

  async #start(): Promise<Worker> {
    const worker = new Worker(this.#file, { resourceLimits: this.#limits })
    this.#worker = worker
    // One that fails while nobody asks it, or when it is ended, is only forgotten.
    worker.on('error', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    this.#totalElapsed = (await nextMessage<Answer>(worker)).totalElapsed
    return worker
  }

  /** Not waited for: WebAssembly goes on to the end of what it does. */
  #terminate(): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
  }
}

/** @throws what the thread throws */
async function nextMessage<Answer>(worker: Worker): Promise<WorkerMessage<Answer>> {
  const [message] = await once(worker, 'message')
  return message as WorkerMessage<Answer>
}

/** @returns what stops the clock */
function onTimeSpent(worker: Worker, startTime: number, milliseconds: number, onTimeout: () => void): () => void {
  let isStopped = false
  const last = setTimeout(onTimeout, milliseconds * WALL_CLOCK_FACTOR)
  let next = setTimeout(check, milliseconds)
  async function check(): Promise<void> {
    const remaining = startTime + milliseconds - (await workerCpuTime(worker))
    // The answer may have come meanwhile: another timer would keep the process up for an idle thread.
    if (isStopped) return
    if (remaining <= 0) onTimeout()
    else next = setTimeout(check, remaining)
  }
  return () => {
    isStopped = true
    clearTimeout(last)
    clearTimeout(next)
  }
}

/** Milliseconds of the processor's time that a thread has used; infinitely many where Node does not know. */
async function workerCpuTime(worker: Worker): Promise<number> {
  const { cpuUsage } = worker as { cpuUsage?: Worker['cpuUsage'] }
  const used = await cpuUsage?.call(worker).catch(() => undefined)
  return used === undefined ? Number.POSITIVE_INFINITY : (used.user + used.system) / 1000
}

/** In the thread: answers each question, one after another, once the file is loaded. */
export function answerInWorker<Asked, Answer>(handle: (asked: Asked) => Answer | Promise<Answer>): void {
  const post = (message: WorkerMessage<Answer>) => parentPort?.postMessage(message)
  parentPort?.on('message', async (input: Asked) => {
    const before = threadCpuTime()
    const result = await handle(input)
    const now = threadCpuTime()
    post({ result, elapsed: now - before, totalElapsed: now })
  })
  post({ elapsed: 0, totalElapsed: threadCpuTime() })
}

/** Milliseconds that this thread has worked, or been there, where Node does not tell. */
function threadCpuTime(): number {
  const used = (process as { threadCpuUsage?: typeof process.threadCpuUsage }).threadCpuUsage?.()
  return used === undefined ? performance.now() : (used.user + used.system) / 1000
}
