/** The texts of the pages in other languages than English, by their English text. */
import { GERMAN } from './german/german.ts'
import type { Language } from './language.ts'

export type Catalog = ReadonlyMap<string, string>

const CATALOGS: Readonly<Record<Language, Catalog | undefined>> = {
  // English is in the code.
  en: undefined,
  de: GERMAN,
}

export const catalogOf = (language: Language): Catalog | undefined => CATALOGS[language]
