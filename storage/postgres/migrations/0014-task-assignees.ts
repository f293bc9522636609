/** Finds the tasks of a member, as in schema 36 of SQLite. The expression is that of `storage/tasks.ts`. */
const ASSIGNEE = `(CAST((CAST(attributes AS json) ->> 'taskInfo') AS json) ->> 'assignee')`

export const sql = `
CREATE INDEX block_assignee ON block (space, ${ASSIGNEE}, task_open, task_moment, n) WHERE ${ASSIGNEE} IS NOT NULL;
`
