/** The commands of the program. */
import { HOST_IDS } from './hosts/host-ids.ts'

/** Shells with completion of commands and flags. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

interface CommandInfo {
  about: string
  /** The argument after the command, such as the name of a participant to add. */
  operand?: string
  /** The second argument. */
  secondOperand?: string
  /** The possible values of the argument for completion: a fixed set, or paths. */
  operandValues?: readonly string[] | 'file'
}

const COMMANDS = {
  stdio: { about: 'Serve one host over standard input and output (the default).' },
  serve: { about: 'Serve links over HTTP: the REST interface and MCP over Streamable HTTP.' },
  open: {
    about: 'Open the space in a browser: a page to read, to see what agents do, and to take it back. Ends with Ctrl C.',
  },
  install: {
    about: `Add the space to the configuration of a host: ${HOST_IDS.join(', ')}.`,
    operand: 'HOST',
    operandValues: HOST_IDS,
  },
  uninstall: {
    about: 'Remove the space from the configuration of a host again.',
    operand: 'HOST',
    operandValues: HOST_IDS,
  },
  'links add': { about: 'Create a link and print its addresses. The secret is shown only once.' },
  'links list': { about: 'List the links of the space, without their secrets.' },
  'links revoke': { about: 'Revoke a link: its next request is refused.', operand: 'ID' },
  'links expose': { about: 'Change which documents a selected link exposes.', operand: 'ID' },
  'spaces add': { about: 'Add a space to a database of PostgreSQL.', operand: 'NAME' },
  'spaces list': { about: 'List the spaces of a database of PostgreSQL.' },
  'spaces move': {
    about:
      'Move a space from a file into a database of PostgreSQL, postgres://HOST/DATABASE#NAME, or back, with all that is kept of it.',
    operand: 'FROM',
    secondOperand: 'TO',
    operandValues: 'file',
  },
  'spaces remove': { about: 'Delete a space of a database of PostgreSQL for good, after asking.', operand: 'NAME' },
  'webhooks list': { about: 'List the webhooks of the space: what is sent to them, and what waits.' },
  'webhooks test': { about: 'Send a test to a webhook; one that was paused goes on if it is accepted.', operand: 'ID' },
  'webhooks remove': { about: 'Remove a webhook: nothing is sent to it any more.', operand: 'ID' },
  'participants add': { about: 'Add a participant to the space.', operand: 'NAME' },
  'participants list': { about: 'List the participants of the space.' },
  'participants remove': { about: 'Remove a participant from the space.', operand: 'NAME or ID' },
  log: { about: 'Print the audit log: who wrote what, and when.' },
  history: { about: 'List the latest calls and what they changed, or show what one of them changed.' },
  undo: { about: 'Take calls back: some, or all of a connection, link or participant since a moment.' },
  'history forget': {
    about: 'Delete history for good: all before a time, or that of a document. Nothing of it stays in the file.',
  },
  'restore-version': {
    about: 'Return a document to how it was at a moment; other documents stay as they are.',
    operand: 'ID',
  },
  'proposals list': { about: 'List changes that agents proposed: those that wait, and what became of the others.' },
  'proposals show': { about: 'Show all that a proposal would change, with its fingerprint.', operand: 'ID' },
  'proposals approve': {
    about: 'Show what a proposal would change, or all that wait, the oldest first, and carry it out after asking.',
    operand: 'ID or all',
  },
  'proposals reject': { about: 'Reject a proposal, with a word to the agent as --note.', operand: 'ID' },
  import: {
    about: 'Bring documents in from a folder, a zip or a file; again for what changed there since.',
    operand: 'PATH',
    operandValues: 'file',
  },
  export: { about: 'Write the documents of the space, or all of it, as files in a folder or a zip.' },
  backup: { about: 'Copy the space with its files, in use or not, and verify the copy.' },
  restore: {
    about: 'Replace the space with a backup; no program may have it open.',
    operand: 'FROM',
    operandValues: 'file',
  },
  'trash empty': { about: 'Delete the contents of the trash for good: nothing of them stays in the file.' },
  compact: { about: 'Rewrite the file without the space that deleted content left; a server may keep running.' },
  doctor: {
    about:
      'Check Node, SQLite and the space, and say what to do about each problem. Exit code 0: no problems; 3: --repair fixes them; 4: it does not.',
  },
  completion: {
    about: `Print a script with which a shell completes commands and flags: ${SHELLS.join(', ')}.`,
    operand: 'SHELL',
    operandValues: SHELLS,
  },
} as const satisfies Record<string, CommandInfo>
export type Command = keyof typeof COMMANDS

export const commands = Object.keys(COMMANDS) as Command[]
export const commandInfo = (command: Command): CommandInfo => COMMANDS[command]
/** The commands of a group, such as the three of `participants`. */
export const commandsInGroup = (name: string): Command[] => commands.filter((command) => command.startsWith(`${name} `))
