/** Skills: how to work well in any space, and a skill for each prompt, which agents find by themselves. */
import { readFile } from 'node:fs/promises'
import type { Prompt, Skill } from '../src/endpoint.ts'
import { prompts } from './prompts.ts'

/** From here and from the built package alike, the folder is beside the one that this file is in. */
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
    // A text in JSON is one in YAML.
    markdown: async () =>
      `---\nname: ${name}\ndescription: ${JSON.stringify(about)}\nlicense: MIT\n---\n\n# ${title}\n\n${steps}\n`,
  }
}

export const skills: readonly Skill[] = [workingInASpace, ...prompts.map(skillOf)]
