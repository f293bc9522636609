/** A person writes offline while an agent changes the same blocks. Checks the result, case by case. */
import type { Page } from 'playwright-core'
import {
  type EditingServer,
  expectSoon,
  openBrowser,
  shownBlocks,
  shownVersions,
  texts,
  waitUntilSaved,
} from './editing-server.ts'

type Keyboard = Page['keyboard']

interface Case {
  name: string
  begin: string
  /** What the person does. The caret starts at the end of the block that they click. */
  person: { clicks: string; acts: (keyboard: Keyboard) => Promise<void> }
  /** What the agent does in the meantime. @param idOf  returns the ID of the first block that contains these words */
  agent: (server: EditingServer, idOf: (text: string) => string) => Promise<unknown>
  blocks: string[]
  versions: string[]
  /** What the person does later, beside both versions, and the blocks after that. The versions stay. */
  later?: { clicks: string; acts: (keyboard: Keyboard) => Promise<void>; blocks: string[] }
  /** The button to click, and the blocks after that. */
  choice?: { button: string; blocks: string[] }
}

const type = (text: string) => (keyboard: Keyboard) => keyboard.type(text)
const change =
  (text: string, markdown: string): Case['agent'] =>
  (server, idOf) =>
    server.call('PUT /blocks', { blocks: [{ id: idOf(text), markdown }] })
const remove =
  (text: string): Case['agent'] =>
  (server, idOf) =>
    server.call('DELETE /blocks', { blockIds: [idOf(text)] })
const press =
  (...keys: string[]) =>
  async (keyboard: Keyboard) => {
    for (const key of keys) await keyboard.press(key)
  }

