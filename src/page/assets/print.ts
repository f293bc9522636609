/** Asks to print the page, once its pictures are there. */
addEventListener('load', () => window.print())
