/**
 * Sample spaces of each released schema, with what was read from them when they were created: `test/data/schemas/29/`
 * has the file, the bytes of its files, and the responses.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Reading } from './readings.ts'

const FOLDER = join(import.meta.dirname, '..', 'data', 'schemas')

export interface Answers {
  /** The current time while the space was read, in milliseconds since 1970. */
  now: number
  readings: Reading[]
}

/** Their names: numbers of schemas, with a suffix if there are several of one schema. */
export const fixtures = (): string[] => readdirSync(FOLDER).sort(byNumber)

const byNumber = (one: string, other: string): number =>
  parseInt(one, 10) - parseInt(other, 10) || (one < other ? -1 : 1)

/** Copies one to `file`, with its additional files. */
export function unpack(name: string, file: string): void {
  writeFileSync(file, gunzipSync(readFileSync(join(FOLDER, name, 'space.gz'))))
  const bytes = JSON.parse(readFileSync(join(FOLDER, name, 'files.json'), 'utf8')) as Record<string, string>
  for (const [path, base64] of Object.entries(bytes)) {
    const place = join(`${file}.files`, path)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, Buffer.from(base64, 'base64'))
  }
}

/** Stores a space that no process has open. */
export function pack(name: string, file: string, bytes: Buffer): void {
  const folder = join(FOLDER, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'space.gz'), gzipSync(bytes, { level: 9 }))
  writeFileSync(join(folder, 'files.json'), `${JSON.stringify(filesOf(`${file}.files`), null, 2)}\n`)
}

function filesOf(folder: string): Record<string, string> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort()
    return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path).toString('base64')]))
  } catch {
    // Versions without file support create no folder for them.
    return {}
  }
}

export const answersOf = (name: string): Answers =>
  JSON.parse(gunzipSync(readFileSync(join(FOLDER, name, 'answers.json.gz'))).toString('utf8')) as Answers

/** One reading per line, readable with `zless` and `zdiff`. */
export function keepAnswers(name: string, { now, readings }: Answers): void {
  const lines = readings.map((reading) => JSON.stringify(reading))
  const text = `{"now":${now},"readings":[\n${lines.join(',\n')}\n]}\n`
  writeFileSync(join(FOLDER, name, 'answers.json.gz'), gzipSync(text, { level: 9 }))
}
