/**
 * The texts of the scripts in another language than English, as a script that pages load before all others. Its address
 * has a hash of its content, as those of other scripts do.
 */
import { createHash } from 'node:crypto'
import { GERMAN_SCRIPT_TEXTS } from './german/german.ts'
import { type Language, pageLocale } from './language.ts'

interface ScriptTexts {
  /** Such as `texts-de-1a2b3c4d.js`. */
  file: string
  bytes: Uint8Array<ArrayBuffer>
}

const made = new Map<Language, ScriptTexts>()

/** Undefined for English, which is in the scripts. */
function textsOf(language: Language): ScriptTexts | undefined {
  if (language === 'en') return undefined
  const known = made.get(language)
  if (known !== undefined) return known
  const texts = JSON.stringify(Object.fromEntries(GERMAN_SCRIPT_TEXTS))
  const bytes = new Uint8Array(Buffer.from(`globalThis.pageTexts=new Map(Object.entries(${texts}))`))
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 10)
  const script = { file: `texts-${language}-${version}.js`, bytes }
  made.set(language, script)
  return script
}

/** The address of the script for the page that is rendered. @param root  see `assetPath` */
export function scriptTextsPath(root: string): string | undefined {
  const script = textsOf(pageLocale().language)
  return script && `${root}/page/${script.file}`
}

/** The bytes of such a script by its file name; undefined for unknown names and other versions. */
export function readScriptTexts(file: string): Uint8Array<ArrayBuffer> | undefined {
  const script = textsOf('de')
  return script?.file === file ? script.bytes : undefined
}
