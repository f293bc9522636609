/**
 * The used part of highlight.js; see `paths` in tsconfig.json. The library's own types include those of the DOM, so
 * that global variables of browsers would type-check everywhere.
 */
export type LanguageFn = (hljs: unknown) => unknown

declare const hljs: {
  getLanguage(name: string): unknown
  registerLanguage(name: string, definition: LanguageFn): void
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string }
}
export default hljs
