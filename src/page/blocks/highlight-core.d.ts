/**
 * What is used of highlight.js; see `paths` in tsconfig.json. Its own types bring in those of the DOM, so that the names
 * of a browser's global variables would pass the type check everywhere.
 */
export type LanguageFn = (hljs: unknown) => unknown

declare const hljs: {
  getLanguage(name: string): unknown
  registerLanguage(name: string, definition: LanguageFn): void
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string }
}
export default hljs
