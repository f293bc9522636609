/** Highlights code with highlight.js in a worker thread, since its patterns are slow on hostile input. */
import { extname } from 'node:path'
import { WorkerThread } from '../../base/worker.ts'
import { type Html, html, trusted } from '../html.ts'

/** Maximum length of highlighted code. Longer code is shown plain. */
const COLORED_LENGTH = 20_000
/** Milliseconds for highlighting the code blocks in one part of a page. Remaining blocks are shown plain. */
const COLORING_MS = 500

/** Code, and its language as named in blocks. */
export interface CodeText {
  code: string
  language: string
}

/** HTML for each text; undefined if it stays plain. */
export type ColoredCode = (string | undefined)[]

/** Names of languages in highlight.js where they differ; `null` stays plain. */
const LANGUAGES: ReadonlyMap<string, string | null> = new Map(
  Object.entries({
    ...{ cs: 'csharp', html: 'xml', plaintext: null, other: null, mermaid: null, math_formula: null },
  }),
)

export async function colorCode(texts: readonly CodeText[]): Promise<ColoredCode> {
  const colored: ColoredCode = texts.map(() => undefined)
  const wanted = texts.flatMap(({ code, language }, index) => {
    const named = LANGUAGES.get(language)
    const name = named === undefined ? language : named
    return name === null || code.length > COLORED_LENGTH ? [] : [{ index, code, language: name }]
  })
  if (wanted.length === 0) return colored
  const { result } = await worker.run(
    wanted.map(({ code, language }) => ({ code, language })),
    COLORING_MS,
  )
  if (result === 'timeout') return colored
  for (const [at, { index }] of wanted.entries()) colored[index] = result[at]
  return colored
}

/** @param colored  the result of {@link colorCode} */
export const codeHtml = ({ code, language }: CodeText, colored: string | undefined): Html =>
  html`<pre tabindex="0" data-language="${language}"><code>${colored === undefined ? code : trusted(colored)}</code></pre>`

const worker = new WorkerThread<readonly CodeText[], ColoredCode>(
  new URL(`highlight-worker${extname(import.meta.filename)}`, import.meta.url),
)