export const CASES: readonly Case[] = [
  {
    name: 'both change the same word',
    begin: 'One\n\nTwo.',
    person: { clicks: 'One', acts: type('Mine') },
    agent: change('One', 'OneTheirs'),
    blocks: ['OneTheirs', 'Two.'],
    versions: ['OneMine'],
    choice: { button: 'Keep mine', blocks: ['OneMine', 'Two.'] },
  },
  {
    name: 'both versions of a word are kept',
    begin: 'One\n\nTwo.',
    person: { clicks: 'One', acts: type('Mine') },
    agent: change('One', 'OneTheirs'),
    blocks: ['OneTheirs', 'Two.'],
    versions: ['OneMine'],
    choice: { button: 'Keep both', blocks: ['OneTheirs', 'OneMine', 'Two.'] },
  },
  {
    name: 'a block with two versions is joined to another one',
    begin: 'Zero\n\nOne\n\nTwo.',
    person: { clicks: 'One', acts: type('Mine') },
    agent: change('One', 'OneTheirs'),
    blocks: ['Zero', 'OneTheirs', 'Two.'],
    versions: ['OneMine'],
    later: { clicks: 'OneTheirs', acts: press('Home', 'Backspace'), blocks: ['ZeroOneTheirs', 'Two.'] },
    choice: { button: 'Put it back', blocks: ['ZeroOneTheirs', 'Two.', 'OneMine'] },
  },
  {
    name: 'a version of a word is given up',
    begin: 'One\n\nTwo.',
    person: { clicks: 'One', acts: type('Mine') },
    agent: change('One', 'OneTheirs'),
    blocks: ['OneTheirs', 'Two.'],
    versions: ['OneMine'],
    choice: { button: 'Keep theirs', blocks: ['OneTheirs', 'Two.'] },
  },
  {
    name: 'both add words in the same place',
    begin: 'One.\n\nTwo.',
    person: { clicks: 'One.', acts: type(' Mine') },
    agent: change('One.', 'One. Theirs'),
    blocks: ['One. Theirs Mine', 'Two.'],
    versions: [],
  },
  {
    name: 'both change words of a paragraph',
    begin: 'One two three.\n\nTwo.',
    person: { clicks: 'One two three.', acts: type(' Mine') },
    agent: change('One two three.', 'Theirs two three.'),
    blocks: ['Theirs two three. Mine', 'Two.'],
    versions: [],
  },
  {
    name: 'both write the same',
    begin: 'One.\n\nTwo.',
    person: { clicks: 'One.', acts: type(' Same') },
    agent: change('One.', 'One. Same'),
    blocks: ['One. Same', 'Two.'],
    versions: [],
  },
  {
    name: 'the block is deleted',
    begin: 'One.\n\nTwo.\n\nThree.',
    person: {
      clicks: 'Two.',
      acts: (keyboard) => keyboard.type(' Mine').then(() => keyboard.press('Escape')),
    },
    agent: remove('Two.'),
    blocks: ['One.', 'Two. Mine', 'Three.'],
    versions: [],
  },
  {
    name: 'the block is deleted under the caret',
    begin: 'One.\n\nTwo.\n\nThree.',
    // The first half is being sent when the rest is typed.
    person: {
      clicks: 'Two.',
      acts: async (keyboard) => {
        await keyboard.type(' Mi')
        await keyboard.press('Escape')
        await keyboard.press('Enter')
        await keyboard.type('ne')
      },
    },
    agent: remove('Two.'),
    blocks: ['One.', 'Two. Mine', 'Three.'],
    versions: [],
  },
  {
    name: 'a block is divided that the agent changes',
    begin: 'One two.\n\nThree.',
    person: { clicks: 'One two.', acts: press('Home', ...Array<string>(4).fill('ArrowRight'), 'Enter') },
    agent: change('One two.', 'One two. Theirs'),
    blocks: ['One Theirs', 'two.', 'Three.'],
    versions: [],
  },
  {
    name: 'a block is joined to the one before, and the agent changes it',
    begin: 'One.\n\nTwo.\n\nThree.',
    person: { clicks: 'Two.', acts: press('Home', 'Backspace') },
    agent: change('Two.', 'Two. Theirs'),
    blocks: ['One.Two.', 'Two. Theirs', 'Three.'],
    versions: [],
  },
  {
    name: 'a block is joined to one that the agent changes',
    begin: 'One.\n\nTwo.\n\nThree.',
    person: { clicks: 'Two.', acts: press('Home', 'Backspace') },
    agent: change('One.', 'One. Theirs'),
    blocks: ['One.Two. Theirs', 'Three.'],
    versions: [],
  },
  {
    name: 'a block is made a heading, and the agent changes its words',
    begin: 'One.\n\nTwo.',
    person: { clicks: 'One.', acts: (keyboard) => keyboard.press('Home').then(() => keyboard.type('## ')) },
    agent: change('One.', 'One. Theirs'),
    blocks: ['## One. Theirs', 'Two.'],
    versions: [],
  },
  {
    name: 'a block is nested, and the agent changes its words',
    begin: '- One\n- Two',
    person: { clicks: 'Two', acts: press('Tab') },
    agent: change('Two', '- Two theirs'),
    blocks: ['- One', '  - Two theirs'],
    versions: [],
  },
  {
    name: 'a block is moved, and the agent deletes it',
    begin: 'One.\n\nTwo.\n\nThree.',
    person: { clicks: 'Three.', acts: press('Alt+Shift+ArrowUp') },
    agent: remove('Three.'),
    blocks: ['One.', 'Two.'],
    versions: [],
  },
  {
    name: 'a block is moved behind one that the agent deletes',
    begin: 'One.\n\nTwo.\n\nThree.',
    person: { clicks: 'One.', acts: press('Alt+Shift+ArrowDown') },
    agent: remove('Two.'),
    blocks: ['One.', 'Three.'],
    versions: [],
  },
  {
    name: 'a block is deleted that the agent changes',
    begin: 'One.\n\nTwo.\n\nThree.',
    person: { clicks: 'Two.', acts: press('Escape', 'Delete') },
    agent: change('Two.', 'Two. Theirs'),
    blocks: ['One.', 'Two. Theirs', 'Three.'],
    versions: [],
  },
  {
    name: 'blocks are written below one that the agent deletes',
    begin: 'One.\n\nTwo.\n\nThree.',
    person: {
      clicks: 'Two.',
      acts: async (keyboard) => {
        for (const words of ['First', 'Second']) await keyboard.press('Enter').then(() => keyboard.type(words))
      },
    },
    agent: remove('Two.'),
    blocks: ['One.', 'First', 'Second', 'Three.'],
    versions: [],
  },
  {
    name: 'cells of one row are changed by both',
    begin: '| A | B |\n| --- | --- |\n| one | two |',
    person: { clicks: 'one', acts: (keyboard) => keyboard.type(' mine').then(() => keyboard.press('Tab')) },
    agent: change('one', '| A | B |\n| --- | --- |\n| one | two theirs |'),
    blocks: ['| A | B |\n| --- | --- |\n| one mine | two theirs |'],
    versions: [],
  },
  {
    name: 'rows of one table are changed by both',
    begin: '| A |\n| --- |\n| one |\n| two |',
    person: { clicks: 'one', acts: (keyboard) => keyboard.type(' mine').then(() => keyboard.press('Tab')) },
    agent: change('one', '| A |\n| --- |\n| one |\n| two theirs |'),
    blocks: ['| A |\n| --- |\n| one mine |\n| two theirs |'],
    versions: [],
  },
  {
    name: 'a cell is changed of a table that the agent deletes',
    begin: '| A |\n| --- |\n| one |\n\nTwo.',
    person: { clicks: 'one', acts: (keyboard) => keyboard.type(' mine').then(() => keyboard.press('Escape')) },
    agent: remove('one'),
    blocks: ['| A |\n| --- |\n| one mine |', 'Two.'],
    versions: [],
  },
  {
    name: 'two cells are changed, and the agent changes the second',
    begin: '| A | B |\n| --- | --- |\n| one | two |',
    person: {
      clicks: 'one',
      acts: async (keyboard) => {
        await keyboard.type(' mine')
        await keyboard.press('Tab')
        await keyboard.type(' mine')
      },
    },
    agent: change('one', '| A | B |\n| --- | --- |\n| one | theirs |'),
    blocks: ['| A | B |\n| --- | --- |\n| one mine | theirs mine |'],
    versions: [],
  },
]

