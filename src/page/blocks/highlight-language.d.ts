/** Any language of highlight.js; see highlight-core.d.ts. */
import type { LanguageFn } from './highlight-core.d.ts'

declare const definition: LanguageFn
export default definition
