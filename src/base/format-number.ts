/**
 * A number as messages and texts in English have it: `1,234,567`. `toLocaleString` loads data of all languages
 * when it is first called, which is 12 ms of each start.
 */
export const formatNumber = (value: number | bigint): string =>
  String(value).replace(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g, ',')

/**
 * A number with its noun: `1 document`, `2,000 documents`, `2 entries`.
 *
 * @param noun  in the singular, also with what follows it: `document to search`, `part of the difference`
 */
export const formatCount = (count: number | bigint, noun: string): string =>
  `${formatNumber(count)} ${count === 1 ? noun : noun.replace(/^.+?(?= to | of |$)/, plural)}`

function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
  return /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`
}
