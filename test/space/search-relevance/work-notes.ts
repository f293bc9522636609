/** Notes of a small company: meetings, incidents, plans, and how its programmers work. */
import type { Note } from './corpus.ts'

export const WORK_NOTES: readonly Note[] = [
  {
    title: 'Incident report: checkout outage on 3 March',
    daysOld: 260,
    markdown: `# Summary
Customers could not pay for 47 minutes. The payment service ran out of database connections after a deployment doubled the number of workers.

# Timeline
- 09:12 Deployment of version 4.8 begins
- 09:20 First alerts: response times above five seconds
- 09:41 On-call engineer finds the exhausted connection pool
- 09:59 Rolled back to version 4.7, checkout recovers

# Root cause
Each worker opens its own pool. Nobody had compared the number of workers with the limit of the database.

# Actions
- [ ] Put a connection pooler in front of the database
- [ ] Alert when more than 80 % of the connections are in use`,
  },
  {
    title: 'Incident report: expired certificate',
    daysOld: 190,
    markdown: `# What happened
The TLS certificate of the public API expired on Sunday night. Mobile apps refused to connect until it was renewed by hand on Monday morning.

# Why
The renewal job had been failing for three weeks, and its warnings went to a mailbox that nobody reads.

# What we change
- Renewal failures page the on-call engineer
- A check warns fourteen days before any certificate expires`,
  },
  {
    title: 'Postmortem: disk full on the build server',
    daysOld: 75,
    markdown: `Builds failed from Thursday evening on because the disk of the build server was full. Old container images had never been removed.

We deleted 380 GB of images by hand. A nightly job now removes images that are older than two weeks, and monitoring warns at 85 % disk usage.

No customer noticed anything; developers lost about half a day.`,
  },
  {
    title: 'Weekly sync, 12 October',
    daysOld: 39,
    markdown: `Present: Anna, Bela, Carmen, Dmitri

- Release 5.2 is delayed by a week, since the translation of the new screens is not ready.
- Carmen presented the results of the customer survey: people like search, and complain about slow exports.
- Bela will look into export performance.
- Office closed between Christmas and New Year.`,
  },
  {
    title: 'Weekly sync, 9 November',
    daysOld: 11,
    markdown: `Present: Anna, Carmen, Dmitri

- Release 5.2 went out on Tuesday without problems.
- Exports are now four times faster; Bela found that every row was formatted twice.
- Dmitri starts on the import of calendars.
- Anna asks everyone to hand in vacation requests by the end of the month.`,
  },
  {
    title: 'Design review: offline mode',
    daysOld: 58,
    markdown: `# Goal
People want to read and edit their notes on a plane or a train. Changes are synchronized once there is a connection again.

# Options
1. Last writer wins: simple, loses edits
2. Operational transformation: needs a central server
3. Conflict-free replicated data types: more storage, merges without a server

# Decision
We take option 3 for text and option 1 for settings. Conflicts in tables are shown to the user.`,
  },
  {
    title: 'Retrospective of the third quarter',
    daysOld: 45,
    markdown: `# Went well
- Pair programming brought the new colleagues up to speed
- No incident on a weekend

# Went badly
- Too many meetings on Wednesdays
- Estimates were wrong by a factor of two

# We try
- A day without meetings every week
- Smaller stories, none longer than three days`,
  },
  {
    title: 'Hiring plan for next year',
    daysOld: 30,
    markdown: `We want to hire two backend engineers and one designer.

Interviews have three parts: a conversation about past work, a practical exercise of two hours, and a meeting with the team. Every candidate gets an answer within five days.

Salary bands are in the shared folder of the finance team. The budget allows the first engineer to start in February.`,
  },
  {
    title: 'Onboarding checklist',
    daysOld: 320,
    markdown: `For every new employee:

- [ ] Laptop, badge and keys
- [ ] Accounts for mail, chat and the code repository
- [ ] Security training in the first week
- [ ] A mentor for the first three months
- [ ] Lunch with the team on the first day`,
  },
  {
    title: 'Office move',
    daysOld: 20,
    markdown: `The lease of the old office ends on 31 March. The new one is in Harbour Street, third floor.

| Task | Who | Until |
| --- | --- | --- |
| Order desks and chairs | Anna | 15 January |
| Internet line | Dmitri | 1 February |
| Moving company | Carmen | 10 February |
| Hand over the keys | Anna | 31 March |

The budget for furniture is 18,000 euros.`,
  },
  {
    title: 'Plan: migrate from MySQL to PostgreSQL',
    daysOld: 95,
    markdown: `# Why
We need partial indexes, row-level security and better JSON support.

# Steps
1. Write every change to both databases
2. Copy old rows in the background and compare checksums
3. Switch reads to the new database, one service after another
4. Turn off the old database after a month

# Risks
Differences in collation change the order of names. Rolling back is possible until step 4.`,
  },
  {
    title: 'Budget 2027',
    daysOld: 15,
    markdown: `| Position | Euros |
| --- | --- |
| Salaries | 940,000 |
| Cloud servers | 62,000 |
| Furniture and office | 31,000 |
| Travel and conferences | 24,000 |
| Training | 12,000 |

Cloud costs fall by a tenth when we reserve capacity for a year. The board decides on 4 December.`,
  },
  {
    title: 'Customer interview: Harbour Clinic',
    daysOld: 66,
    markdown: `The clinic keeps its shift plans and handover notes in our product.

They like comments and reminders. They miss printing: nurses want the plan of the day on paper beside each bed. Privacy matters more than anything else; data must stay in the country.

They would pay for an audit log that shows who opened which document.`,
  },
  {
    title: 'Security policy',
    daysOld: 400,
    markdown: `# Passwords
Use the password manager. Never send a password by mail or chat. Two-factor authentication is required for every account.

# Devices
Disks are encrypted, and the screen locks after five minutes.

# Reporting
Lost devices and suspicious mail are reported to security@example.com at once, at any hour.`,
  },
  {
    title: 'Remote work guidelines',
    daysOld: 210,
    markdown: `Everybody may work from home up to three days a week. Core hours are from ten to three. Meetings have a video link, even when most people are in the office.

Who works from another country needs the consent of HR because of taxes and insurance.`,
  },
  {
    title: 'Git cheat sheet',
    daysOld: 150,
    markdown: `Undo the last commit and keep the changes:

\`\`\`sh
git reset --soft HEAD~1
\`\`\`

Rebase a branch onto main and squash its commits:

\`\`\`sh
git rebase -i main
\`\`\`

Find the commit that broke something: \`git bisect\`. Bring one commit over from another branch: \`git cherry-pick\`.`,
  },
  {
    title: 'Why queries are slow: notes on SQL indexes',
    daysOld: 120,
    markdown: `- An index on (customer, date) helps a filter by customer, not a filter by date alone.
- Functions on a column hide its index: store the folded text beside it.
- EXPLAIN shows whether the planner scans the table.
- Every index makes writes slower.

A covering index holds all columns that a query needs, so the table is not read at all.`,
  },
  {
    title: 'Docker notes',
    daysOld: 140,
    markdown: `Build in one stage and copy the result into a small image. Put what changes rarely first, so that layers stay cached.

\`\`\`sh
docker system prune --all
docker compose up --detach
\`\`\`

Containers should not run as root. Logs go to standard output.`,
  },
  {
    title: 'Regular expressions that hang',
    daysOld: 84,
    markdown: `A pattern such as \`(a+)+$\` takes exponential time on a backtracking engine. Attackers use this for denial of service.

Either use an engine that runs in linear time, or bound the length of the input and the time of the match. Linters can warn about nested quantifiers.`,
  },
  {
    title: 'Code review guide',
    daysOld: 230,
    markdown: `Review within one working day. Look for correctness first, then tests, then names. Style is the formatter's job.

Ask questions instead of giving orders. Praise what is good. A change of more than 400 lines should be split.`,
  },
]
