/**
 * The spaces of the growth bench look as if the program itself had created them, and every tool can be called on them.
 */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diagnoseSpace } from '../../src/cli/doctor/findings.ts'
import { openSpace } from '../../src/space/open-space.ts'
import { folder } from '../program.ts'
import { EXPOSED, growthCalls, ROUNDS } from './growth-calls.ts'
import { makeGrowthSpace } from './growth-space.ts'
import { callerOf } from './workbench.ts'

/** With fewer blocks there are not enough documents for all rounds. */
const BLOCKS = 3_400

test('every tool has a call that works in the smallest space', async () => {
  const file = join(folder(), 'space.sqlite')
  const made = await makeGrowthSpace(file, BLOCKS)
  const faults = (await diagnoseSpace(file)).filter(({ fault }) => fault !== undefined)
  expect(faults).toEqual([])
  const space = await openSpace(file)
  const links = {
    full: await space.createAccessLink('full', [], 'bench'),
    selected: await space.createAccessLink('selected', made.documents.slice(0, EXPOSED), 'bench'),
    daily: await space.createAccessLink('daily', [], 'bench'),
  }
  for (const { tool, kind = 'full', args } of growthCalls(made)) {
    await callerOf(space, links[kind])(tool, args(ROUNDS - 1))
  }
  await space.close()
})
