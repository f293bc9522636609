/** What is other where people suggest: loaded in place of writing. */
export { ownSuggestions } from '../editor/own-suggestions.ts'
export { readOwnSuggestions } from './read-own-suggestions.ts'
export { SuggestQueue } from './suggest-queue.ts'
