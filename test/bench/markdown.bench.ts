/**
 * Reading and writing Markdown: real text compared with other parsers, growth with length, hostile text, and adding it
 * to a space.
 */
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import MarkdownIt from 'markdown-it'
import { marked } from 'marked'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { readMarkdownInWorker } from '../../src/markdown/markdown-in-worker.ts'
import { readMarkdown } from '../../src/markdown/read-markdown.ts'
import { writeMarkdown } from '../../src/markdown/write-markdown.ts'
import { findReadmes } from '../demo/readmes.ts'
import { hostileTexts } from '../markdown/hostile-texts.ts'
import { insertBare, rowsOf } from './adding.bench.ts'
import { type Figure, interleaved, type Measure, median, timed } from './figure.ts'
import { addDocument, inFolder, openWorkbench } from './workbench.ts'

const ROUNDS = 5
const MIB = 2 ** 20

export const measure: Measure = async () => {
  const texts = readmeTexts()
  const whole = texts.join('\n\n')
  const [reading, others] = await readingFigures(texts)
  return {
    figures: [
      ...reading,
      ...(await growthFigures(whole)),
      await spaceFigure(whole),
      await pauseFigure(whole),
      await hostileFigure(),
    ],
    notes: [`Markdown: ${texts.length} README files, ${(whole.length / 1e6).toFixed(2)} MB. ${others}`],
  }
}

const readmeTexts = (): string[] =>
  findReadmes(join(import.meta.dirname, '../../node_modules')).map(({ markdown }) => markdown)

const rate = async (size: number, work: () => unknown): Promise<number> => size / 1e3 / (await timed(work))

async function readingFigures(texts: readonly string[]): Promise<[Figure[], string]> {
  const size = texts.reduce((sum, text) => sum + text.length, 0)
  const blocks = texts.map((text) => readMarkdown(text))
  const remark = unified().use(remarkParse).use(remarkGfm)
  const markdownIt = new MarkdownIt({ html: true })
  const read = () => rate(size, () => texts.map((text) => readMarkdown(text)))
  const beside = await interleaved(ROUNDS, read, () => rate(size, () => texts.map((text) => remark.parse(text))))
  const writing = await interleaved(ROUNDS, () => rate(size, () => blocks.map(writeMarkdown)), read)
  const its = median(await times(() => rate(size, () => texts.map((text) => markdownIt.parse(text, {})))))
  const markeds = median(await times(() => rate(size, () => texts.map((text) => marked.lexer(text)))))
  return [
    [
      { what: 'Markdown read', floor: 'remark-parse + gfm', unit: 'MB/s', ...beside, goal: { of: 'ratio', least: 5 } },
      { what: 'Markdown written', floor: 'Markdown read', unit: 'MB/s', ...writing, goal: { of: 'ratio', least: 3 } },
    ],
    `In the same run markdown-it makes its tokens at ${its.toFixed(1)} MB/s, marked at ${markeds.toFixed(1)} MB/s.`,
  ]
}

async function times(work: () => Promise<number>): Promise<number[]> {
  const found: number[] = []
  for (let round = 0; round < ROUNDS; round++) found.push(await work())
  return found
}

/** Compares the milliseconds per megabyte at 4 MB with those at 10 KB. */
async function growthFigures(whole: string): Promise<Figure[]> {
  const long = whole.repeat(Math.ceil(4e6 / whole.length)).slice(0, 4e6)
  const parts = Array.from({ length: 100 }, (_, index) => long.slice(index * 1e4, (index + 1) * 1e4)).filter(isRead)
  const ms = (size: number, work: () => unknown) => timed(work).then((time) => time / (size / 1e6))
  const growth = await interleaved(
    3,
    () => ms(long.length, () => isRead(long)),
    () => ms(parts.length * 1e4, () => parts.map((text) => readMarkdown(text))),
  )
  return [
    {
      what: 'read 4 MB of Markdown',
      floor: 'in parts of 10 KB',
      unit: 'ms/MB',
      ...growth,
      goal: { of: 'ratio', most: 1.5 },
    },
  ]
}

