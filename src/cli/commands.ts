/** The commands of the program. */
import { HOST_IDS } from '../hosts/host-ids.ts'

/** Shells with completion of commands and flags. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

interface CommandInfo {
  /** What it does, as Markdown. The help shows it without marks. */
  about: string
  /** A command line with usual flags, without the name of the program. */
  example?: string
  /** A page of docs, with a heading if need be, which only docs/cli.md names. */
  see?: string
  /** The argument after the command, such as the name of a participant to add. */
  operand?: string
  /** The second argument. */
  secondOperand?: string
  /** The possible values of the argument for completion: a fixed set, or paths. */
  operandValues?: readonly string[] | 'file'
}

const COMMANDS = {
  stdio: { about: 'Serve one host over standard input and output. This is the default.' },
  serve: {
    example: 'serve --space ~/notes.sqlite --port 4810',
    about:
      'Serve REST and MCP over Streamable HTTP, by default at `http://127.0.0.1:4810`. Clients use access links or sign in.',
    see: 'http.md',
  },
  open: {
    example: 'open --space ~/notes.sqlite',
    about:
      'Open the space in a browser, to read documents, watch what agents do, and undo their changes. The pages are served to this machine only, at `http://127.0.0.1:4811`, until you press Ctrl+C.',
    see: 'page.md',
  },
  install: {
    example: 'install claude-desktop',
    about: `Add the space to the configuration of a host, after asking: ${HOST_IDS.map((id) => `\`${id}\``).join(', ')}.`,
    see: 'hosts.md',
    operand: 'HOST',
    operandValues: HOST_IDS,
  },
  uninstall: {
    about: 'Remove the space from the configuration of a host, and nothing else.',
    operand: 'HOST',
    operandValues: HOST_IDS,
  },
  'links add': {
    example: 'links add --name Researcher --access propose --expires 30d',
    about: 'Create an access link and print its addresses. The secret is shown only this once.',
  },
  'links list': { about: 'List the access links of the space, without their secrets.' },
  'links revoke': { about: 'Revoke an access link. Its next request is refused.', operand: 'ID' },
  'links pause': {
    about:
      'Pause an access link. Until you resume it, its calls are refused, including those already running, and its events wait.',
    see: 'watching-agents.md#stop-an-agent',
    operand: 'ID',
  },
  'links resume': { about: 'Resume a paused access link: it may make calls again.', operand: 'ID' },
  'links expose': {
    example: 'links expose 12c0ffee-… --documents 529310468871,100000000012',
    about: 'Replace the set of documents that a selected link reaches.',
    operand: 'ID',
  },
  'links events': {
    about:
      'Allow a link to have events sent to an address (`on`), or forbid it (`off`), which also ends its subscriptions.',
    see: 'subscriptions.md',
    operand: 'ID',
    secondOperand: 'on or off',
  },
  'spaces add': { about: 'Add a space to a PostgreSQL database.', see: 'scaling.md', operand: 'NAME' },
  'spaces list': { about: 'List the spaces of a PostgreSQL database, or of a folder with `--spaces`.' },
  'spaces move': {
    example: 'spaces move ~/notes.sqlite postgres://notes@db.example/notes#notes',
    about:
      'Move a space from a file to a PostgreSQL database, `postgres://HOST/DATABASE#NAME`, or back, with everything in it. The source stays as it is.',
    see: 'scaling.md#from-a-file-to-a-database-and-back',
    operand: 'FROM',
    secondOperand: 'TO',
    operandValues: 'file',
  },
  'spaces remove': { about: 'Permanently delete a space of a PostgreSQL database, after asking.', operand: 'NAME' },
  'webhooks list': {
    about: 'List the webhooks of the space, with their deliveries: sent, pending and failed.',
    see: 'changes.md#webhooks',
  },
  'webhooks test': {
    about: 'Send a test message to a webhook. If a paused webhook accepts it, the webhook resumes.',
    operand: 'ID',
  },
  'webhooks remove': { about: 'Remove a webhook.', operand: 'ID' },
  'participants add': {
    example: 'participants add Anna --password',
    about: 'Add a participant, or change how an existing one signs in.',
    see: 'sign-in.md',
    operand: 'NAME',
  },
  'participants list': { about: 'List the participants of the space.' },
  'participants remove': {
    about: 'Remove a participant, by name or ID, or one of their ways to sign in.',
    operand: 'NAME or ID',
  },
  'participants erase': {
    example: 'participants erase "Anna Bee"',
    about:
      'Erase the name of a participant who was removed, wherever it was recorded: history, authors, comments, mentions and the log. With `--again`, apply the erasures of a list to a space that was restored from an older backup.',
    see: 'members.md#erasing-a-name',
    operand: 'NAME or ID',
  },
  'members list': {
    about: 'List the members of the space: people, agents and groups, with their handles.',
    see: 'members.md',
  },
  'members update': {
    example: 'members update Anna --handle anna',
    about: 'Change the name, the handle or the picture of a member.',
    see: 'members.md',
    operand: 'ID, @HANDLE or NAME',
  },
  'groups add': {
    example: 'groups add Editors --add @anna,@ben',
    about: 'Add a group: a name for several members, who can be given work, mentioned and asked together.',
    see: 'members.md#groups',
    operand: 'NAME',
  },
  'groups list': { about: 'List the groups of the space, and who is in each.' },
  'groups update': {
    about: 'Change who is in a group, its name, its handle or its picture.',
    see: 'members.md#groups',
    operand: 'ID, @HANDLE or NAME',
  },
  'groups remove': {
    about: 'Remove a group. Its members stay.',
    operand: 'ID, @HANDLE or NAME',
  },
  'locks add': {
    about: 'Lock a document: agents can read it, and change nothing in it.',
    see: 'several-agents.md#locked-documents',
    operand: 'ID',
  },
  'locks list': { about: 'List the documents that are locked, and who locked them.' },
  'locks remove': { about: 'Unlock a document, so that agents may change it again.', operand: 'ID' },
  settings: {
    about:
      'Show the name and the time zone of the space. `--name` and `--timezone` change them, even while the space is served; other processes use the new values within a second. Stored dates and the times of reminders stay as they are.',
  },
  log: {
    example: 'log --since 1d --link 12c0ffee-…',
    about: 'Print the audit log: who wrote what, and when.',
    see: 'cli.md#the-audit-log',
  },
  'log verify': {
    example: 'log verify --head heads.jsonl',
    about:
      'Check that no entry of the audit log was changed, removed or added by anything other than Scriptorium. `--head` also compares the log with heads that you keep elsewhere.',
    see: 'cli.md#a-log-that-cannot-be-changed-unseen',
  },
  'log head': {
    example: 'log head --key log-key.pem >> heads.jsonl',
    about:
      'Print the number and the hash of the last entry of the audit log, signed with `--key`, to be kept elsewhere.',
    see: 'cli.md#a-log-that-cannot-be-changed-unseen',
  },
  'log export': {
    example: 'log export --since 30d > log.jsonl',
    about: 'Print the entries of the audit log with their hashes, as one JSON object per line.',
    see: 'cli.md#a-log-that-cannot-be-changed-unseen',
  },
  history: {
    example: 'history --document 529310468871 --since 2h',
    about:
      'List the latest calls with what they changed. With `--call`, or with `--document`, `--since` and `--until`, show the difference.',
    see: 'history.md',
  },
  undo: {
    example: 'undo --link 12c0ffee-… --since 1h --dry-run',
    about: 'Undo calls: those given by `--call`, or all calls of a connection, link or participant since a given time.',
    see: 'history.md',
  },
  'history forget': {
    example: 'history forget --before 90d',
    about:
      'Permanently delete history: everything before `--before`, or the history of one `--document`. None of it remains in the file.',
  },
  'restore-version': {
    example: 'restore-version 529310468871 --at 2026-11-23',
    about:
      'Restore a document to its state at the time `--at`, even if others have changed it since. Other documents are not changed.',
    operand: 'ID',
  },
  'proposals list': {
    about: 'List the changes that agents proposed: pending ones, and the outcome of the others.',
    see: 'batch-and-proposals.md#proposals',
  },
  'proposals show': {
    about: 'Show everything that a proposal would change, with its fingerprint and its parts.',
    operand: 'ID',
  },
  'proposals approve': {
    about:
      'Show everything that a proposal would change, ask for confirmation, and approve it. With `all`, do this for each pending proposal, oldest first, and stop when you first answer no. The exit code is 1 if something was not approved.',
    operand: 'ID or all',
  },
  'proposals reject': { about: 'Reject a proposal. `--note` is a message to the agent.', operand: 'ID' },
  import: {
    example: 'import ~/Documents/Vault --into Archive --dry-run',
    about:
      'Import documents from a folder, a zip or a file. A repeated import reads only what changed since the last one.',
    see: 'import-export.md',
    operand: 'PATH',
    operandValues: 'file',
  },
  export: {
    example: 'export --to ~/export.zip --as obsidian',
    about: 'Write the documents of the space, or all of it, as files in a folder or a zip.',
    see: 'import-export.md',
  },
  backup: {
    example: 'backup --to ~/backups/ --keep 7',
    about: 'Copy the space with its files, even while it is in use, and verify the copy.',
    see: 'backup.md',
  },
  restore: {
    example: 'restore ~/backups/space-2026-11-23T071614Z.sqlite',
    about: 'Replace the space with a backup. Close all programs that use the space first.',
    see: 'backup.md',
    operand: 'FROM',
    operandValues: 'file',
  },
  'trash empty': {
    example: 'trash empty --before 30d',
    about: 'Permanently delete what is in the trash. None of it remains in the file.',
  },
  compact: {
    about: 'Rewrite the file to reclaim the space of deleted content. A server may keep running.',
  },
  doctor: {
    example: 'doctor --repair',
    about:
      'Check Node, SQLite, the space and the hosts that open it, and suggest a fix for each problem. The exit code is 0 without problems, 3 if `--repair` fixes them, and 4 if it does not.',
  },
  completion: {
    about: `Print a script with which a shell completes commands and flags: ${SHELLS.map((one) => `\`${one}\``).join(', ')}.`,
    see: 'cli.md#completion',
    operand: 'SHELL',
    operandValues: SHELLS,
  },
} as const satisfies Record<string, CommandInfo>
export type Command = keyof typeof COMMANDS

export const commands = Object.keys(COMMANDS) as Command[]
export const commandInfo = (command: Command): CommandInfo => COMMANDS[command]
/** The commands of a group, such as the four of `participants`. */
export const commandsInGroup = (name: string): Command[] => commands.filter((command) => command.startsWith(`${name} `))

/** A text of the tables of commands and flags as the terminal and the manual show it: without the marks of Markdown. */
export const withoutMarks = (about: string): string => about.replaceAll('`', '')

/**
 * Describes which commands have a flag: by group where all of a group have it, or by those that lack it where they are
 * fewer.
 */
export function describeCommands(having: readonly Command[]): string {
  const lacking = grouped(commands.filter((command) => !having.includes(command)))
  const listed = grouped(having)
  if (listed.length <= lacking.length) return listed.join(', ')
  return lacking.length === 0 ? 'all' : `all except ${lacking.join(', ')}`
}

/** Replaces all commands of a group by its name. */
function grouped(some: readonly Command[]): string[] {
  const names = some.map((command) => {
    const [first = ''] = command.split(' ')
    const group = commandsInGroup(first)
    return group.length > 1 && group.every((one) => some.includes(one)) ? first : command
  })
  return [...new Set(names)]
}
