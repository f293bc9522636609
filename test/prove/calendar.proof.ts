/** Compares days of every time zone with an independent oracle, as computed by the functions and by the tools. */
import { dateAt } from '../../src/space/model/dates.ts'
import { nextRepeatDate } from '../../src/space/schedule/repeats.ts'
import { Days, OURS, type Reckoning } from './calendar/days.ts'
import { type NextDate, repeatsByContract } from './calendar/repeats.ts'
import { checkTools } from './calendar/tools.ts'
import { DAY, Zone } from './calendar/zone.ts'
import { chance, type Proof, type ProofContext, times } from './proof.ts'

/** Three years with a leap year, to the day. */
const FIRST = Date.UTC(2024, 0, 1) / DAY
const LAST = Date.UTC(2026, 11, 31) / DAY

/** In the short form, the tools are called for one in this many zones. */
const SHARE = 4

/** Cases that the three years do not contain: days that were skipped, and clocks put back over midnight. */
const PAST = [
  ['Pacific/Apia', '2011-12-30T10:00Z'],
  ['Pacific/Kwajalein', '1993-08-21T12:00Z'],
  ['America/Toronto', '2005-10-30T06:00Z'],
  ['America/St_Johns', '2010-11-07T02:31Z'],
  ['America/Sao_Paulo', '2018-11-04T03:00Z'],
  ['Asia/Pyongyang', '2018-05-04T15:00Z'],
] as const

const names = Intl.supportedValuesOf('timeZone')
const zoneOf = (name: string) => new Zone(name, (FIRST - 3) * DAY, (LAST + 3) * DAY)

async function run(context: ProofContext) {
  const random = chance(context.seed)
  const isWhole = context.length === 'long'
  const days = new Days(OURS, random)
  const faults: string[] = []
  let calls = 0
  for (const [index, name] of names.entries()) {
    const zone = zoneOf(name)
    days.compare(zone, FIRST, LAST, isWhole)
    const changes = zone.transitions.map((transition) => zone.dayAt(transition))
    const tested = isWhole ? [...changes, anyDay(random)] : [changes[index % 5] ?? anyDay(random)]
    for (const day of isWhole || index % SHARE === context.seed % SHARE ? tested : []) {
      const response = await checkTools(zone, day, name)
      calls += response.calls
      faults.push(...response.faults)
    }
    if (index % 100 === 99) context.log(`${index + 1} of ${names.length} zones`)
  }
  for (const [name, at] of PAST) {
    const moment = Date.parse(at)
    const zone = new Zone(name, moment - 400 * DAY, moment + 30 * DAY)
    for (const transition of zone.transitions) days.compareAround(zone, transition)
  }
  const rules = times(context, 3_000, 300_000)
  const wrongRule = repeatsByContract(rules, context.seed)
  const { moments, transitions, bounds } = days
  return {
    figures: {
      zones: names.length,
      days: days.days,
      moments,
      transitions,
      'bounds of days': bounds,
      'calls of tools': calls,
      'rules of repeats': rules,
    },
    faults: [...days.faults, ...faults, ...(wrongRule === undefined ? [] : [wrongRule])],
  }
}

const anyDay = (random: () => number) => FIRST + Math.floor(random() * (LAST - FIRST))

/** Wrong ways to compute dates. Each replaces the product's own. */
const PLANTED: Record<string, Partial<Reckoning>> = {
  'days of UTC': { resolve: (word, { now }) => OURS.resolve(word, { now, timezone: 'UTC' }) },
  'days of 24 hours, in words': {
    resolve: (word, { now, timezone }) => dateAt(now + ({ yesterday: -DAY, tomorrow: DAY }[word] ?? 0), { timezone }),
  },
  'days of 24 hours, in bounds': {
    bounds: (date, calendar) => {
      const { from } = OURS.bounds(date, calendar)
      return { from, to: from + DAY - 1 }
    },
  },
}

/** A wrong calendar without leap days: the day after 28 February is 1 March. */
const leapless: NextDate = (...input) => nextRepeatDate(...input).replace('-02-29', '-03-01')

/** For each planted fault, a twentieth of the zones is enough. */
async function control({ seed, log }: ProofContext) {
  const some = names.filter((_, index) => index % 20 === 0).map(zoneOf)
  const found: string[] = []
  for (const [fault, wrong] of Object.entries(PLANTED)) {
    const days = new Days({ ...OURS, ...wrong }, chance(seed))
    for (const zone of some) days.compare(zone, FIRST, FIRST + 365, false)
    found.push(...days.faults.slice(0, 1).map((sentence) => `${fault}: ${sentence}`))
  }
  const { faults } = await checkTools(zoneOf('Pacific/Auckland'), FIRST + 100, 'UTC')
  found.push(...faults.slice(0, 1).map((sentence) => `days of UTC, by the tools: ${sentence}`))
  const wrongRule = repeatsByContract(3_000, seed, leapless)
  if (wrongRule !== undefined) found.push(`years without leap days: ${wrongRule}`)
  const planted = Object.keys(PLANTED).length + 2
  for (const fault of found) log(`found ${fault}`)
  return { figures: { planted, found: found.length }, faults: found.length === planted ? found : [] }
}

export const proof: Proof = {
  promise: 'Today, tomorrow and yesterday are those of the calendar of the space, whatever its zone does.',
  run,
  control,
}