/** Number of cases that run at the same time: each mostly waits for the server. */
const AT_A_TIME = 4

/** @returns the faults that it found */
export async function checkConflicts(server: EditingServer, cases: readonly Case[] = CASES): Promise<string[]> {
  const browser = await openBrowser()
  const faults: string[] = []
  const left = cases.values()
  const work = async () => {
    for (const one of left) {
      const id = await server.addDocument(one.name, one.begin)
      const page = await server.visit(browser, id)
      faults.push(...(await meet(server, id, page, one)).map((fault) => `When ${one.name}: ${fault}`))
      await page.context().close()
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_A_TIME }, work))
    return faults
  } finally {
    await browser.close()
  }
}

async function meet(server: EditingServer, id: string, page: Page, one: Case): Promise<string[]> {
  const { person, agent, blocks, versions, later, choice } = one
  const expectBlocks = async (moment: string, wanted: readonly string[]) => [
    ...(await expectSoon(`blocks${moment}`, wanted, async () => texts(await server.blocks(id)))),
    ...(await expectSoon(`blocks on the page${moment}`, wanted, async () => texts(await shownBlocks(page)))),
  ]
  const expectVersions = (moment: string, wanted: readonly string[]) =>
    expectSoon(`versions${moment}`, wanted.join('\n'), () => shownVersions(page))
  await page.context().setOffline(true)
  await page.locator('article').getByText(person.clicks, { exact: true }).click()
  await page.keyboard.press('End')
  await person.acts(page.keyboard)
  const begun = await server.blocks(id)
  await agent(server, (words) => begun.find(({ markdown }) => markdown.includes(words))?.id ?? '')
  await page.context().setOffline(false)
  await waitUntilSaved(page, false)
  // Again with the caret out of the text: while it is in a block, the typed text stays there.
  await waitUntilSaved(page)
  const faults = [...(await expectBlocks('', blocks)), ...(await expectVersions('', versions))]
  if (later !== undefined && faults.length === 0) {
    await page.locator('article').getByText(later.clicks, { exact: true }).click()
    await later.acts(page.keyboard)
    await waitUntilSaved(page)
    faults.push(...(await expectBlocks(' later', later.blocks)), ...(await expectVersions(' later', versions)))
  }
  if (choice !== undefined && faults.length === 0) {
    await page.getByRole('button', { name: choice.button }).click()
    await waitUntilSaved(page)
    faults.push(...(await expectBlocks(' after the choice', choice.blocks)))
    faults.push(...(await expectVersions(' after the choice', [])))
  }
  return faults
}
