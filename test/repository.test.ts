/** What the project says of where it lives, and the scripts that its workflows call. */
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import program from '../package.json' with { type: 'json' }
import server from '../server.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '..')
const WORKFLOWS = join(ROOT, '.github/workflows')

test('package.json and server.json name the same repository, which is that of the name on the registry of servers', () => {
  const [, owner, name] = /^io\.github\.([^/]+)\/(.+)$/.exec(program.mcpName) ?? []
  const home = `https://github.com/${owner}/${name}`
  expect(program.repository.url).toBe(`git+${home}.git`)
  expect(program.bugs).toBe(`${home}/issues`)
  expect(server.repository.url).toBe(home)
})

test.each(readdirSync(WORKFLOWS))('%s calls scripts that exist', (file) => {
  const workflow = parse(readFileSync(join(WORKFLOWS, file), 'utf8')) as {
    permissions: object
    jobs: Record<string, { 'timeout-minutes': number; steps: { run?: string }[] }>
  }
  expect(workflow.permissions).toEqual({ contents: 'read' })
  for (const job of Object.values(workflow.jobs)) {
    expect(job['timeout-minutes']).toBeLessThanOrEqual(180)
    const commands = job.steps.flatMap(({ run }) => run ?? [])
    expect(commands.length).toBeGreaterThan(1)
    for (const command of commands) {
      const [, script] = /^npm run ([\w:]+)/.exec(command) ?? []
      if (script !== undefined) expect(Object.keys(program.scripts)).toContain(script)
      const [path] = /\.ci\/\w+/.exec(command) ?? []
      if (path !== undefined) accessSync(join(ROOT, path), constants.X_OK)
    }
  }
})

test('.nvmrc names a Node that the program accepts', () => {
  const least = Number(/\d+/.exec(program.engines.node)?.[0])
  expect(Number(readFileSync(join(ROOT, '.nvmrc'), 'utf8'))).toBeGreaterThanOrEqual(least)
})
