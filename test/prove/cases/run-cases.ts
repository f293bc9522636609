/** Runs the cases, each in a space of its own. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runExport } from '../../../src/export/run-export.ts'
import { findFormat } from '../../../src/import/import-formats.ts'
import { openSource } from '../../../src/import/open-source.ts'
import { runImport } from '../../../src/import/run-import.ts'
import { leaveOutSpaces } from '../../../src/import/spaces/leave-out-spaces.ts'
import { openSpace } from '../../../src/space/open-space.ts'
import { addDocument, openWorkbench } from '../../bench/workbench.ts'
import { type Case, type CaseTools, faultIn } from './case.ts'
import type { ImportCase } from './import-cases.ts'

/** @returns what is wrong, by name */
export async function failedCases(
  tools: readonly Case[],
  imports: readonly ImportCase[],
  folder: string,
): Promise<Map<string, string>> {
  const failed = new Map<string, string>()
  for (const each of tools) {
    const fault = await runToolCase(each)
    if (fault !== undefined) failed.set(each.name, fault)
  }
  for (const [index, each] of imports.entries()) {
    const fault = await runImportCase(each, join(folder, String(index)))
    if (fault !== undefined) failed.set(each.name, fault)
  }
  return failed
}

async function runToolCase({ run }: Case): Promise<string | undefined> {
  const bench = await openWorkbench(':memory:', 'full', { timezone: 'Europe/Berlin' })
  const { call } = bench
  const read: CaseTools['read'] = async (id) => {
    const whole = await call<string>('blocks_get', { id, format: 'markdown' })
    return /<content>\n([\s\S]*)\n<\/content>/.exec(whole)?.[1] ?? ''
  }
  const add: CaseTools['add'] = async (markdown) => {
    const pageId = await addDocument(bench, 'Case')
    await call('blocks_add', { markdown, position: { position: 'end', pageId } })
    return pageId
  }
  try {
    return await run({ call, add, read, written: async (markdown) => read(await add(markdown)) })
  } catch (error) {
    return `Expected an answer, found ${error}.`
  } finally {
    await bench.close()
  }
}

async function runImportCase(
  { files, has = [], lacks = [], reportHas = [] }: ImportCase,
  folder: string,
): Promise<string | undefined> {
  const [input, output] = [join(folder, 'in'), join(folder, 'out')]
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(input, path)), { recursive: true })
    writeFileSync(join(input, path), content)
  }
  const space = await openSpace(':memory:', { name: 'Cases', timezone: 'Europe/Berlin' })
  try {
    const source = await leaveOutSpaces(await openSource(input, ':memory:'))
    const report = await runImport(space, source, { format: await findFormat(source), into: null, isDryRun: false })
    await source.close()
    await runExport(space, output, { format: 'obsidian', documents: [], now: 0 })
    const messages = report.problems.map(({ path, kind, message }) => `${path}:${kind}:${message}`).join('\n')
    return faultIn(textsIn(output), { has, lacks }) ?? faultIn(messages, { has: reportHas })
  } catch (error) {
    return `Expected a report, found ${error}.`
  } finally {
    await space.close()
  }
}

/** The texts of an export, without their front matter. */
function textsIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .sort()
  return files.map((file) => readFileSync(join(folder, file), 'utf8').replace(/^---\n[\s\S]*?\n---\n/, '')).join('\n\n')
}
