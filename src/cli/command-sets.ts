/** Sets of commands that share flags. */
import { type Command, commands, commandsInGroup } from './commands.ts'

export const SERVER_COMMANDS: readonly Command[] = ['stdio', 'serve']
export const HOST_COMMANDS: readonly Command[] = ['install', 'uninstall']
export const LINK_COMMANDS = commandsInGroup('links')
/** Commands that print addresses of the server: those of new links, and those at which somebody signs in. */
export const ADDRESS_COMMANDS: readonly Command[] = ['links add', 'groups update', 'participants add']
export const WEBHOOK_COMMANDS = commandsInGroup('webhooks')
export const HISTORY_COMMANDS: readonly Command[] = ['history', 'undo']
/** Commands that open no space, or do not change its file. */
export const NON_MIGRATING_COMMANDS: readonly Command[] = ['doctor', 'backup', 'restore', 'install', 'uninstall']
/** Commands that create the space if it does not exist. */
export const CREATING_COMMANDS: readonly Command[] = [
  ...SERVER_COMMANDS,
  'open',
  'links add',
  'participants add',
  'spaces add',
  'import',
]
/** Commands with a name and a time zone: of a space that they may create, or that they change. */
export const SETTING_COMMANDS: readonly Command[] = [...CREATING_COMMANDS, 'install', 'settings']
/** Commands that use no space, or not the one of --space. */
const SPACELESS_COMMANDS: readonly Command[] = ['completion', ...commandsInGroup('spaces')]
export const SPACE_COMMANDS: readonly Command[] = commands.filter((command) => !SPACELESS_COMMANDS.includes(command))
export const DATABASE_COMMANDS: readonly Command[] = ['serve', 'spaces add', 'spaces list', 'spaces remove']
/** Commands that open a space of a database together with its files, or make a host open it. */
export const FILES_BUCKET_COMMANDS: readonly Command[] = [
  ...SPACE_COMMANDS.filter((command) => !['uninstall', 'backup', 'restore', 'compact'].includes(command)),
  ...(['spaces move', 'spaces remove'] as const),
]
export const SIGN_IN_COMMANDS: readonly Command[] = ['serve', 'participants add', 'participants remove']
