/**
 * Threads for work that may take long, however hostile what it is done on. Both sides of one stand here: who asks, and
 * the thread, which answers.
 */
import { once } from 'node:events'
import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads'

/** Milliseconds after which an idle thread is given up; the next question starts another. */
const IDLE = 10_000
/** Where others want the processor too a thread gets less of it than time goes by: it is waited for so much longer. */
const PATIENCE = 4

/** An answer, or that there was none in time, and the milliseconds of work that it took. */
export interface Done<Answer> {
  answer: Answer | 'late'
  took: number
}

/** What the thread says, at first that it is ready: all milliseconds it has worked, and those for this answer. */
interface Said<Answer> {
  answer?: Answer
  took: number
  spent: number
}

/** A thread that is started when it is first asked. It answers one question after another, and keeps no process up. */
export class Thread<Asked, Answer> {
  readonly #file: URL
  readonly #limits: ResourceLimits
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #last: Promise<unknown> = Promise.resolve()
  /** What the thread had worked when it last said something. */
  #spent = 0

  /** @param file  of the thread, which calls {@link answerAside} */
  constructor(file: URL, limits: ResourceLimits = {}) {
    this.#file = file
    this.#limits = limits
  }

  /**
   * @param milliseconds  of work, at most: of the processor's time where Node tells that of a thread (from 24.6 on).
   * The start of the thread does not count. Whoever is late is ended.
   * @throws what the thread throws, which ends it
   */
  ask(asked: Asked, milliseconds: number): Promise<Done<Answer>> {
    const done = this.#last.then(() => this.#ask(asked, milliseconds))
    this.#last = done.catch(() => {})
    return done
  }

  async #ask(asked: Asked, milliseconds: number): Promise<Done<Answer>> {
    clearTimeout(this.#idle)
    try {
      const worker = this.#worker ?? (await this.#start())
      worker.ref()
      const late = Promise.withResolvers<'late'>()
      const stop = whenSpent(worker, this.#spent, milliseconds, () => late.resolve('late'))
      worker.postMessage(asked)
      const said = await Promise.race([saidBy<Answer>(worker), late.promise]).finally(stop)
      if (said === 'late') {
        this.#end()
        return { answer: 'late', took: milliseconds }
      }
      this.#spent = said.spent
      return { answer: said.answer as Answer, took: said.took }
    } catch (error) {
      this.#end()
      throw error
    } finally {
      this.#worker?.unref()
      this.#idle = setTimeout(() => this.#end(), IDLE).unref()
    }
  }

  async #start(): Promise<Worker> {
    const worker = new Worker(this.#file, { resourceLimits: this.#limits })
    this.#worker = worker
    // One that fails while nobody asks it, or when it is ended, is only forgotten.
    worker.on('error', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    this.#spent = (await saidBy<Answer>(worker)).spent
    return worker
  }

  /** Not waited for: WebAssembly goes on to the end of what it does. */
  #end(): void {
    const ending = this.#worker
    this.#worker = undefined
    void ending?.terminate()
  }
}

/** @throws what the thread throws */
async function saidBy<Answer>(worker: Worker): Promise<Said<Answer>> {
  const [said] = await once(worker, 'message')
  return said as Said<Answer>
}

/** @returns what stops the clock */
function whenSpent(worker: Worker, before: number, milliseconds: number, over: () => void): () => void {
  let isStopped = false
  const last = setTimeout(over, milliseconds * PATIENCE)
  let next = setTimeout(look, milliseconds)
  async function look(): Promise<void> {
    const left = before + milliseconds - (await spentBy(worker))
    // The answer may have come meanwhile: another timer would keep the process up for an idle thread.
    if (isStopped) return
    if (left <= 0) over()
    else next = setTimeout(look, left)
  }
  return () => {
    isStopped = true
    clearTimeout(last)
    clearTimeout(next)
  }
}

/** Milliseconds of the processor's time that a thread has used; infinitely many where Node does not know. */
async function spentBy(worker: Worker): Promise<number> {
  const { cpuUsage } = worker as { cpuUsage?: Worker['cpuUsage'] }
  const used = await cpuUsage?.call(worker).catch(() => undefined)
  return used === undefined ? Number.POSITIVE_INFINITY : (used.user + used.system) / 1000
}

/** In the thread: answers each question, one after another, once the file is loaded. */
export function answerAside<Asked, Answer>(work: (asked: Asked) => Answer | Promise<Answer>): void {
  const say = (said: Said<Answer>) => parentPort?.postMessage(said)
  parentPort?.on('message', async (asked: Asked) => {
    const before = spent()
    const answer = await work(asked)
    const now = spent()
    say({ answer, took: now - before, spent: now })
  })
  say({ took: 0, spent: spent() })
}

/** Milliseconds that this thread has worked, or been there, where Node does not tell. */
function spent(): number {
  const used = (process as { threadCpuUsage?: typeof process.threadCpuUsage }).threadCpuUsage?.()
  return used === undefined ? performance.now() : (used.user + used.system) / 1000
}
