/** Sets of commands that have flags in common. */
import { type Command, commands, commandsInGroup } from './commands.ts'

export const SERVER_COMMANDS: readonly Command[] = ['stdio', 'serve']
export const HOST_COMMANDS: readonly Command[] = ['install', 'uninstall']
export const LINK_COMMANDS = commandsInGroup('links')
export const WEBHOOK_COMMANDS = commandsInGroup('webhooks')
export const HISTORY_COMMANDS: readonly Command[] = ['history', 'undo']
/** They open no space, or change no file of it. */
export const NON_MIGRATING_COMMANDS: readonly Command[] = ['doctor', 'backup', 'restore', 'install', 'uninstall']
/** They make the space where there is none. */
export const CREATING_COMMANDS: readonly Command[] = [
  ...SERVER_COMMANDS,
  'open',
  ...LINK_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...commandsInGroup('participants'),
  'log',
  'import',
  'spaces add',
]
/** They use no space, or others than that of --space. */
const SPACELESS_COMMANDS: readonly Command[] = ['completion', ...commandsInGroup('spaces')]
export const SPACE_COMMANDS: readonly Command[] = commands.filter((command) => !SPACELESS_COMMANDS.includes(command))
export const DATABASE_COMMANDS: readonly Command[] = ['serve', 'spaces add', 'spaces list', 'spaces remove']
/** They open a space of a database with its files, or have a host open it. */
export const FILES_BUCKET_COMMANDS: readonly Command[] = [
  ...SPACE_COMMANDS.filter((command) => !['uninstall', 'backup', 'restore', 'compact'].includes(command)),
  ...(['spaces move', 'spaces remove'] as const),
]
export const SIGN_IN_COMMANDS: readonly Command[] = ['serve', 'participants add', 'participants remove']
