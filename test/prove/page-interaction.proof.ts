/** Uses the pages like a person: cards, cells and drawings by mouse, touch and keyboard, and every form. */
import { takeCounts } from '../coverage/page-counts.ts'
import { everyForm } from './page-interaction/every-form.ts'
import { interact } from './page-interaction/interactions.ts'
import { launchBrowser, SPOILT, UNSENT, WIDTHS } from './pages/browser.ts'
import { startPageServer, visit } from './pages/page-server.ts'
import type { Proof, ProofContext, ProofResult } from './proof.ts'

export const proof: Proof = {
  promise:
    'People with a mouse, a finger or only a keyboard can move, change and draw things, with forms that everyone can read.',
  runsInParallel: true,
  run: (context) => interactOnAllWidths(context, {}),
  // Planted faults: calls that are answered but not carried out, and forms whose fields have no labels.
  control: (context) => interactOnAllWidths(context, { unsent: UNSENT, spoil: SPOILT }),
}

interface Planted {
  unsent?: string
  spoil?: string
}

async function interactOnAllWidths(proofContext: ProofContext, { unsent, spoil }: Planted): Promise<ProofResult> {
  const office = await startPageServer(proofContext.folder, 'office')
  const browser = await launchBrowser()
  const figures = { 'done by hand': 0, forms: 0, 'rules passed': 0, faults: 0 }
  const faults: string[] = []
  try {
    for (const width of unsent === undefined ? (['desktop', 'phone'] as const) : (['desktop'] as const)) {
      const isTouch = width === 'phone'
      // A form that fades in has other colors than the one that stays.
      const still = { reducedMotion: 'reduce' as const }
      const options = { viewport: WIDTHS[width], bypassCSP: true, hasTouch: isTouch, isMobile: isTouch, ...still }
      const { context, page, base } = await visit(browser, office.entry(), options)
      page.on('pageerror', ({ message }) => faults.push(`${width}: ${message}`))
      if (unsent !== undefined) await page.addInitScript(unsent)
      const { done, faults: missed } = await interact({ page, base, office, isTouch }, unsent !== undefined)
      figures['done by hand'] += done
      faults.push(...missed)
      const forms = await everyForm(page, { base, office, width }, spoil)
      figures.forms += forms.examined
      figures['rules passed'] += forms.passed
      faults.push(...forms.faults)
      await takeCounts(context)
      await context.close()
      proofContext.log(`used on a ${width}`)
    }
  } finally {
    await browser.close()
    await office.close()
  }
  figures.faults = faults.length
  return { figures, faults }
}
