/** What stands on the clipboard, as Markdown. The converter of HTML is loaded when it is first needed. */
import { PASTED_HTML_LENGTH } from '../../../base/limits/browser-limits.ts'
import type { Block } from '../../../markdown/block.ts'
import { text } from '../page-text.ts'

export interface PastedContent {
  markdown: string
  /** The same as blocks; undefined for text that was Markdown already. */
  blocks?: readonly Block[]
  /** What could not be kept, as sentences for the person who pastes. */
  notKept: readonly string[]
}

/** The parts of a `DataTransfer` that are read. Browsers empty it when the event is over. */
export type ClipboardTexts = Pick<DataTransfer, 'getData'>

/** True if there is HTML to convert, which takes a moment. Otherwise {@link plainContent} is all there is. */
export const hasHtml = (data: ClipboardTexts): boolean => data.getData('text/html') !== '' && !isMarkdownSource(data)

/** The plain text, which may be Markdown. */
export const plainContent = (data: ClipboardTexts): PastedContent => ({
  markdown: data.getData('text/plain').replace(/\r\n?/g, '\n').trim(),
  notKept: [],
})

/** Converts the HTML of the clipboard. Call it during the event. Nothing in the HTML is run or loaded. */
export async function pastedContent(data: ClipboardTexts): Promise<PastedContent> {
  const plain = plainContent(data)
  if (!hasHtml(data)) return plain
  const [html, language] = [data.getData('text/html'), languageOf(data)]
  if (html.length > PASTED_HTML_LENGTH) return { ...plain, notKept: [TOO_LONG] }
  try {
    const content = await convertPastedHtml(html, language)
    return content.markdown === '' ? plain : content
  } catch (error) {
    console.error(error)
    if (plain.markdown === '') throw error
    return {
      ...plain,
      notKept: [`${text('Pasted as plain text.')} ${error instanceof Error ? error.message : ''}`.trim()],
    }
  }
}

const TOO_LONG = text(
  'Pasted as plain text, since it is too long to convert. Paste it in parts to keep its formatting.',
)

/**
 * Converts HTML to blocks and Markdown.
 *
 * @param language  of code that an editor copied, if it is known
 * @throws Error if it has too many elements or too large tables
 */
export async function convertPastedHtml(html: string, language = ''): Promise<Required<PastedContent>> {
  const { convertHtml } = await import('./convert-html.ts')
  return convertHtml(html, language)
}

/** VS Code also copies the name of the language: `{"mode":"typescript", …}`. */
function languageOf(data: ClipboardTexts): string {
  const [, mode = ''] = /"mode"\s*:\s*"([\w+#.-]{1,40})"/.exec(data.getData('vscode-editor-data')) ?? []
  return LANGUAGES.get(mode) ?? mode
}

/** Names of VS Code that mean no language, or have another one here. */
const LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    plaintext: '',
    markdown: 'markdown',
    shellscript: 'shell',
    javascriptreact: 'jsx',
    typescriptreact: 'tsx',
  }),
)

/** Text in an editor of code that is no code: the colors of its HTML mean nothing. */
const isMarkdownSource = (data: ClipboardTexts): boolean =>
  /"mode"\s*:\s*"(?:markdown|plaintext)"/.test(data.getData('vscode-editor-data'))