function isRead(text: string): boolean {
  try {
    readMarkdown(text)
    return true
  } catch {
    return false
  }
}

/** Returns enough of the text for 20,000 blocks. */
function twentyThousandBlocks(whole: string): string {
  const all = readMarkdown(`${whole}\n\n`.repeat(4)).filter(({ type }) => type !== 'page')
  return writeMarkdown(all.slice(0, 20_000))
}

/**
 * Adds 20,000 blocks of real Markdown to a space. The bound is twice the bare inserts of the same rows plus half a
 * second.
 */
async function spaceFigure(whole: string): Promise<Figure> {
  const text = twentyThousandBlocks(whole)
  return inFolder(async (folder) => {
    let round = 0
    const file = join(folder, 'rows.sqlite')
    await addText(file, text)
    const rows = rowsOf(file)
    const result = await interleaved(
      3,
      () => addText(join(folder, `ours-${round++}.sqlite`), text),
      async () => 2 * (await insertBare(join(folder, `bare-${round++}.sqlite`), rows)) + 500,
    )
    const what = '20,000 blocks of real Markdown added'
    return { what, floor: '2 × bare inserts + 500 ms', unit: 'ms', ...result, goal: { of: 'ratio', most: 1 } }
  })
}

async function addText(file: string, markdown: string): Promise<number> {
  const bench = await openWorkbench(file)
  const pageId = await addDocument(bench, 'Many')
  const time = await timed(() =>
    bench.call('blocks_add', { markdown, position: { position: 'end', pageId }, answer: 'ids' }),
  )
  await bench.close()
  return time
}

/** Measures the longest pause of the event loop while 4 MiB of Markdown are read and added. */
async function pauseFigure(whole: string): Promise<Figure> {
  const text = whole.repeat(Math.ceil((4 * MIB) / whole.length)).slice(0, 4 * MIB - 1)
  const markdown = text.slice(0, text.lastIndexOf('\n\n'))
  return inFolder(async (folder) => {
    const bench = await openWorkbench(join(folder, 'pause.sqlite'))
    const pageId = await addDocument(bench, 'Long')
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    // These are too many blocks for one call: they are read, counted and refused.
    await bench.call('blocks_add', { markdown, position: { position: 'end', pageId } }).catch(() => {})
    delay.disable()
    await bench.close()
    const ours = delay.max / 1e6
    return {
      what: 'longest pause, 4 MiB of Markdown',
      floor: 'none',
      unit: 'ms',
      ours,
      bare: Number.NaN,
      ratio: Number.NaN,
      goal: { of: 'ours', most: 50 },
    }
  })
}

/** The size at which hostile texts are ranked. The slowest of them are then measured at 4 MiB. */
const TRIED = 2 ** 17
const SLOWEST = 3

/** Measures the longest time until a hostile text of 4 MiB is converted to blocks or refused. */
async function hostileFigure(): Promise<Figure> {
  const ranked: { name: string; time: number }[] = []
  for (const { name, text } of hostileTexts(TRIED)) ranked.push({ name, time: await timed(() => isRead(text)) })
  const slowest = new Set(
    ranked
      .sort((one, other) => other.time - one.time)
      .slice(0, SLOWEST)
      .map(({ name }) => name),
  )
  let [ours, floor] = [0, '']
  for (const { name, text } of hostileTexts(4 * MIB)) {
    if (!slowest.has(name)) continue
    const seconds = (await timed(() => readMarkdownInWorker(text).catch(() => []))) / 1e3
    if (seconds > ours) [ours, floor] = [seconds, name]
  }
  return {
    what: 'slowest hostile text of 4 MiB',
    floor,
    unit: 's',
    ours,
    bare: Number.NaN,
    ratio: Number.NaN,
    goal: { of: 'ours', most: 5 },
  }
}
