/**
 * All limits, those of the interface's Limits section and Scriptorium's own, each with its unit and scope. They are
 * imported from here; each area has a file.
 */

export * from './limits/browser-limits.ts'
export * from './limits/calendar-limits.ts'
export * from './limits/call-limits.ts'
export * from './limits/collection-limits.ts'
export * from './limits/document-limits.ts'
export * from './limits/event-limits.ts'
export * from './limits/file-limits.ts'
export * from './limits/history-limits.ts'
export * from './limits/import-limits.ts'
export * from './limits/member-limits.ts'
export * from './limits/proposal-limits.ts'
export * from './limits/rate-limits.ts'
export * from './limits/search-limits.ts'
export * from './limits/server-limits.ts'
export * from './limits/sign-in-limits.ts'
export * from './limits/task-limits.ts'
export * from './limits/whiteboard-limits.ts'
