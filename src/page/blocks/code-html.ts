/** Highlights code with highlight.js in a worker thread, since its patterns are slow on hostile input. */
import { extname } from 'node:path'
import { CODE_LENGTH, CODE_SECONDS, CODES_LENGTH } from '../../base/limits.ts'
import { WorkerThread } from '../../base/worker.ts'
import { languageName } from '../../markdown/blocks/code-block.ts'
import { type Html, html, trusted } from '../html.ts'
import { isHighlighted } from './highlight-languages.ts'

/** Code, and the words after its fence, or the name of its language. */
export interface CodeText {
  code: string
  language: string
}

/** HTML for each text; undefined if it stays plain. */
export type ColoredCode = (string | undefined)[]

/** Names of languages in highlight.js where they differ. */
const LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ cs: 'csharp', html: 'xml', h: 'c', patch: 'diff', toml: 'ini', make: 'makefile', ps1: 'powershell' },
  }),
)

/** Code beyond the limits of a part of a page stays plain. */
export async function colorCode(texts: readonly CodeText[]): Promise<ColoredCode> {
  const colored: ColoredCode = texts.map(() => undefined)
  let left = CODES_LENGTH
  const wanted = texts.flatMap(({ code, language }, index) => {
    const named = languageName(language)
    const name = LANGUAGES.get(named) ?? named
    if (!isHighlighted(name) || code.length > Math.min(CODE_LENGTH, left)) return []
    left -= code.length
    return [{ index, code, language: name }]
  })
  if (wanted.length === 0) return colored
  const { result } = await worker.run(
    wanted.map(({ code, language }) => ({ code, language })),
    CODE_SECONDS * 1000,
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
