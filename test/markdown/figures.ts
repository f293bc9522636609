import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import type { Block } from '../../src/markdown/block.ts'
import { readMarkdown } from '../../src/markdown/read.ts'
import { writeMarkdown } from '../../src/markdown/write.ts'
import { hostileTexts } from './hostile-texts.ts'

/** Prints how fast text is read and written, beside others in the same run, and whether time grows with length alone. */
export function printFigures(print: (line: string) => void): void {
  const files = readmes().flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const blocks = read(text)
    return blocks === undefined ? [] : [{ text, blocks }]
  })
  const texts = files.map(({ text }) => text)
  const megabytes = texts.reduce((sum, text) => sum + text.length, 0) / 1e6
  print(`${texts.length} README files, ${megabytes.toFixed(2)} MB`)

  const remark = unified().use(remarkParse).use(remarkGfm)
  const markdownIt = new MarkdownIt({ html: true })
  const times = {
    'remark-parse + remark-gfm': best(() => texts.map((text) => remark.runSync(remark.parse(text)))),
    'markdown-it, tokens': best(() => texts.map((text) => markdownIt.parse(text, {}))),
    'markdown-it, blocks alone': best(() => texts.map((text) => markdownIt.block.parse(text, markdownIt, {}, []))),
    readMarkdown: best(() => texts.map(readMarkdown)),
    writeMarkdown: best(() => files.map(({ blocks }) => writeMarkdown(blocks))),
  }
  const one = times['remark-parse + remark-gfm']
  for (const [name, time] of Object.entries(times)) {
    print(`${name.padEnd(28)}${(megabytes / time).toFixed(1).padStart(8)} MB/s${(one / time).toFixed(1).padStart(8)}×`)
  }
  print(`writing is ${(times.readMarkdown / times.writeMarkdown).toFixed(1)}× as fast as reading`)

  const all = texts.join('\n\n')
  for (const size of [1e4, 1e5, 1e6, 4e6]) {
    const text = all.repeat(Math.ceil(size / all.length)).slice(0, size)
    const blocks = read(text) ?? []
    const reading = best(() => read(text))
    const writing = best(() => writeMarkdown(blocks))
    print(
      `${String(size / 1e3).padStart(5)} KB${perMegabyte(reading, size)} ms/MB read${perMegabyte(writing, size)} ms/MB written`,
    )
  }
  const plain = Array.from(
    { length: 10_000 },
    (_, index): Block => ({ type: 'text', text: `Words of block ${index}, plain` }),
  )
  print(`10,000 plain blocks written one by one: ${(best(() => writeMarkdown(plain)) * 1e3).toFixed(1)} ms`)
}

/** Prints the hostile texts that take longest at the largest size of a call. */
export function printHostileFigures(print: (line: string) => void): void {
  const times = [...hostileTexts(4 * 2 ** 20)].map(({ name, text }) => {
    const before = performance.now()
    const blocks = read(text)
    return { name, seconds: (performance.now() - before) / 1e3, blocks: blocks?.length ?? 'refused' }
  })
  print(`${times.length} hostile texts of 4 MiB; the slowest:`)
  for (const { name, seconds, blocks } of times.sort((one, other) => other.seconds - one.seconds).slice(0, 8)) {
    print(`${seconds.toFixed(1).padStart(6)} s  ${name} (${blocks} blocks)`)
  }
}

const perMegabyte = (seconds: number, size: number): string => ((seconds * 1e3) / (size / 1e6)).toFixed(0).padStart(8)

/** The shortest of several runs, in seconds. */
function best(run: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (
    let count = 0, since = performance.now();
    count < 3 || (count < 50 && performance.now() - since < 1_000);
    count++
  ) {
    const before = performance.now()
    run()
    least = Math.min(least, performance.now() - before)
  }
  return least / 1e3
}

function read(text: string): Block[] | undefined {
  try {
    return readMarkdown(text)
  } catch {
    return undefined
  }
}

/** The README files of the packages we have. */
export function readmes(): string[] {
  const root = join(import.meta.dirname, '../../node_modules')
  const names = readdirSync(root).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(root, name)).map((inner) => join(name, inner)) : [name],
  )
  return names
    .map((name) => join(root, name, 'README.md'))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
}
