/** No promise floats: an unhandled rejection ends the process, and with it everything that it serves. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findFloatingPromises } from './support/floating-promises.ts'

const ROOT = join(import.meta.dirname, '..')

/** Milliseconds to read the types of all sources, beside other tests. */
const COMPILE_MS = 180_000

const isOurs = (file: string): boolean =>
  /^(src|tools|storage)\//.test(relative(ROOT, file)) && !file.includes('node_modules')

test.each(['tsconfig.json', 'src/page/assets/tsconfig.json'])(
  'each promise of %s is awaited, stored, or run by inBackground',
  (config) => {
    const found = findFloatingPromises(join(ROOT, config), isOurs)
    expect(found.map((line) => line.replace(`${ROOT}/`, ''))).toEqual([])
  },
  COMPILE_MS,
)

/** Each line floats, except those whose comment says why not. */
const EXAMPLES = `
import { EventEmitter } from 'node:events'
declare function clean(): Promise<void>
declare function onFinish(listener: () => void): void
declare function onFunction(listener: Function): void
declare function onWait(listener: () => Promise<void>): void
declare const emitter: EventEmitter
declare let isDue: boolean
declare let later: Promise<unknown>
declare const options: { onEnd: () => void; onMore?: () => void | Promise<void> }
clean()
void clean()
isDue && clean()
isDue ? clean() : undefined
clean().then(() => {})
clean().finally(() => {})
clean().catch(() => clean())
onFinish(() => void clean())
onFinish(clean)
onFunction(clean)
onFinish(async () => {})
emitter.on('end', async () => {})
setTimeout(clean, 1)
options.onEnd = () => clean()
const listed: (() => void)[] = [1].map((): (() => void) => clean)
await clean() // awaited
later = clean() // stored
clean().catch(() => {}) // handled
clean().then(() => {}, () => {}) // handled
await clean().finally(() => clean()) // the language waits
onWait(clean) // the callee waits
options.onMore = () => clean() // the callee may wait
void isDue // no promise
`

test('each way to let a promise float is found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-floating-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'examples.mts'), EXAMPLES)
  const types = join(ROOT, 'node_modules/@types')
  const compilerOptions = { strict: true, target: 'es2024', module: 'nodenext', types: ['node'], typeRoots: [types] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['examples.mts'] }))
  const found = findFloatingPromises(join(folder, 'tsconfig.json'), (file) => file.endsWith('examples.mts'))
  const lines = EXAMPLES.split('\n')
  const numbers = found.map((line) => Number(/mts:(\d+) /.exec(line)?.[1]))
  const floating = lines.flatMap((line) => (/^(?:$|import|declare)| \/\/ /.test(line) ? [] : [line]))
  expect([...new Set(numbers)].map((number) => lines[number - 1])).toEqual(floating)
})
