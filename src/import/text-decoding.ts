/**
 * Decodes the bytes of a text whose encoding is not stated: UTF-8, UTF-16, and by detection the encodings of older
 * programs. A guess can be wrong, so imports report what {@link readText} says about it.
 */
import { isUtf8 } from 'node:buffer'

export interface DecodedText {
  text: string
  /** A sentence for the report, if it is not plain UTF-8. */
  note?: string
}

/**
 * @returns undefined for bytes that are no text: with NUL, or neither UTF-8 nor without other control characters. A byte
 *   order mark is not part of the text.
 */
export function readText(bytes: Uint8Array): DecodedText | undefined {
  const decoded = decodeBytes(bytes)
  const isText = !decoded.text.includes('\0') && (isUtf8(bytes) || !CONTROLS.test(decoded.text))
  return isText ? decoded : undefined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what no text has
const CONTROLS = /[\0-\x06\x0E-\x1A\x1C-\x1F]/

/** The same for bytes that are taken to be text, whatever is in them. */
export function decodeBytes(bytes: Uint8Array): DecodedText {
  const wide = wideEncoding(bytes)
  if (wide !== undefined) return { text: new TextDecoder(wide).decode(bytes), note: readAs(wide) }
  const text = new TextDecoder().decode(bytes)
  if (isUtf8(bytes)) return { text }
  const broken = text.match(/\uFFFD/g)?.length ?? 0
  const whole = text.match(/[\u0080-\uFFFC]/g)?.length ?? 0
  if (whole >= BROKEN_RATIO * broken) return { text, note: brokenUtf8(text, broken) }
  const { encoding, text: guessed } = detectEncoding(bytes)
  return { text: guessed, note: readAs(encoding) }
}

/** A text with this many characters for each broken one is UTF-8 that was damaged. */
const BROKEN_RATIO = 4

const readAs = (encoding: string): string => `It was read as ${NAMES.get(encoding) ?? encoding}, since it is not UTF-8.`

function brokenUtf8(text: string, broken: number): string {
  const line = text.slice(0, text.indexOf('\uFFFD')).split('\n').length
  const bytes = broken === 1 ? 'a byte' : `bytes in ${broken} places`
  return `It has ${bytes} that no UTF-8 has, first in line ${line}: U+FFFD stands there.`
}

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ 'utf-16le': 'UTF-16 (little endian)', 'utf-16be': 'UTF-16 (big endian)' },
    ...{ 'windows-1252': 'Windows-1252', 'windows-1251': 'Windows-1251', shift_jis: 'Shift_JIS' },
    ...{ 'euc-jp': 'EUC-JP', gbk: 'GBK', 'euc-kr': 'EUC-KR', cp437: 'CP437' },
  }),
)

export const nameOfEncoding = (encoding: string): string => NAMES.get(encoding) ?? encoding

/** Bytes that are looked at to find out whether a text without a mark is UTF-16. */
const WIDE_SAMPLE = 1024

/** UTF-16 by its mark, or by the zeros that every other byte of Latin text is. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const sample = bytes.subarray(0, WIDE_SAMPLE)
  if (bytes.length % 2 !== 0 || sample.length < 4) return undefined
  const zeros = [0, 0]
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const most = sample.length / 2
  if (even === 0 && odd > 0.7 * most) return 'utf-16le'
  return odd === 0 && even > 0.7 * most ? 'utf-16be' : undefined
}

/** An average below this is no guess. */
const LEAST_SCORE = 0.5
/** Bytes from which an encoding is guessed. */
const SAMPLE = 64 * 1024

/**
 * Guesses the encoding of bytes that are not UTF-8: the one in which most characters are those that texts consist of.
 * Windows-1252, which reads all bytes, is the last resort.
 */
export function detectEncoding(bytes: Uint8Array): { encoding: string; text: string } {
  for (const { encoding } of rankEncodings(bytes)) {
    const text = tryDecode(encoding, bytes, false)
    if (text !== undefined) return { encoding, text }
  }
  return { encoding: 'windows-1252', text: new TextDecoder('windows-1252').decode(bytes) }
}

/**
 * The encoding of names in a zip: programs of DOS and Windows wrote CP437, others their own.
 *
 * @param cp437  the names decoded as CP437, which Node does not know
 */
export function detectNames(bytes: Uint8Array, cp437: string): string {
  const [best] = rankEncodings(bytes)
  return best === undefined || averageOf(cp437, weighLatin) >= best.score ? 'cp437' : best.encoding
}

