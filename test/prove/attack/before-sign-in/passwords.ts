/** Password guessing: how many guesses the server accepts, from which addresses, and whom that locks out. */
import Sqlite from 'better-sqlite3'
import type { PlainHost } from '../../../auth/issuer/plain-host.ts'
import type { Attack } from '../attack.ts'
import { type AttackedServer, OWNER } from '../server.ts'
import { program, Visitor } from '../sign-in.ts'
import type { World } from '../world.ts'

/** Wrong passwords that the server checks from one address, and a number greater than its limit for one name. */
const LIMIT = 10
const MANY = 24
/** Attempts beyond the limit. */
const MORE = 3

/** Public addresses, as a proxy on this machine forwards them. */
const HOME = '81.2.69.142'
const ELSEWHERE = '81.2.69.160'
const FURTHER = '67.43.156.200'
const ATTACKER = '89.160.20.112'
const network = (index: number): string => `2a02:ff0:1:1::${(index + 1).toString(16)}`
/** A forged header: the client writes the first address itself, and its real one is in the proxy's network. */
const forged = (index: number): string => `175.16.199.${index + 1}, 10.0.0.9`

const signsIn = async (host: PlainHost, from: string): Promise<boolean> =>
  (await (await Visitor.open(host, from)).try(OWNER.name, OWNER.password)) === 200

/** Tries a wrong password from each address in turn. @returns how many the server checked instead of refusing them */
async function taken(host: PlainHost, name: string, addresses: readonly string[]): Promise<number> {
  let sum = 0
  for (const address of addresses) {
    const visitor = await Visitor.open(host, address)
    if ((await visitor.try(name, 'a wrong password')) === 401) sum++
  }
  return sum
}

/**
 * Like `taken`, after one address has used up its attempts. One attempt is real and the rest are simulated, since each
 * takes half a second.
 */
async function takenBeyond(server: AttackedServer, host: PlainHost, name: string, addresses: readonly string[]) {
  const [first = '', ...others] = addresses
  await taken(host, name, [first])
  asIfTried(server, LIMIT)
  return taken(host, name, others)
}

/** Sets all counters of attempts to this number. */
function asIfTried({ file }: AttackedServer, count: number): void {
  const kept = new Sqlite(`${file}.sign-in`, { timeout: 5_000 })
  const { changes } = kept.prepare('UPDATE counted SET count = ? WHERE count > 0').run(count)
  kept.close()
  if (changes === 0) throw new Error('Expected wrong passwords to be counted, found none.')
}

/** The results of the guesses, by the way they were tried. */
interface Outcomes {
  shutOut: string[]
  shutOutAtHome: string[]
  network: string[]
  forged: string[]
}

/** Computed once and shared by all attacks that need it. */
const outcomes = new WeakMap<World, Promise<Outcomes>>()

function outcomesIn(world: World): Promise<Outcomes> {
  const found = outcomes.get(world) ?? tryPasswords(world)
  outcomes.set(world, found)
  return found
}

async function tryPasswords(world: World): Promise<Outcomes> {
  const server = await world.serve({ flags: ['--oauth', '--trust-proxy'] })
  const host = await program(server)
  const outcome: Outcomes = { shutOut: [], shutOutAtHome: [], network: [], forged: [] }
  if (!(await signsIn(host, HOME))) throw new Error('Expected the owner to sign in.')
  await takenBeyond(server, host, OWNER.name, Array<string>(MANY - LIMIT).fill(ATTACKER))
  if (!(await signsIn(host, ELSEWHERE))) {
    outcome.shutOut.push(`${MANY} wrong passwords of one address shut the participant out everywhere`)
  }
  const ofNetwork = await takenBeyond(server, host, 'Nobody', several(network))
  if (ofNetwork > 0) outcome.network.push(`${ofNetwork} wrong passwords of one IPv6 network were taken beyond ${LIMIT}`)
  const ofForged = await takenBeyond(server, host, 'Somebody', several(forged))
  if (ofForged > 0)
    outcome.forged.push(`${ofForged} wrong passwords behind forged addresses were taken beyond ${LIMIT}`)
  asIfTried(server, 10 * LIMIT)
  if (await signsIn(host, FURTHER)) throw new Error('Expected a name that was tried too often, found that it signs in.')
  if (!(await signsIn(host, HOME))) {
    outcome.shutOutAtHome.push('wrong passwords of others shut the participant out where they had signed in before')
  }
  await server.close()
  return outcome
}

const several = (addressOf: (index: number) => string): string[] =>
  Array.from({ length: MORE + 1 }, (_, index) => addressOf(index))

const guessing = (finding: number, name: string, part: keyof Outcomes): Attack => ({
  finding,
  name,
  attempt: async (world) => (await outcomesIn(world))[part],
})

export const guesses: readonly Attack[] = [
  guessing(5, 'wrong passwords of one address, to shut a participant out everywhere', 'shutOut'),
  guessing(5, 'wrong passwords, to shut a participant out where they signed in before', 'shutOutAtHome'),
  guessing(6, 'wrong passwords from all addresses of one network', 'network'),
  guessing(6, 'wrong passwords behind forged addresses', 'forged'),
]

/** Concurrent attempts, more than the server's queue accepts. */
const CROWD = 60

export const queue: Attack = {
  finding: 6,
  name: 'passwords at once, each of which takes memory and time',
  async attempt(world) {
    const server = await world.serve({ flags: ['--oauth', '--trust-proxy'] })
    const host = await program(server)
    const visitors = await Promise.all(
      Array.from({ length: CROWD }, (_, index) => Visitor.open(host, `67.43.156.${index + 1}`)),
    )
    let isRefused = false
    const tries = visitors.map(async (visitor, index) => {
      const { status, headers } = await visitor.send({ name: `Nobody ${index}`, password: 'a wrong password' })
      if (status === 503 && headers.has('retry-after')) isRefused = true
      return status
    })
    // All requests have arrived before the first password has been checked.
    const first = await Promise.any(tries.map(async (trying) => ((await trying) === 401 ? true : Promise.reject())))
    await server.close('SIGKILL')
    await Promise.allSettled(tries)
    return first && !isRefused ? [`none of ${CROWD} passwords at once was refused`] : []
  },
}
