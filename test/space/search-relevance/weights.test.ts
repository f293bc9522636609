/** Each weight of the ranking decides the order of two documents: doubling or halving it swaps them. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { RANKING_WEIGHTS } from '../../../src/space/search/ranking-weights.ts'
import { NOW } from '../../build.ts'
import { type Connected, connect } from '../../connect.ts'

type Weight = keyof typeof RANKING_WEIGHTS

interface Rivals {
  include: string
  /** The title and text of each document, and the days since its last change. */
  first: [title: string, markdown: string, daysOld?: number]
  second: [title: string, markdown: string, daysOld?: number]
  /** True if the words are at the beginning of the documents. Otherwise two other paragraphs are before them. */
  isBeginning?: boolean
}

const lines = (count: number, line: string): string => Array(count).fill(line).join('\n\n')
const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')

const OTHERS = 'word\n\nword\n\n'

/** The pairs whose order changes when the weight is doubled, and when it is halved. */
const RIVALS: Record<Weight, { doubled: Rivals; halved: Rivals }> = {
  spread: {
    doubled: { include: 'otter', first: ['x', 'red red otter otter'], second: ['red', lines(3, 'red otter')] },
    halved: { include: 'otter otter red', first: ['x', lines(5, 'red otter')], second: ['red', 'otter otter otter'] },
  },
  title: {
    doubled: { include: 'red otter', first: ['x', lines(5, 'red otter')], second: ['red', lines(2, 'otter')] },
    halved: { include: 'red-otter otter', first: ['red', lines(2, 'red otter')], second: ['x', lines(5, 'red otter')] },
  },
  fullTitle: {
    doubled: { include: 'red otter', first: ['x', lines(5, 'red otter')], second: ['red', lines(2, 'otter')] },
    halved: { include: 'red-otter otter', first: ['red', lines(2, 'red otter')], second: ['x', lines(5, 'red otter')] },
  },
  repeat: {
    doubled: {
      include: 'red red otter',
      first: ['red', 'otter otter otter otter otter otter'],
      second: ['red', 'otter'],
    },
    halved: { include: 'red red otter', first: ['red', 'red otter'], second: ['otter', lines(5, 'red otter')] },
  },
  part: {
    doubled: { include: 'red-otter otter', first: ['x', lines(3, 'red otter')], second: ['red', 'red otter'] },
    halved: {
      include: 'red-otter otter',
      first: ['red', 'otter otter'],
      second: ['otter', 'otter otter otter otter otter otter'],
    },
  },
  prefix: {
    doubled: { include: 'otte', first: ['the word', 'otte'], second: ['a longer word', 'otter otter'] },
    halved: { include: 'otte', first: ['longer words', lines(4, 'otter otter otter')], second: ['the word', 'otte'] },
  },
  saturation: {
    doubled: { include: 'red-otter', first: ['red', lines(2, 'red otter')], second: ['x', lines(5, 'red otter')] },
    halved: {
      include: 'red red otter',
      first: ['red', 'otter otter otter otter otter otter'],
      second: ['red', 'otter'],
    },
  },
  length: {
    doubled: { include: 'otter', first: ['long', `otter ${words(60)} otter`], second: ['short', 'otter'] },
    halved: { include: 'otter', first: ['short', 'otter'], second: ['long', `otter ${words(100)} otter`] },
  },
  averageLength: {
    doubled: { include: 'otter', first: ['short', 'otter'], second: ['long', `otter ${words(100)} otter`] },
    halved: { include: 'otter', first: ['long', `otter ${words(60)} otter`], second: ['short', 'otter'] },
  },
  asking: {
    doubled: { include: 'list describe otter', first: ['x', 'otter'], second: ['list', lines(9, 'list describe')] },
    halved: { include: 'list otter', first: ['x', 'list otter'], second: ['y', lines(4, 'otter otter otter')] },
  },
  beginning: {
    doubled: {
      include: 'red otter',
      first: ['x', `${OTHERS}red red red otter otter otter`],
      second: ['y', 'red otter'],
      isBeginning: true,
    },
    halved: {
      include: 'red otter',
      first: ['x', 'red otter'],
      second: ['y', `${OTHERS}red red otter otter`],
      isBeginning: true,
    },
  },
  recency: {
    doubled: { include: 'otter', first: ['old', 'otter', 365], second: ['new', `otter ${words(19)}`] },
    halved: { include: 'otter', first: ['new', `otter ${words(9)}`], second: ['old', 'otter', 365] },
  },
  recencyHalfLife: {
    doubled: { include: 'otter', first: ['old', 'otter', 365], second: ['a month old', `otter ${words(6)}`, 30] },
    halved: { include: 'otter', first: ['a month old', `otter ${words(4)}`, 30], second: ['old', 'otter', 365] },
  },
}

/** IDs of both, the expected first one first. */
type Places = readonly string[]

async function connectTo({
  first,
  second,
  isBeginning = false,
}: Rivals): Promise<{ connected: Connected; places: Places }> {
  const connected = await connect()
  const places: string[] = []
  // With equal scores the newer document comes first: the expected second one.
  for (const [title, markdown, daysOld = 0] of [first, second]) {
    connected.clock.now = NOW - daysOld * 86_400_000
    const { items } = await connected.call('documents_add', {
      documents: [{ title, markdown: `${isBeginning ? '' : OTHERS}${markdown}` }],
    })
    places.push(items[0].id)
  }
  connected.clock.now = NOW
  return { connected, places }
}

async function order({ call }: Connected, include: string): Promise<string[]> {
  const { items } = await call('documents_search', { include })
  return items.map(({ documentId }: { documentId: string }) => documentId)
}

function multiply(weight: Weight, factor: number): void {
  const usual = RANKING_WEIGHTS[weight]
  RANKING_WEIGHTS[weight] = usual * factor
  onTestFinished(() => {
    RANKING_WEIGHTS[weight] = usual
  })
}

describe.each(Object.keys(RIVALS) as Weight[])('the weight %s', (weight) => {
  test.each([
    ['doubled', 2],
    ['halved', 0.5],
  ] as const)('changes the order when it is %s', async (change, factor) => {
    const rivals = RIVALS[weight][change]
    const { connected, places } = await connectTo(rivals)
    expect(await order(connected, rivals.include)).toEqual(places)
    multiply(weight, factor)
    expect(await order(connected, rivals.include)).toEqual(places.toReversed())
  })
})
