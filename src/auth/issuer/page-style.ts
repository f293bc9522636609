/** Style of the pages: one column on all screens, light or dark as in the browser. */
import { createHash } from 'node:crypto'

export const STYLE = `
:root { color-scheme: light dark; --ink: #1c1b1a; --soft: #57534e; --paper: #faf9f7; --card: #fff; --line: #8a847c;
  --accent: #1d4f91; --on-accent: #fff; --alarm: #9f1d1d; --alarm-paper: #fdeeee }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f0eeeb; --soft: #b9b3ab; --paper: #171615; --card: #211f1d; --line: #837c73;
    --accent: #9cc3f7; --on-accent: #10233d; --alarm: #ffb4b4; --alarm-paper: #3a1c1c }
}
* { box-sizing: border-box }
body { margin: 0; padding: 1.5rem 1rem 3rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
main { max-width: 34rem; margin: 0 auto; padding: 1.5rem; background: var(--card);
  border: 1px solid color-mix(in srgb, var(--line) 40%, transparent); border-radius: .75rem }
h1 { margin: 0 0 .75rem; font-size: 1.4rem; line-height: 1.25 }
p { margin: 0 0 1rem }
.soft { color: var(--soft) }
label { display: block; font-weight: 600 }
input[type=text], input[type=password], input[type=search] { width: 100%; margin: .25rem 0 1rem; padding: .6rem .7rem;
  font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .4rem }
fieldset { margin: 0 0 1.25rem; padding: .75rem 1rem 1rem; border: 1px solid color-mix(in srgb, var(--line) 60%, transparent);
  border-radius: .5rem; min-width: 0 }
legend { padding: 0 .35rem; font-weight: 600 }
.choice { display: flex; gap: .6rem; align-items: baseline; padding: .3rem 0; font-weight: 400 }
.choice input { flex: none; width: 1.1rem; height: 1.1rem; margin: 0; align-self: start; margin-top: .2rem; accent-color: var(--accent) }
.choice small { display: block; color: var(--soft); font-size: .9rem }
.documents { max-height: 18rem; overflow-y: auto }
.row { display: flex; gap: .5rem; align-items: start }
.row input { flex: 1; min-width: 0; margin-bottom: .5rem }
.row button { margin-top: .25rem }
.buttons { display: flex; gap: .75rem; flex-wrap: wrap; margin-top: .5rem }
button { padding: .6rem 1.1rem; font: inherit; font-weight: 600; cursor: pointer; border-radius: .4rem;
  border: 1px solid var(--accent); color: var(--accent); background: transparent }
button.main { color: var(--on-accent); background: var(--accent) }
a { color: var(--accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
[role=alert] { padding: .7rem .9rem; border-radius: .4rem; color: var(--alarm); background: var(--alarm-paper) }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0 0 1.25rem }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0 } dd + dt { margin-top: .5rem } }
form + * { margin-top: 1.5rem } main > :last-child { margin-bottom: 0 }
dt { color: var(--soft) } dd { margin: 0 }
@supports selector(:has(*)) { form:not(:has(#selected:checked)) .picker { display: none } }
`

/** The value for the Content-Security-Policy that allows this style only. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`
