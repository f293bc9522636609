/** What a client would rather have: the `Accept` header. */

interface Range {
  type: string
  quality: number
  /** Where it stands in the header. */
  index: number
}

/**
 * Whether Markdown is preferred to JSON: by quality; of two that are alike by which was named more exactly, then by
 * which was named first. Where neither is acceptable, JSON is answered.
 */
export function prefersMarkdown(accept: string | null): boolean {
  if (accept === null) return false
  const ranges = accept.split(',').map(rangeOf)
  const markdown = bestFor('text/markdown', ranges)
  const json = bestFor('application/json', ranges)
  if (markdown === undefined || markdown.quality === 0) return false
  if (json === undefined || markdown.quality !== json.quality) return markdown.quality > (json?.quality ?? 0)
  const more = exactness(markdown) - exactness(json)
  return more === 0 ? markdown.index < json.index : more > 0
}

//   text/*;q=0.5
//   ^^^^^^   ^^^
function rangeOf(text: string, index: number): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((part) => part.startsWith('q='))?.slice('q='.length)
  const quality = given === undefined ? 1 : Number(given)
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0, index }
}

const exactness = ({ type }: Range): number => (type === '*/*' ? 0 : type.endsWith('/*') ? 1 : 2)

/** The range that says most exactly what of this type is wanted. */
function bestFor(type: string, ranges: readonly Range[]): Range | undefined {
  const families = [type, type.replace(/\/.*/, '/*'), '*/*']
  return families.map((family) => ranges.find((range) => range.type === family)).find((range) => range !== undefined)
}
