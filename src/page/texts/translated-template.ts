/** HTML templates in the language of the page: see template-messages.ts for what a message in them is. */
import { type Catalog, catalogOf } from './catalogs.ts'
import { pageLocale } from './language.ts'
import { type Part, templateParts } from './template-messages.ts'

/** A template in another language, whose values may be in another order. */
export interface TranslatedTemplate {
  strings: TemplateStringsArray
  /** For each value, its index in the template as it is written. */
  order: readonly number[]
}

/** Each template of the code is one object, so that it is translated once. */
const translated = new WeakMap<Catalog, WeakMap<TemplateStringsArray, TranslatedTemplate>>()

/** The template in the language of the page; undefined if that is the language of the code. */
export function translatedTemplate(strings: TemplateStringsArray): TranslatedTemplate | undefined {
  const catalog = catalogOf(pageLocale().language)
  if (catalog === undefined) return undefined
  let known = translated.get(catalog)
  if (known === undefined) {
    known = new WeakMap()
    translated.set(catalog, known)
  }
  let found = known.get(strings)
  if (found === undefined) {
    found = translate(strings, catalog)
    known.set(strings, found)
  }
  return found
}

function translate(template: readonly string[], catalog: Catalog): TranslatedTemplate {
  const strings = ['']
  const order: number[] = []
  const add = (part: Part): void => {
    if (typeof part === 'string') strings[strings.length - 1] += part
    else if (typeof part === 'number') {
      order.push(part)
      strings.push('')
    } else {
      const { key, values, elements } = part
      for (const piece of (catalog.get(key) ?? key).split(/(\{\d+\}|<\/?[a-z]+\d*>)/)) {
        const [, value] = /^\{(\d+)\}$/.exec(piece) ?? []
        const index = value === undefined ? undefined : values[Number(value)]
        if (index !== undefined) add(index)
        else for (const own of elements.get(piece) ?? [piece]) add(own)
      }
    }
  }
  for (const part of templateParts(template)) add(part)
  return { strings: Object.assign(strings, { raw: strings }), order }
}
