/** Skills: a guide to working in any space, and one skill per prompt. Agents find them automatically. */
import { readFile } from 'node:fs/promises'
import type { Prompt, Skill } from '../src/server-catalog.ts'
import { prompts } from './prompts.ts'

/** The folder is next to this file's folder, both here and in the built package. */
const workingInASpace: Skill = {
  name: 'scriptorium',
  title: 'Working in a Scriptorium space',
  tools: ['blocks_get'],
  markdown: () => readFile(new URL('../skills/scriptorium/SKILL.md', import.meta.url), 'utf8'),
}

const skillOf = ({ name: promptName, title, description, whenToUse, tools, steps }: Prompt): Skill => {
  const name = promptName.replaceAll('_', '-')
  const about = `In a Scriptorium space: ${description} ${whenToUse}`
  return {
    name,
    title,
    tools,
    // JSON text is valid YAML.
    markdown: async () =>
      `---\nname: ${name}\ndescription: ${JSON.stringify(about)}\nlicense: MIT\n---\n\n# ${title}\n\n${steps}\n`,
  }
}

export const skills: readonly Skill[] = [workingInASpace, ...prompts.map(skillOf)]
