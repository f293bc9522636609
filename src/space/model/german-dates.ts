/**
 * Days in German phrases, as the English ones that mean the same: `in 3 Tagen` is `in 3 days`, `nächsten Freitag` is
 * `next friday`, `24. Dezember` is `24 december`.
 */

const WORDS: ReadonlyMap<string, string> = new Map(
  [
    ['today', 'heute'],
    ['tomorrow', 'morgen'],
    ['yesterday', 'gestern'],
    ['day after tomorrow', 'uebermorgen'],
    ['day before yesterday', 'vorgestern'],
    ...([
      ['monday', 'montag mon mo.'],
      ['tuesday', 'dienstag die di.'],
      ['wednesday', 'mittwoch mit mi.'],
      ['thursday', 'donnerstag don do.'],
      ['friday', 'freitag fre fr.'],
      ['saturday', 'samstag sonnabend sam sa.'],
      ['sunday', 'sonntag son so.'],
    ] as const),
    ...([
      ['january', 'januar jaenner jan. jan'],
      ['february', 'februar feber feb. feb'],
      ['march', 'maerz maer. mrz. mrz'],
      ['april', 'april apr. apr'],
      ['may', 'mai'],
      ['june', 'juni jun. jun'],
      ['july', 'juli jul. jul'],
      ['august', 'august aug. aug'],
      ['september', 'september sept. sep.'],
      ['october', 'oktober okt. okt'],
      ['november', 'november nov. nov'],
      ['december', 'dezember dez. dez'],
    ] as const),
    ['days', 'tag tage tagen'],
    ['weeks', 'woche wochen'],
    ['months', 'monat monate monaten'],
    ['years', 'jahr jahre jahren'],
    ['next', 'naechste naechsten naechster naechstes'],
    ['this', 'diese diesen dieser dieses kommende kommenden kommender kommendes'],
    ['on', 'am'],
    ['in', 'in'],
    ['a', 'ein eine einem einer'],
    ...'two zwei,three drei,four vier,five fuenf,six sechs,seven sieben,eight acht,nine neun,ten zehn,eleven elf,twelve zwoelf'
      .split(',')
      .map((pair) => pair.split(' ') as [string, string]),
  ].flatMap(([english = '', german = '']) => german.split(' ').map((word) => [word, english] as const)),
)
/** Words before a day that say nothing else. */
const ARTICLES = new Set(['den', 'der', 'dem'])
const UMLAUTS: ReadonlyMap<string, string> = new Map([
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
  ['ß', 'ss'],
])

/**
 * @param phrase  in lower case, with single spaces
 * @returns the phrase in English; undefined if one of its words is not German
 */
export function fromGerman(phrase: string): string | undefined {
  const words = phrase
    .normalize('NFC')
    .replace(/[äöüß]/g, (letter) => UMLAUTS.get(letter) ?? letter)
    .replace(/,/g, '')
    .split(' ')
    .filter((word) => !ARTICLES.has(word))
  const isPast = words[0] === 'vor'
  const english: string[] = []
  for (const word of isPast ? words.slice(1) : words) {
    // `24.` is the 24th.
    const number = /^(\d{1,4})\.?$/.exec(word)?.[1]
    const found = number ?? WORDS.get(word)
    if (found === undefined) return undefined
    english.push(found)
  }
  // `am Montag`, but `am 24. Dezember`.
  if (english[0] === 'on' && /^\d/.test(english[1] ?? '')) english.shift()
  return [...english, ...(isPast ? ['ago'] : [])].join(' ')
}
