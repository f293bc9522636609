import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { anchorOf } from '../pages.ts'

/** The menu: readers and their pages, as docs/README.md lists them. */
function sidebar() {
  const text = readFileSync(join(import.meta.dirname, '../pages/index.md'), 'utf8')
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const links = [...section.matchAll(/\[([^\]]+)\]\(\.\/([\w-]+)\.md\)/g)]
      const items = links.map(([, words = '', page]) => ({
        text: words.replace(/^./, (letter) => letter.toUpperCase()),
        link: `/${page}`,
      }))
      return { text: section.split('\n', 1)[0], collapsed: false, items }
    })
}

export default defineConfig({
  title: 'Scriptorium',
  description: 'A workspace of documents that AI agents and people share',
  srcDir: 'pages',
  outDir: 'dist',
  // So that the site works below any address.
  base: process.env.SITE_BASE ?? '/',
  cleanUrls: false,
  markdown: {
    anchor: { slugify: anchorOf },
    config: (md) => {
      // Braces in code are no expressions of Vue.
      const { code_inline: inline } = md.renderer.rules
      md.renderer.rules.code_inline = (...given) => inline?.(...given).replace(/^<code/, '<code v-pre') ?? ''
    },
  },
  vite: { esbuild: { target: 'es2022' } },
  themeConfig: { search: { provider: 'local' }, sidebar: sidebar(), outline: 'deep' },
})
