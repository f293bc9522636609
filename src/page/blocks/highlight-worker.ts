/** The worker thread that highlights code. Each language is loaded on first use. */
import hljs from 'highlight.js/lib/core'
import { CODES_OUTPUT_LENGTH } from '../../base/limits.ts'
import { answerInWorker } from '../../base/worker.ts'
import type { CodeText, ColoredCode } from './code-html.ts'
import { loadLanguage } from './highlight-languages.ts'

answerInWorker(async (texts: readonly CodeText[]): Promise<ColoredCode> => {
  const colored: ColoredCode = []
  let left = CODES_OUTPUT_LENGTH
  for (const { code, language } of texts) {
    const html = await colorOne(code, language)
    const isShown = html !== undefined && html.length <= left
    if (isShown) left -= html.length
    colored.push(isShown ? html : undefined)
  }
  return colored
})

async function colorOne(code: string, language: string): Promise<string | undefined> {
  if (hljs.getLanguage(language) === undefined) {
    const definition = await loadLanguage(language)
    if (definition === undefined) return undefined
    hljs.registerLanguage(language, definition)
  }
  return hljs.highlight(code, { language, ignoreIllegals: true }).value
}
