/**
 * Random patterns and texts, built from constructs with the same meaning in RE2 and in JavaScript with the flag `u`.
 */
import fc from 'fast-check'

/**
 * Characters in both patterns and texts, so that there are matches: letters in both cases, word characters, spaces,
 * line breaks, two astral characters.
 */
const CHARACTERS = ['a', 'b', 'A', '1', '_', ' ', '-', '\n', 'é', '😀', '🎉'] as const

const CLASSES = [
  '[ab]',
  '[^a]',
  '[a-f😀]',
  '[^\\n🎉]',
  '\\d',
  '\\w',
  '\\W',
  '\\pL',
  '[\\d\\-]',
  '[[:alpha:]]',
  '[[:^space:]]',
]
/** The JavaScript syntax of constructs that it writes differently. */
const IN_JAVASCRIPT: Readonly<Record<string, string>> = {
  '\\pL': '\\p{L}',
  '[[:alpha:]]': '[a-zA-Z]',
  '[[:^space:]]': '[^\\t-\\r ]',
  // JavaScript's . does not match carriage returns and separators, which do not occur in these texts.
  '\\z': '$',
  '\\A': '^',
}

/** A pattern in both syntaxes, whether it can match nothing, and how many characters it matches. */
export interface Written {
  re2: string
  javascript: string
  empty: boolean
  width: number | undefined
}

export interface Kinds {
  lookarounds: boolean
  /** Repetitions of something that can match nothing, which each engine treats differently. */
  emptyRepetitions: boolean
}

const atom = (source: string, width: number | undefined): Written => ({
  re2: source,
  javascript: IN_JAVASCRIPT[source] ?? source,
  empty: width === 0,
  width,
})

const joined = (parts: readonly Written[], between: string): Written => ({
  re2: parts.map(({ re2 }) => re2).join(between),
  javascript: parts.map(({ javascript }) => javascript).join(between),
  empty: between === '' ? parts.every(({ empty }) => empty) : parts.some(({ empty }) => empty),
  width: between === '' ? sum(parts) : alike(parts),
})

const sum = (parts: readonly Written[]): number | undefined =>
  parts.reduce<number | undefined>(
    (total, { width }) => (total === undefined || width === undefined ? undefined : total + width),
    0,
  )

const alike = (parts: readonly Written[]): number | undefined =>
  parts.every(({ width }) => width === parts[0]?.width) ? parts[0]?.width : undefined

const wrapped = (before: string, inner: Written, after: string): Written => ({
  ...inner,
  re2: before + inner.re2 + after,
  javascript: before + inner.javascript + after,
})

export function patterns({ lookarounds, emptyRepetitions }: Kinds): fc.Arbitrary<Written> {
  const character = fc.constantFrom(...CHARACTERS).map((text) => atom(text, 1))
  const assertion = fc.constantFrom('^', '$', '\\b', '\\B', '\\A', '\\z').map((text) => atom(text, 0))
  const leaf = fc.oneof(
    { weight: 5, arbitrary: character },
    { weight: 3, arbitrary: fc.constantFrom(...CLASSES, '.').map((text) => atom(text, 1)) },
    { weight: 1, arbitrary: assertion },
  )
  return fc.letrec<{ choice: Written; sequence: Written; piece: Written }>((tie) => {
    const choice = fc.array(tie('sequence'), { minLength: 1, maxLength: 3, size: 'small' })
    const sequence = fc.array(tie('piece'), { minLength: 0, maxLength: 4, size: 'small' })
    const group = tie('choice').chain((inner) =>
      fc.constantFrom('(?:', '(').map((opening) => wrapped(opening, inner, ')')),
    )
    const lookaround = tie('choice').chain((inner) =>
      fc
        .constantFrom('(?=', '(?!', ...(inner.width === undefined ? [] : ['(?<=', '(?<!']))
        .map((opening) => ({ ...wrapped(opening, inner, ')'), empty: true, width: 0 })),
    )
    const repetition = fc
      .tuple(
        fc.oneof({ weight: 2, arbitrary: leaf }, group),
        fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{1,}'),
        fc.boolean(),
      )
      .filter(([{ empty }]) => emptyRepetitions || !empty)
      .map(([item, counts, lazy]) => {
        const skips = counts === '*' || counts === '?' || counts === '{0,2}'
        const width = counts === '{2}' && item.width !== undefined ? item.width * 2 : undefined
        return { ...wrapped('', item, counts + (lazy ? '?' : '')), width, empty: skips || item.empty }
      })
    const weighted = [
      { weight: 5, arbitrary: leaf },
      { weight: 2, arbitrary: repetition },
      { weight: 2, arbitrary: group },
      ...(lookarounds ? [{ weight: 2, arbitrary: lookaround }] : []),
    ]
    return {
      choice: choice.map((parts) => joined(parts, '|')),
      sequence: sequence.map((parts) => joined(parts, '')),
      piece: fc.oneof({ depthSize: 'small', withCrossShrink: true }, ...weighted),
    }
  }).choice
}

const textsOf = (characters: readonly string[]) =>
  fc.array(fc.constantFrom(...characters), { maxLength: 12, size: 'max' }).map((chosen) => chosen.join(''))

export const texts = textsOf(CHARACTERS)

/** Texts with lone surrogates, which sometimes form a pair by chance. */
export const halvedTexts = textsOf(['a', 'b', ' ', '\n', '😀', '\ud83d', '\ude00'])
