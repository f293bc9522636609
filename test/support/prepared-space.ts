/** A space that is filled once, and of which each test gets a copy: a tenth of the work of the calls that fill it. */
import { writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import type { OpenSpace } from '../../src/space/open-space.ts'
import {
  type BuildOptions,
  type BuiltSpace,
  buildSpace,
  type Counter,
  type Counts,
  counter,
  emptyDatabase,
  TEST_DATABASE,
} from '../build.ts'
import { connectionOf, rowsOf } from '../sqlite.ts'

/** What draws the IDs of a space, and tells how many it drew, so that a copy draws others. */
type Drawing = Pick<Counter, 'generateIds' | 'generateCallId' | 'counts'>

interface Prepared<Made> {
  bytes: Buffer
  files: readonly Buffer[]
  now: number
  drawn: Counts
  made: Made
}

type Copy<Made, Drawn> = BuiltSpace & { drawn: Drawn; made: Made }

/**
 * Returns a function that opens a copy of the space, in memory unless it is given the path of a file. The first call
 * fills the space. In a database every call does, since a database has no copies.
 *
 * @param fill  returns what is the same in every copy, such as IDs and links; its connections end with the test
 * @param draw  continues after the IDs that were drawn
 */
export function preparedSpace<Made, Drawn extends Drawing = Counter>(
  fill: (built: BuiltSpace & { drawn: Drawn }) => Promise<Made>,
  draw: (drawn?: Counts) => Drawn = counter as (drawn?: Counts) => never,
): (file?: string) => Promise<Copy<Made, Drawn>> {
  let preparing: Promise<Prepared<Made>> | undefined
  const filled = async (file?: string, options: BuildOptions = {}): Promise<Copy<Made, Drawn>> => {
    const drawn = draw()
    const built = { ...(await buildSpace(file, { ...drawn, ...options })), drawn }
    return { ...built, made: await fill(built) }
  }
  const prepare = async (): Promise<Prepared<Made>> => {
    // The bytes of a database that others share have nothing that was written.
    const { space, clock, drawn, made } = await filled(undefined, { database: emptyDatabase() })
    return { ...(await bytesOf(space)), now: clock.now, drawn: drawn.counts(), made }
  }
  return async (file) => {
    if (TEST_DATABASE !== undefined) return filled(file)
    preparing ??= prepare()
    const { bytes, files, now, made, ...prepared } = await preparing
    const drawn = draw(prepared.drawn)
    if (file !== undefined) writeFileSync(file, bytes)
    const built = await buildSpace(file, { ...drawn, ...(file === undefined && { copyOf: bytes }) })
    built.clock.now = now
    for (const content of files) {
      const written = await built.space.files.write(Readable.from([content]), content.length)
      await built.space.write(OPERATOR_LINK, ({ tx }) => built.space.files.commit(written, tx))
    }
    return { ...built, drawn, made }
  }
}

const bytesOf = (space: OpenSpace): Promise<{ bytes: Buffer; files: Buffer[] }> =>
  space.read(OPERATOR_LINK, async ({ tx }) => {
    const rows = await rowsOf<{ hash: string; size: number }>(tx, 'SELECT DISTINCT hash, size FROM file')
    const files = await Promise.all(rows.map(({ hash, size }) => space.files.readAll(hash, tx, size)))
    return { bytes: connectionOf(tx).sqlite.serialize(), files }
  })
