/** Reach: of what lies outside of a connection's reach it learns nothing, by no call and over no transport. */
import { join } from 'node:path'
import { Space } from '../../src/space/space.ts'
import { blockById } from '../../storage/blocks.ts'
import { type Proof, type Shown, type Strain, times } from './proof.ts'
import { matrix } from './reach/matrix.ts'
import { twins } from './reach/twins.ts'

export const proof: Proof = {
  promise:
    'What is out of reach is answered as what never was, and spaces that differ in it alone are not told apart by any call.',
  async run(strain) {
    const tried = await tryMatrix(strain)
    const told = await tellTwins(strain, times(strain, 4, 400), times(strain, 100, 300))
    return { figures: { ...tried.figures, ...told.figures }, faults: [...tried.faults, ...told.faults] }
  },
  async control(strain) {
    return withoutOneCheck(async () => {
      const tried = await tryMatrix(strain, 1)
      const told = await tellTwins(strain, 3, 100)
      const figures = { 'faults of the matrix': tried.faults.length, 'faults of the twins': told.faults.length }
      // Each of the two has to find it by itself.
      const isFound = tried.faults.length > 0 && told.faults.length > 0
      return { figures, faults: isFound ? [...tried.faults, ...told.faults] : [] }
    })
  },
}

const NARROW = ['selected', 'daily'] as const

/** @param most  faults of a kind after which it is enough */
async function tryMatrix({ folder, length, say }: Strain, most = Infinity): Promise<Shown> {
  const isLong = length === 'long'
  const faults: string[] = []
  let [places, calls] = [0, 0]
  for (const kind of most < Infinity ? NARROW : (['full', ...NARROW] as const)) {
    const found = await matrix(join(folder, kind), kind, { isLong, most })
    say(`${kind}: ${found.arguments} arguments, ${found.calls} calls`)
    places += found.arguments
    calls += found.calls
    faults.push(...found.faults)
  }
  return { figures: { arguments: places, 'calls of the matrix': calls, differences: faults.length }, faults }
}

async function tellTwins({ seed, say }: Strain, pairs: number, calls: number): Promise<Shown> {
  const faults: string[] = []
  let [sent, refused] = [0, 0]
  for (let pair = 0; pair < pairs; pair++) {
    for (const kind of NARROW) {
      const found = await twins({ kind, seed: seed * 100_000 + pair, calls })
      sent += found.calls
      refused += found.refused
      faults.push(...found.faults)
    }
    if (pair % 20 === 19) say(`${pair + 1} of ${pairs} pairs of each kind`)
  }
  const figures = { pairs: pairs * NARROW.length, 'calls to twins': sent, refused, 'told apart': faults.length }
  return { figures, faults }
}

/** Blocks are handed out by their ID wherever they stand. */
async function withoutOneCheck<T>(work: () => Promise<T>): Promise<T> {
  const { block } = Space.prototype
  Space.prototype.block = async function (this: Space, id: string) {
    return (await blockById(this.tx, id)) ?? block.call(this, id)
  }
  try {
    return await work()
  } finally {
    Space.prototype.block = block
  }
}
