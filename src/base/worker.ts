/**
 * Worker threads for work that can take long, such as work on hostile input. Has both sides: the caller and the thread
 * that answers.
 */
import { once } from 'node:events'
import { parentPort, type ResourceLimits, Worker, workerData } from 'node:worker_threads'
import { inBackground } from './background.ts'
import { FairQueue } from './fair-queue.ts'

/** Milliseconds after which an idle thread is terminated; the next request starts another. */
const IDLE_MS = 10_000
/**
 * Megabytes of new objects of a thread. Without a limit, each thread that handles much data grows to 128 on a large
 * machine. That gains nothing here, since what a thread makes is soon garbage or kept until it answers.
 */
const YOUNG_MEGABYTES = 16
/**
 * On a busy machine a thread gets less CPU time than wall-clock time, so the wall-clock timeout is this many times
 * longer.
 */
const WALL_CLOCK_FACTOR = 4

/** The answer, or `timeout` if there was none in time, and the milliseconds of work it took. */
export interface WorkerResult<Answer> {
  result: Answer | 'timeout'
  elapsed: number
}

/**
 * A message from the thread, the first of which reports that it is ready: total milliseconds worked, and those for this
 * answer.
 */
interface WorkerMessage<Answer> {
  result?: Answer
  elapsed: number
  totalElapsed: number
}

/** For work that may take longer as a whole than any of its steps. */
export interface StepsOptions {
  /** Its environment variables. Defaults to those of the process. */
  env?: NodeJS.ProcessEnv
  /**
   * Shared with the thread, whose event loop adds to the first number. The limit then applies to each of the steps
   * between which the thread returns to its event loop, and the thread is not terminated while it is idle.
   */
  steps: Int32Array<SharedArrayBuffer>
}

/**
 * A thread that starts on first use, answers one request at a time, and does not keep the process alive. Those that
 * requests are for take turns.
 */
export class WorkerThread<Input, Answer> {
  readonly #file: URL
  readonly #limits: ResourceLimits
  readonly #options: Partial<StepsOptions>
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  readonly #queue = new FairQueue()
  /** Total milliseconds worked, as of the thread's last message. */
  #totalElapsed = 0

  /** @param file  module of the thread, which calls {@link answerInWorker} */
  constructor(file: URL, limits: ResourceLimits = {}, options: Partial<StepsOptions> = {}) {
    this.#file = file
    this.#limits = limits
    this.#options = options
  }

  /**
   * @param milliseconds  limit on the work. This is CPU time where Node reports that of a thread (24.6 and later). The
   * start of the thread does not count. A thread that exceeds the limit is terminated.
   * @throws what the thread throws, which ends it
   */
  run(input: Input, milliseconds: number): Promise<WorkerResult<Answer>> {
    return this.#queue.run(() => this.#run(input, milliseconds))
  }

