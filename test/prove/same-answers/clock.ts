/**
 * Loaded into the program with `--import`, before any of its own modules: the time is what the parent process says, in
 * milliseconds since 1970. Until it says something, and in worker threads, it is that of the environment variable
 * PROOF_TIME.
 */
const RealDate = Date
let now = Number(process.env.PROOF_TIME)

class FixedDate extends RealDate {
  // The arguments are those of Date, whatever they are.
  constructor(...args: [] | [number]) {
    super(...(args.length === 0 ? ([now] as const) : args))
  }

  static override now(): number {
    return now
  }
}

globalThis.Date = FixedDate as DateConstructor

process.on('message', (time: number) => {
  now = time
  process.send?.(time)
})
// Waiting for the next time does not keep the program from ending.
process.channel?.unref()
