/** The languages of code blocks that highlight.js supports. */
import type { LanguageFn } from 'highlight.js/lib/core'

type Module = Promise<{ default: LanguageFn }>

// Listed individually, so that the package can be bundled.
const MODULES: ReadonlyMap<string, () => Module> = new Map(
  Object.entries({
    ada: () => import('highlight.js/lib/languages/ada'),
    bash: () => import('highlight.js/lib/languages/bash'),
    c: () => import('highlight.js/lib/languages/c'),
    cpp: () => import('highlight.js/lib/languages/cpp'),
    csharp: () => import('highlight.js/lib/languages/csharp'),
    css: () => import('highlight.js/lib/languages/css'),
    dart: () => import('highlight.js/lib/languages/dart'),
    diff: () => import('highlight.js/lib/languages/diff'),
    dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
    matlab: () => import('highlight.js/lib/languages/matlab'),
    go: () => import('highlight.js/lib/languages/go'),
    groovy: () => import('highlight.js/lib/languages/groovy'),
    haskell: () => import('highlight.js/lib/languages/haskell'),
    xml: () => import('highlight.js/lib/languages/xml'),
    ini: () => import('highlight.js/lib/languages/ini'),
    java: () => import('highlight.js/lib/languages/java'),
    javascript: () => import('highlight.js/lib/languages/javascript'),
    json: () => import('highlight.js/lib/languages/json'),
    julia: () => import('highlight.js/lib/languages/julia'),
    kotlin: () => import('highlight.js/lib/languages/kotlin'),
    lua: () => import('highlight.js/lib/languages/lua'),
    makefile: () => import('highlight.js/lib/languages/makefile'),
    markdown: () => import('highlight.js/lib/languages/markdown'),
    objectivec: () => import('highlight.js/lib/languages/objectivec'),
    perl: () => import('highlight.js/lib/languages/perl'),
    php: () => import('highlight.js/lib/languages/php'),
    powershell: () => import('highlight.js/lib/languages/powershell'),
    prolog: () => import('highlight.js/lib/languages/prolog'),
    python: () => import('highlight.js/lib/languages/python'),
    r: () => import('highlight.js/lib/languages/r'),
    ruby: () => import('highlight.js/lib/languages/ruby'),
    rust: () => import('highlight.js/lib/languages/rust'),
    scala: () => import('highlight.js/lib/languages/scala'),
    scss: () => import('highlight.js/lib/languages/scss'),
    shell: () => import('highlight.js/lib/languages/shell'),
    sql: () => import('highlight.js/lib/languages/sql'),
    swift: () => import('highlight.js/lib/languages/swift'),
    typescript: () => import('highlight.js/lib/languages/typescript'),
    vbnet: () => import('highlight.js/lib/languages/vbnet'),
    yaml: () => import('highlight.js/lib/languages/yaml'),
  }),
)

export const isHighlighted = (name: string): boolean => MODULES.has(name)

/** @returns undefined for an unknown language */
export const loadLanguage = async (name: string): Promise<LanguageFn | undefined> =>
  (await MODULES.get(name)?.())?.default