  async #run(input: Input, milliseconds: number): Promise<WorkerResult<Answer>> {
    clearTimeout(this.#idle)
    try {
      const worker = this.#worker ?? (await this.#start())
      worker.ref()
      const timeout = Promise.withResolvers<'timeout'>()
      const limit = { from: this.#totalElapsed, milliseconds, steps: this.#options.steps }
      const stop = onTimeSpent(worker, limit, () => timeout.resolve('timeout'))
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
      if (this.#options.steps === undefined) this.#idle = setTimeout(() => this.#terminate(), IDLE_MS).unref()
    }
  }

  async #start(): Promise<Worker> {
    const { env, steps } = this.#options
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MEGABYTES, ...this.#limits }
    const worker = new Worker(this.#file, { resourceLimits, workerData: steps, ...(env && { env }) })
    this.#worker = worker
    // If a thread fails while idle, or as it is terminated, only the reference is dropped.
    worker.on('error', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    this.#totalElapsed = (await nextMessage<Answer>(worker)).totalElapsed
    return worker
  }

  /** Ends the thread, which loses its state. The next request starts another. */
  close(): void {
    clearTimeout(this.#idle)
    this.#terminate()
  }

  /** Not awaited: WebAssembly runs to the end of its current call. */
  #terminate(): void {
    const worker = this.#worker
    this.#worker = undefined
    inBackground('end a worker thread', () => worker?.terminate())
  }
}

/** @throws what the thread throws */
async function nextMessage<Answer>(worker: Worker): Promise<WorkerMessage<Answer>> {
  const [message] = await once(worker, 'message')
  return message as WorkerMessage<Answer>
}

/** How long a thread may work: milliseconds since it had worked for `from`, or since its last step. */
interface TimeLimit {
  from: number
  milliseconds: number
  steps: Int32Array | undefined
}

/** @returns a function that stops the timers */
function onTimeSpent(worker: Worker, { from, milliseconds, steps }: TimeLimit, onTimeout: () => void): () => void {
  let isStopped = false
  const started = performance.now()
  let begin = { worked: from, step: steps?.[0] }
  // By itself, since a thread in the middle of a long native call does not report its time.
  const startDeadline = () => setTimeout(onTimeout, milliseconds * WALL_CLOCK_FACTOR)
  let deadline = startDeadline()
  let nextCheck: NodeJS.Timeout
  const checkAfter = (wait: number) => {
    nextCheck = setTimeout(() => inBackground('check the time of a worker thread', check), wait)
  }
  checkAfter(milliseconds)
  async function check(): Promise<void> {
    const worked = (await workerCpuTime(worker)) ?? from + performance.now() - started
    // The answer may have arrived meanwhile. Another timer would then keep the process alive for an idle thread.
    if (isStopped) return
    const step = steps?.[0]
    if (step !== begin.step) {
      begin = { worked, step }
      clearTimeout(deadline)
      deadline = startDeadline()
    }
    const remaining = begin.worked + milliseconds - worked
    if (remaining <= 0) onTimeout()
    else checkAfter(remaining)
  }
  return () => {
    isStopped = true
    clearTimeout(deadline)
    clearTimeout(nextCheck)
  }
}

/** Milliseconds of CPU time that a thread has used; undefined if Node does not report it. */
async function workerCpuTime(worker: Worker): Promise<number | undefined> {
  const { cpuUsage } = worker as { cpuUsage?: Worker['cpuUsage'] }
  const used = await cpuUsage?.call(worker).catch(() => undefined)
  return used && (used.user + used.system) / 1000
}

/** Runs in the thread: answers one request at a time, once the module is loaded. */
export function answerInWorker<Input, Answer>(handle: (input: Input) => Answer | Promise<Answer>): void {
  const post = (message: WorkerMessage<Answer>) => parentPort?.postMessage(message)
  const answer = async (input: Input) => {
    const before = threadCpuTime()
    const result = await handle(input)
    const now = threadCpuTime()
    post({ result, elapsed: now - before, totalElapsed: now })
  }
  parentPort?.on('message', (input: Input) => {
    answer(input).catch((error: unknown) => {
      // An error that nothing catches ends the thread, and the caller receives it.
      queueMicrotask(() => {
        throw error
      })
    })
  })
  // Runs whenever the thread returns to its event loop.
  if (workerData instanceof Int32Array) setInterval(() => Atomics.add(workerData as Int32Array, 0, 1), STEP_MS).unref()
  post({ elapsed: 0, totalElapsed: threadCpuTime() })
}

/** Milliseconds between two looks of a thread at its event loop. */
const STEP_MS = 20

/** Milliseconds of CPU time of this thread, or of wall-clock time if Node does not report it. */
function threadCpuTime(): number {
  const used = (process as { threadCpuUsage?: typeof process.threadCpuUsage }).threadCpuUsage?.()
  return used === undefined ? performance.now() : (used.user + used.system) / 1000
}
