/** Records what a process writes with disk.c, and reads the recording. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { chance } from '../proof.ts'
import { Disk } from './disk.ts'
import { examine, recordPending } from './examine.ts'
import { startCalling, Tally } from './fleet.ts'
import { Lane } from './lane.ts'
import { readRecording, type Step } from './recording.ts'
import { startWriter } from './writing.ts'

export interface Recorded {
  steps: Step[]
  lanes: readonly Lane[]
  faults: string[]
}

/** The path of the space, in a folder that the process creates. */
export const SPACE = join('made', 'space.sqlite')

/**
 * How each run of the process ends, and after how many acknowledgements: the next run then opens what a close, a kill
 * or a recovery leaves behind. During the last run SQLite also checkpoints its log into the file.
 */
const RUNS = [
  { end: 'end', calls: 35 },
  { end: 'kill', calls: 35 },
  { end: 'end', calls: 100 },
] as const

/** @param library  the compiled disk.c */
export async function recordWriting(folder: string, program: string, library: string, seed: number): Promise<Recorded> {
  const root = join(folder, 'seen')
  mkdirSync(root, { recursive: true })
  const record = join(folder, 'record')
  const space = join(root, SPACE)
  const random = chance(seed)
  const lanes = [0, 1, 2].map((n) => new Lane(`lane${n}`, random() * 2 ** 32))
  const faults: string[] = []
  for (const { end, calls } of RUNS) {
    const env = { LD_PRELOAD: library, DISK_ROOT: root, DISK_RECORD: record }
    const writing = await startWriter(program, space, env, 'SIGUSR2')
    const tally = new Tally()
    const listener = { acknowledged: () => tally.add(), refused: (sentence: string) => void faults.push(sentence) }
    const crew = startCalling(writing, lanes, listener)
    await tally.after(calls, crew.running)
    await writing[end]()
    await crew.running
    // Examines a copy, since opening the original would change it.
    const copy = join(folder, 'copy')
    cpSync(root, copy, { recursive: true })
    const { lost, broken } = examine(join(copy, SPACE), (kept) => lanes.map((lane) => recordPending(kept, lane)))
    faults.push(...lost, ...broken)
    rmSync(copy, { recursive: true })
  }
  const steps = readRecording(record, root)
  faults.push(...unlike(steps, root))
  return { steps, lanes, faults }
}

/** Compares the files with the simulated disk. A difference means that a system call was not recorded. */
function unlike(steps: readonly Step[], root: string): string[] {
  const disk = new Disk()
  for (const step of steps) disk.apply(step)
  // With 0 as its random number, the disk keeps all writes.
  const expected = disk.afterPowerCut(() => 0)
  const found = readdirSync(root, { recursive: true, withFileTypes: true })
  const paths = found.map((entry) => relative(root, join(entry.parentPath, entry.name)))
  const wrong = [...new Set([...paths, ...expected.keys()])].filter((path) => {
    const bytes = expected.get(path)
    if (!paths.includes(path) || !expected.has(path)) return true
    return bytes !== undefined && !bytes.equals(readFileSync(join(root, path)))
  })
  return wrong.map((path) => `Expected ${path} as the recorded calls leave it, found another.`)
}
