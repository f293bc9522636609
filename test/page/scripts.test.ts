/** Scripts that several chunks share run once in a page. */
import { expect, test } from 'vitest'
import { readScript, SCRIPT_SOURCES, type ScriptName, scriptPath } from '../../src/page/scripts.ts'

const textOf = async (file: string): Promise<string> => Buffer.from((await readScript(file)) ?? []).toString()

test('the name that a page loads leads to the bundle that other chunks import', async () => {
  for (const name of Object.keys(SCRIPT_SOURCES) as ScriptName[]) {
    const path = await scriptPath('', name)
    const [, bundle = ''] = /^import '\.\/([\w-]+\.js)'\n$/.exec(await textOf(path.slice('/page/'.length))) ?? []
    expect(bundle).toMatch(new RegExp(`^${name}-`))
    // What asks to print is no longer than this.
    expect((await textOf(bundle)).length).toBeGreaterThan(40)
    expect(await textOf(bundle)).not.toMatch(/^import '[^']*'\n$/)
  }
})