function rankEncodings(bytes: Uint8Array): { encoding: string; score: number }[] {
  const ranked = GUESSES.flatMap(({ encoding, weigh }) => {
    const sample = tryDecode(encoding, bytes.subarray(0, SAMPLE), bytes.length > SAMPLE)
    const score = sample === undefined ? 0 : averageOf(sample, weigh)
    return score > LEAST_SCORE ? [{ encoding, score }] : []
  })
  return ranked.sort((one, other) => other.score - one.score)
}

function tryDecode(encoding: string, bytes: Uint8Array, isPart: boolean): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isPart })
  } catch {
    return undefined
  }
}

/** How likely a character is, from -2 to 2, between the two around it. */
type Weigh = (character: string, before: string, after: string) => number

/** The average of all characters beyond ASCII. */
function averageOf(text: string, weigh: Weigh): number {
  let [sum, count] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character <= '\x7F') continue
    count++
    sum += weigh(character, text.charAt(at - 1), text.charAt(at + 1))
  }
  return count === 0 ? 0 : sum / count
}

/** The characters of an encoding with two bytes whose first byte is in a range: those that are used most. */
function rowsOf(encoding: string, first: number, last: number): () => ReadonlySet<string> {
  let found: ReadonlySet<string> | undefined
  return () => {
    const pairs: number[] = []
    for (let lead = first; lead <= last; lead++) {
      for (let trail = encoding === 'shift_jis' ? 0x80 : 0xa1; trail <= 0xfc; trail++) pairs.push(lead, trail)
    }
    found ??= new Set(new TextDecoder(encoding).decode(Uint8Array.from(pairs)))
    return found
  }
}

const USUAL_HANZI = rowsOf('gbk', 0xb0, 0xd7)
const USUAL_KANJI = rowsOf('euc-jp', 0xb0, 0xcf)
const USUAL_HANGUL = rowsOf('euc-kr', 0xb0, 0xc8)
const OFTEN_HANZI = new Set(
  '的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坐集编宝谈府拉黑且随格尽剑讲布杀微怕母调局根曾准团段终乐切级克精哪官示冲竟乎男举客证苦照注购清项测试标记笔清单',
)
const OFTEN_HANGUL = new Set(
  '이다는을의에가고하지은한로도를서기사어들과리나으해자있인그대시일아정보라수전만부적제것면게장구상연여여스니위유비원주성화동공우신소선경안내문했생발실방분관중조계습마없요체미진모금말통학간할된교용물단오국히야때러식될회결데까년명업록음네모운행산영재무와오세트프젝획목표심날씨좋쇼핑달걀녕',
)

const isKana = (character: string): boolean => character >= '\u3041' && character <= '\u30FE'
const isMark = (character: string): boolean => /[、。「」・，．：；？！“”‘’（）《》—…]/u.test(character)
const isCyrillic = (character: string): boolean => /[\u0400-\u04FF]/.test(character)
const isLatin = (character: string): boolean => /[a-z]/i.test(character)

function weighJapanese(character: string): number {
  if (isKana(character)) return 2
  if (isMark(character)) return 1
  // Katakana of half width.
  if (character >= '\uFF61' && character <= '\uFF9F') return -0.5
  return USUAL_KANJI().has(character) ? 1 : -1
}

function weighLatin(character: string, before: string, after: string): number {
  const isLetter = /[ßà-öø-ÿÀ-ÖØ-ÝŒœŠšŽž]/u.test(character)
  if (isLetter && (isLatin(before) || isLatin(after))) return 1.9
  if (isLetter) return before > '\x7F' || after > '\x7F' ? -1 : 0.5
  return /[“”‘’–—…•€£§©®°«»¿¡ªº·]/u.test(character) && before <= '\x7F' && after <= '\x7F' ? 1.2 : -1
}

const GUESSES: readonly { encoding: string; weigh: Weigh }[] = [
  {
    encoding: 'windows-1252',
    weigh: weighLatin,
  },
  {
    encoding: 'windows-1251',
    weigh: (character, before, after) => {
      const isWord = isCyrillic(character) && (isCyrillic(before) || isCyrillic(after))
      if (!isWord || isLatin(before) || isLatin(after)) return -1
      if (/[оеаинтсрвлкмдпуя]/u.test(character)) return 1.8
      return /[а-яёіїєґ]/u.test(character) ? 0.8 : 0.4
    },
  },
  { encoding: 'shift_jis', weigh: weighJapanese },
  { encoding: 'euc-jp', weigh: weighJapanese },
  {
    encoding: 'gbk',
    weigh: (character) => {
      if (OFTEN_HANZI.has(character)) return 2
      return isMark(character) ? 1.5 : USUAL_HANZI().has(character) ? 1 : -0.5
    },
  },
  {
    encoding: 'euc-kr',
    weigh: (character) => (OFTEN_HANGUL.has(character) ? 2 : USUAL_HANGUL().has(character) ? 0.9 : -1),
  },
]
