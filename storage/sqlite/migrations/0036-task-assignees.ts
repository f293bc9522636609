/** Finds the tasks of a member. The expression is that of `storage/tasks.ts`. */
export const sql = `
CREATE INDEX block_assignee ON block (((attributes ->> 'taskInfo') ->> 'assignee'), task_open, task_moment, n)
  WHERE ((attributes ->> 'taskInfo') ->> 'assignee') IS NOT NULL;
`
