/** The manual page has all commands and flags, and none of its text is interpreted as a request or an escape. */
import { expect, test } from 'vitest'
import program from '../package.json' with { type: 'json' }
import { manPage, roff } from '../scripts/man-page.ts'
import { type Command, commandInfo, commands, describeCommands, withoutMarks } from '../src/cli/commands.ts'
import { environmentName, flagsWithCommands } from '../src/cli/flags.ts'

const lines = manPage().split('\n')

/** The plain text below a heading of the page, without requests and escapes. */
function textOf(heading: string): string {
  const start = lines.indexOf(`.SH ${heading}`)
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('.SH'))
  expect(start).toBeGreaterThan(0)
  return plain([...lines.slice(start + 1, length < 0 ? undefined : start + 1 + length), ''])
}

const plain = (found: readonly string[]): string =>
  found
    .map((line) =>
      line
        .replace(/^\.[A-Z]+$/, '')
        .replace(/\\f[BIR]|\\&/g, '')
        .replaceAll('\\(aq', "'")
        .replaceAll('\\-', '-'),
    )
    .join('\n')

test.each(commands)('%s is documented, with its operand and description', (command: Command) => {
  const { about, operand, secondOperand } = commandInfo(command)
  expect(textOf('COMMANDS')).toContain(
    `\n${[command, operand, secondOperand].filter(Boolean).join(' ')}\n${withoutMarks(about)}\n`,
  )
})

test.each(flagsWithCommands())(
  '--$name is documented, with its value, variable and commands',
  ({ name, flag, commands: having }) => {
    const usage = [`--${name}`, flag.value].filter(Boolean).join(' ')
    const [, entry = ''] = textOf('OPTIONS').split(`\n${usage}\n`)
    expect(entry.split('\n')[0]).toBe(`${withoutMarks(flag.about)} Commands: ${describeCommands(having)}.`)
    expect(textOf('ENVIRONMENT').includes(`\n${environmentName(name)}\n`)).toBe(flag.value !== undefined)
  },
)

test('commands are described by their groups, or by those that lack a flag where these are fewer', () => {
  expect(describeCommands(commands)).toBe('all')
  const ofLinks = commands.filter((command) => command.startsWith('links '))
  expect(describeCommands(['stdio', ...ofLinks])).toBe('stdio, links')
  expect(describeCommands(['links add', 'undo'])).toBe('links add, undo')
  expect(describeCommands(commands.filter((command) => !command.startsWith('spaces ')))).toBe('all except spaces')
})

test('it names its version and the exit codes', () => {
  expect(lines[0]).toContain(`"scriptorium ${program.version}"`)
  for (const code of ['0', '1', '2', '3', '4']) expect(textOf('EXIT STATUS')).toContain(`\n${code}\n`)
})

test('each line is a macro in use, or text without a bare hyphen, backslash or other character', () => {
  const isMacro = (line: string) => /^\.(?:TH|SH|TP|PP|RS|RE|ad|nf|nh|fi|B|RI)(?: |$)/.test(line)
  const isText = (line: string) =>
    /^(?![.'])(?:[\x20-\x7e](?<![\\\-'`^~])|\\(?:[-e&]|f[BIR]|\((?:aq|ga|ha|ti)))*$/.test(line)
  expect(lines.filter((line) => !isMacro(line) && !isText(line))).toEqual([])
})

test.each([
  ['.so /etc/passwd', '\\&.so /etc/passwd'],
  ["'tis", '\\(aqtis'],
  ['a\n.b', 'a\n\\&.b'],
  ['1.5', '1.5'],
  ['--no-copy', '\\-\\-no\\-copy'],
  ['C:\\new', 'C:\\enew'],
  ['~/x `y` ^z', '\\(ti/x \\(gay\\(ga \\(haz'],
  ['Zürich…😀', 'Z\\[u00FC]rich\\[u2026]\\[u1F600]'],
])('%j is written as %j', (text, expected) => {
  expect(roff(text)).toBe(expected)
})
